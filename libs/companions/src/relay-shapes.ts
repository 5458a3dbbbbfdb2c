import { dateTime } from '@shiplog/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { relayLimits, relayStatuses, targetOutcomes } from './relay.ts';

const orNull = <Shape extends TSchema>(shape: Shape, description: string) =>
  Type.Union([shape, Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const TargetHealth = Type.Object({
  name: Type.String({ examples: ['ops'] }),
  type: Type.String({ examples: ['slack'] }),
  last_outcome: orNull(Type.Enum([...targetOutcomes]), 'Outcome of the last attempt; null before the first.'),
  last_success_at: orNull(dateTime(), 'Time of the last delivery.'),
  last_error: orNull(Type.String(), 'Why the last attempt failed; null if it succeeded.'),
  waiting: count('Events not yet delivered to the target.'),
});
export type TargetHealth = Static<typeof TargetHealth>;

export const RelayHealth = Type.Object({
  status: Type.Enum([...relayStatuses], { description: "`degraded` while a target doesn't accept its messages." }),
  version: Type.String(),
  component_id: Type.String({ examples: [relayLimits.componentId] }),
  started_at: dateTime(),
  paused_for_reset: Type.Boolean(),
  queue: count('Events not yet delivered, over all targets.'),
  targets: Type.Array(TargetHealth),
});
export type RelayHealth = Static<typeof RelayHealth>;
