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
    description: 'A `posted` frame for each stored event, an `error` frame for each that was given up.',
  },
  control: {
    path: '/demo/control-stream',
    frameName: undefined,
    nameFirst: true,
    data: ControlStreamEvent,
    filter: undefined,
    replayHours: 0,
    description: 'Every frame of the control stream, unchanged.',
  },
  components: {
    path: '/demo/control-events',
    frameName: 'component',
    data: ComponentEventRecord,
    filter: undefined,
    replayHours: 0,
    description: 'Every component event, unchanged.',
  },
  deployments: {
    path: '/demo/deployments-stream',
    frameName: 'deployment',
    data: DeploymentEvent,
    filter: 'service',
    replayHours: undefined,
    description:
      "The service's deployment stream, byte for byte, with a `: ping` between two blocks after 20 s of silence.",
  },
} as const satisfies Record<string, Stream>;
