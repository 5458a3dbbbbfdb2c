import { ComponentEventRecord, ControlStreamEvent, DeploymentEvent, type Stream } from '@shiplog/contract';
import { Type } from 'typebox';
import { ErrorFrame, PostedFrame } from './driver-shapes.ts';

/** The four event streams of the driver (companion services §4, §6: its feeds). None keeps a history. */
export const driverStreams = {
  posted: {
    path: '/demo/stream',
    frameName: 'posted',
    data: Type.Union([PostedFrame, ErrorFrame]),
    filter: undefined,
    replayHours: 0,
    description: 'A `posted` frame for each event that was stored, an `error` frame for each that was given up.',
  },
  control: {
    path: '/demo/control-stream',
    frameName: undefined,
    nameFirst: true,
    data: ControlStreamEvent,
    filter: undefined,
    replayHours: 0,
    description: 'Every frame of the control stream, as it came.',
  },
  components: {
    path: '/demo/control-events',
    frameName: 'component',
    data: ComponentEventRecord,
    filter: undefined,
    replayHours: 0,
    description: 'Every component event, as it came.',
  },
  deployments: {
    path: '/demo/deployments-stream',
    frameName: 'deployment',
    data: DeploymentEvent,
    filter: 'service',
    replayHours: undefined,
    description:
      'The deployment stream of the service, byte for byte. Where that is silent for 20 s, a `: ping` comes between two of its blocks.',
  },
} as const satisfies Record<string, Stream>;
