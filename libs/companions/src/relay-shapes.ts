import { dateTime } from '@shiplog/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { relayLimits, relayStatuses, targetOutcomes } from './relay.ts';

const orNull = <Shape extends TSchema>(shape: Shape, description: string) =>
  Type.Union([shape, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const TargetHealth = Type.Object({
  name: Type.String({ examples: ['ops'] }),
  type: Type.String({ examples: ['slack'] }),
  last_outcome: orNull(Type.Enum([...targetOutcomes]), 'How the last attempt ended; null before the first.'),
  last_success_at: orNull(dateTime(), 'When the target took a message last.'),
  last_error: orNull(Type.String(), 'What was wrong in the last attempt; null where nothing was.'),
  waiting: count('News that the target does not have yet.'),
});
export type TargetHealth = Static<typeof TargetHealth>;

export const RelayHealth = Type.Object({
  status: Type.Enum([...relayStatuses], { description: '`degraded` where some target does not take its messages.' }),
  version: Type.String(),
  component_id: Type.String({ examples: [relayLimits.componentId] }),
  started_at: dateTime(),
  paused_for_reset: Type.Boolean(),
  queue: count('News that some target does not have yet, all targets together.'),
  targets: Type.Array(TargetHealth),
});
export type RelayHealth = Static<typeof RelayHealth>;
