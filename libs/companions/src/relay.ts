/** The default settings of the relay with their bounds (relay §9). */
export const relayLimits = {
  port: 8081,
  componentId: 'relay',
  resetGateMaxTtlMs: 90_000,
  resetGateMaxTtlMsMin: 1000,
  resetGateMaxTtlMsMax: 600_000,
} as const;

/** How the last attempt of a target ended: a message that is dropped is one that the target never takes. */
export const targetOutcomes = ['ok', 'dropped', 'auth_failed', 'rate_limited', 'error'] as const;
export type TargetOutcome = (typeof targetOutcomes)[number];

/** What the relay is by its targets (relay §9.14). */
export const relayStatuses = ['ok', 'degraded'] as const;
