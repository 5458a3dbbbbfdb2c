/** The default settings of the fetcher with their bounds, and its limits (fetcher §2, §3, §11). */
export const fetcherLimits = {
  port: 8080,
  componentId: 'dashboard-fetcher',
  pollIntervalSeconds: 30,
  pollIntervalSecondsMax: 3600,
  initialLookback: '7d',
  lookbackMin: '1m',
  lookbackMax: '365d',
  backfillDepthMax: 500,
  watchMaxAge: '35d',
  watchMaxAgeMin: '1d',
  watchMaxAgeMax: '90d',
  discoveryIntervalSeconds: 3600,
  discoveryIntervalSecondsMin: 60,
  discoveryIntervalSecondsMax: 86_400,
  maxRequestsPerMinute: 300,
  maxRequestsPerMinuteMin: 10,
  maxRequestsPerMinuteMax: 800,
  resetGateMaxTtlMs: 90_000,
  resetGateMaxTtlMsMin: 1000,
  resetGateMaxTtlMsMax: 600_000,
  rateLimitMax: 1_000_000,
  budgetPercent: 30,
  configBytes: 256 * 1024,
  /** The names of places that the tool refuses, in what health tells of a source. */
  forbiddenShown: 10,
  /** Likewise of those that fail. */
  failingShown: 10,
  deliveryBytes: 5 * 1024 * 1024,
  /** Deliveries that are under way or wait for the end of a reset. */
  deliveryQueue: 1000,
  /** How long a sender waits for what it delivered to be stored. */
  deliveryWaitMs: 8000,
  /** Ids of deliveries that each webhook remembers. */
  deliveriesRemembered: 10_000,
} as const;

/** How a cycle of a source ended (fetcher §13.2). */
export const sourceOutcomes = ['ok', 'auth_failed', 'rate_limited', 'error'] as const;
export type SourceOutcome = (typeof sourceOutcomes)[number];

/** What the fetcher is by its sources: all are well, some are, or none is (fetcher §13.2). */
export const fetcherStatuses = ['ok', 'degraded', 'error'] as const;
