import {
  DeploymentEvent,
  DeploymentEventIngest,
  DeploymentEventPage,
  dateTime,
  type Endpoint,
  endpoints,
  invalid,
  Matrix,
  promotionOrder,
  type Status,
  type Stream,
  streams,
  tooLarge,
  unchanged,
} from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { Switch } from './driver-shapes.ts';

/** The default settings of the mock and how it differs from the core (companion services §4, §8). */
export const mockLimits = {
  port: 3002,
  emitIntervalMs: 8000,
  ingestStatuses: ['in-progress', 'success', 'failure'],
  /** The environments that are listed first, in this order. Other environments follow, sorted by code point. */
  environmentOrder: promotionOrder,
} as const satisfies { readonly ingestStatuses: readonly Status[]; readonly [name: string]: unknown };

/** The ingest body of the mock: like the core's, but with fewer statuses. */
export const MockEventIngest = Type.Object(
  {
    ...DeploymentEventIngest.properties,
    status: Type.Enum([...mockLimits.ingestStatuses], { examples: ['success'] }),
  },
  { additionalProperties: false },
);
export type MockEventIngest = Static<typeof MockEventIngest>;

const ok = Type.Literal('ok');
export const MockReadiness = Type.Object({
  status: Type.Literal('ready'),
  checks: Type.Object({ db: ok, listen: ok }),
});

/** The application API of the mock (companion services §4): without analytics and control plane (reading 10.2). */
export const mockApplicationEndpoints = {
  appendDeployment: { ...endpoints.appendDeployment, body: MockEventIngest },
  listDeployments: {
    ...endpoints.listDeployments,
    replies: { 200: { description: 'One page.', body: DeploymentEventPage } },
  },
  getDeployment: endpoints.getDeployment,
  getMatrix: {
    ...endpoints.getMatrix,
    description: 'Returns the latest deployments, and those in progress.',
    query: Type.Object({ service: endpoints.getMatrix.query.properties.service }),
    replies: {
      200: { description: 'The snapshot.', body: Matrix, headers: ['ETag'] },
      304: unchanged,
    },
    problems: { 422: endpoints.getMatrix.problems[422], 503: endpoints.getMatrix.problems[503] },
  },
  getVersion: endpoints.getVersion,
  listServices: endpoints.listServices,
  listEnvironments: endpoints.listEnvironments,
  streamDeployments: {
    ...endpoints.streamDeployments,
    description:
      'Sends Server-Sent Events. The stream is live only and does not replay earlier events, whatever the value of `Last-Event-ID`.',
    stream: { ...streams.deployments, replayHours: 0 },
  },
  getFetcherState: endpoints.getFetcherState,
  putFetcherState: endpoints.putFetcherState,
  getLiveness: endpoints.getLiveness,
  getReadiness: {
    ...endpoints.getReadiness,
    replies: { 200: { description: 'The mock is ready.', body: MockReadiness } },
  },
} as const satisfies Record<string, Endpoint>;

const eventCount = Type.Integer({ minimum: 0, description: 'The number of visible events.' });

export const MockStatus = Type.Object({
  emitting: Type.Boolean(),
  demo_enabled: Type.Boolean(),
  event_count: eventCount,
  fetcher_adapters: Type.Array(Type.String()),
});
export type MockStatus = Static<typeof MockStatus>;

export const MockEmission = Type.Object({ emitting: Type.Boolean(), event_count: eventCount });
export type MockEmission = Static<typeof MockEmission>;

export const MockDemo = Type.Object({ enabled: Type.Boolean() });
export type MockDemo = Static<typeof MockDemo>;

export const MockDemoReset = Type.Object({ enabled: Type.Literal(true), event_count: eventCount });
export type MockDemoReset = Static<typeof MockDemoReset>;

export const mockSources = ['write-api', 'sse-emitter'] as const;
export type MockSource = (typeof mockSources)[number];

export const IngestFrame = Type.Object({
  event: DeploymentEvent,
  source: Type.Enum([...mockSources]),
  received_at: dateTime(),
});
export type IngestFrame = Static<typeof IngestFrame>;

/** The stream of events that the mock receives, for its panel (companion services §6). */
export const ingestStream = {
  path: '/_mock/stream',
  frameName: 'ingest',
  data: IngestFrame,
  filter: undefined,
  replayHours: 0,
  description: 'The stream sends one `ingest` frame for each event that was posted or emitted.',
} as const satisfies Stream;

const posted = { 403: ['forbidden-origin'], ...tooLarge } as const;
const get = { method: 'GET', tag: 'mock', problems: {} } as const;
const post = { method: 'POST', tag: 'mock', sameOrigin: true, problems: posted } as const;
const emission = { 200: { description: 'Whether emission is on.', body: MockEmission } } as const;
const demo = { 200: { description: 'Whether demo events are visible.', body: MockDemo } } as const;

/** The endpoints that control the mock (companion services §4). */
export const mockEndpoints = {
  getMockStatus: {
    ...get,
    path: '/_mock/status',
    summary: 'Show the status of the mock',
    replies: { 200: { description: 'The status of the mock.', body: MockStatus } },
  },
  resetMock: {
    ...post,
    path: '/_mock/reset',
    summary: 'Reset everything',
    description: 'Afterwards emission is off, the demo data is visible and fresh, and no other events are stored.',
    replies: { 200: { description: 'The status of the mock.', body: MockStatus } },
  },
  getMockEmission: { ...get, path: '/_mock/emit', summary: 'Show whether emission is on', replies: emission },
  switchMockEmission: {
    ...post,
    path: '/_mock/emit',
    summary: 'Switch emission on or off',
    body: Switch,
    bodyOptional: true,
    replies: emission,
    problems: { ...posted, ...invalid },
  },
  getMockDemo: { ...get, path: '/_mock/demo', summary: 'Show whether demo events are visible', replies: demo },
  switchMockDemo: {
    ...post,
    path: '/_mock/demo',
    summary: 'Show or hide the demo events',
    body: Switch,
    bodyOptional: true,
    replies: demo,
    problems: { ...posted, ...invalid },
  },
  resetMockDemo: {
    ...post,
    path: '/_mock/demo/reset',
    summary: 'Remove posted and emitted events',
    description: 'Afterwards the demo events are visible and fresh. Emission does not change.',
    replies: { 200: { description: 'Only the demo data remains.', body: MockDemoReset } },
  },
  streamIngest: {
    ...get,
    path: ingestStream.path,
    summary: 'Follow incoming events',
    replies: { 200: { description: 'An event stream.' } },
    stream: ingestStream,
  },
} as const satisfies Record<string, Endpoint>;
