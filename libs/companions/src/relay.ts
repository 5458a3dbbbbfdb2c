import { dateTime, type Endpoint, nullable } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { count, timeOrNull } from './schema.ts';

/** The default settings of the relay with their bounds (relay §9). */
export const relayLimits = {
  port: 8081,
  componentId: 'relay',
  resetGateMaxTtlMs: 90_000,
  resetGateMaxTtlMsMin: 1000,
  resetGateMaxTtlMsMax: 600_000,
} as const;

/**
 * The possible outcomes of the last attempt to send to a target. A message is dropped if the target will never accept
 * it.
 */
export const targetOutcomes = ['ok', 'dropped', 'auth_failed', 'rate_limited', 'error'] as const;
export type TargetOutcome = (typeof targetOutcomes)[number];

/** The relay's status: `degraded` if any target fails (relay §9.14). */
export const relayStatuses = ['ok', 'degraded'] as const;

export const TargetHealth = Type.Object({
  name: Type.String({ examples: ['ops'] }),
  type: Type.String({ examples: ['slack'] }),
  last_outcome: nullable(Type.Enum([...targetOutcomes]), {
    description: 'The outcome of the last attempt. Null before the first attempt.',
  }),
  last_success_at: timeOrNull('Time of the last delivery.'),
  last_error: nullable(Type.String(), { description: 'Why the last attempt failed. Null if it succeeded.' }),
  waiting: count('Events not yet delivered to the target.'),
});
export type TargetHealth = Static<typeof TargetHealth>;

export const RelayHealth = Type.Object({
  status: Type.Enum([...relayStatuses], {
    description: "The state of the relay. It is `degraded` while a target doesn't accept its messages.",
  }),
  version: Type.String(),
  component_id: Type.String({ examples: [relayLimits.componentId] }),
  started_at: dateTime(),
  paused_for_reset: Type.Boolean(),
  queue: count('Events not yet delivered, over all targets.'),
  targets: Type.Array(TargetHealth),
});
export type RelayHealth = Static<typeof RelayHealth>;

/** The endpoints of the relay (relay §9.14). */
export const relayEndpoints = {
  getRelayHealth: {
    method: 'GET',
    path: '/health',
    tag: 'ops',
    summary: 'Show the state of the relay and its targets',
    description: 'Returns 200 while the process runs, whatever its state.',
    replies: { 200: { description: 'The state.', body: RelayHealth } },
    problems: {},
  },
  getRelayReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'ops',
    summary: 'Check whether the relay is ready',
    description:
      'Returns the same as `/health`. Restarting the relay would not help a target that is down, so the relay stays ready.',
    replies: { 200: { description: 'The state.', body: RelayHealth } },
    problems: {},
  },
} as const satisfies Record<string, Endpoint>;
