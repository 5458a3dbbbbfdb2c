import type { TSchema } from 'typebox';
import { ComponentEventRecord, ControlStreamEvent } from './shapes/control.ts';
import { DeploymentEvent } from './shapes/deployment.ts';

/** The database notification channels (§1 rule 7). A notification is only a hint to read the tables. */
export const channels = ['deployment_events', 'control_events', 'component_acks', 'component_events'] as const;
export type Channel = (typeof channels)[number];

/** The channel that announces reset acks; the records themselves are announced on `component_events`. */
export const acksChannel = 'component_acks' satisfies Channel;

/** The values of `X-Stream-Resume` (reading 6.3); `rewound` is an addition, for a database that lost stored rows. */
export const streamResumes = ['live', 'replay', 'truncated', 'rewound', 'ignored'] as const;

/** Whether rows are missing from a resumed stream. If so, data derived from earlier rows must be fetched again. */
export function hasLostRows(resume: string | null): boolean {
  return resume === 'truncated' || resume === 'rewound';
}

export interface Stream {
  readonly path: `/${string}`;
  /** The name of the frames; `undefined` if each frame's name is its `type`. */
  readonly frameName: string | undefined;
  /** Write the `event` line before the `id` line (§6 Control stream, reading 6.5). */
  readonly nameFirst?: true;
  /** The shape of the `data` line of a frame. */
  readonly data: TSchema;
  /** Query parameter that filters on the server. */
  readonly filter: string | undefined;
  /** How far back a client can resume with `Last-Event-ID`; if `undefined`, to the oldest stored row. */
  readonly replayHours: number | undefined;
  /** The database channel that announces its rows, if there is a database. */
  readonly channel?: Channel;
  readonly description: string;
}

/** The three streams of the core API (§6). */
export const streams = {
  deployments: {
    path: '/api/events/stream',
    frameName: 'deployment',
    data: DeploymentEvent,
    channel: 'deployment_events',
    filter: 'service',
    replayHours: undefined,
    description: 'The stream sends one `deployment` frame for each accepted event.',
  },
  control: {
    path: '/api/control/stream',
    frameName: undefined,
    nameFirst: true,
    data: ControlStreamEvent,
    channel: 'control_events',
    filter: 'component',
    replayHours: 2,
    description:
      'The stream sends one frame per step of a reset. The name of a frame is its `type`. A new connection first receives the frames of a reset in progress.',
  },
  components: {
    path: '/api/control/events/stream',
    frameName: 'component',
    data: ComponentEventRecord,
    channel: 'component_events',
    filter: undefined,
    replayHours: 2,
    description: 'The stream sends one `component` frame for each accepted component event.',
  },
} as const satisfies Record<string, Stream>;

export type StreamName = keyof typeof streams;

/** The lowest possible id. As `Last-Event-ID` it means "from the beginning" (reading 6.2). */
export const nilId = '00000000-0000-0000-0000-000000000000';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID of any version in lower case, the form in which ids are compared; `undefined` for anything else. */
export function parseId(text: string): string | undefined {
  const lower = text.toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}
