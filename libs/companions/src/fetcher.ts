import { dateTime, type Endpoint, invalid, nullable, tooLarge } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { count, timeOrNull } from './schema.ts';

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
  forbiddenShown: 10,
  failingShown: 10,
  deliveryBytes: 5 * 1024 * 1024,
  /** The maximum number of deliveries in progress or waiting for the end of a reset. */
  deliveryQueue: 1000,
  /** The maximum time that a sender waits for its delivery to be stored. */
  deliveryWaitMs: 8000,
  /** The number of delivery ids that each webhook remembers. */
  deliveriesRemembered: 10_000,
} as const;

/** The possible outcomes of one poll cycle of a source (fetcher §13.2). */
export const sourceOutcomes = ['ok', 'auth_failed', 'rate_limited', 'error'] as const;
export type SourceOutcome = (typeof sourceOutcomes)[number];

/** The fetcher's status: all, some or none of its sources are healthy (fetcher §13.2). */
export const fetcherStatuses = ['ok', 'degraded', 'error'] as const;

export const SourceBackfill = Type.Object({
  done: count('Repositories with a finished backfill.'),
  left: count('Remaining repositories.'),
});

export const SourceRateLimit = Type.Object({
  used: count("The fetcher's own requests in this window."),
  budget: count("The fetcher's own limit: a percentage of `ci_limit`, rounded down."),
  reset_at: timeOrNull('End of the window.'),
  ci_limit: nullable(Type.Integer(), { description: "The tool's quota." }),
  ci_remaining: nullable(Type.Integer(), { description: 'The remaining quota, shared by all its users.' }),
});

export const FailingRepository = Type.Object({
  name: Type.String({ examples: ['acme/shop'] }),
  since: dateTime(),
  why: Type.String({ description: 'Why the response could not be used.' }),
});

export const SourceHealth = Type.Object({
  id: Type.String({ examples: ['github-actions'] }),
  reachable: nullable(Type.Boolean(), {
    description: 'Whether the tool answered the last request. Null before the first request.',
  }),
  last_outcome: nullable(Type.Enum([...sourceOutcomes]), {
    description: 'The outcome of the last cycle. Null before the end of the first cycle.',
  }),
  last_success_at: timeOrNull('End of the last cycle with the outcome `ok`.'),
  last_error: nullable(Type.String(), {
    description: 'The current problem in one sentence. Null if there is no problem.',
  }),
  backfill: nullable(SourceBackfill, {
    description: 'The progress of the backfill. Null unless a backfill is in progress.',
  }),
  lag_seconds: nullable(Type.Number(), {
    description:
      'The number of seconds since the poll of the repository that has waited the longest. Null until all repositories have been polled.',
  }),
  open: count('Deployments without a final status.'),
  forbidden: Type.Array(Type.String(), {
    maxItems: fetcherLimits.forbiddenShown,
    description: 'The first repositories for which the tool refuses access.',
  }),
  failing: Type.Array(FailingRepository, {
    maxItems: fetcherLimits.failingShown,
    description: 'The first repositories without a usable answer, if other repositories have one.',
  }),
  rate_limit: nullable(SourceRateLimit, {
    description: 'The rate limit of the source. Null if the tool reports no limits.',
  }),
});
export type SourceHealth = Static<typeof SourceHealth>;

export const CalendarHealth = Type.Object({
  name: Type.String({ examples: ['christmas'] }),
  reachable: nullable(Type.Boolean(), {
    description: 'Whether the last read of the calendar succeeded. Null before the first read.',
  }),
  last_outcome: nullable(Type.Enum(['ok', 'error']), { description: 'Null before the calendar was first read.' }),
  last_success_at: timeOrNull('When its holds were last up to date.'),
  last_error: nullable(Type.String(), { description: 'The current problem in one sentence.' }),
  freezes: nullable(Type.Integer(), {
    description: 'The number of its freezes that had not ended when its holds were last set.',
  }),
});
export type CalendarHealth = Static<typeof CalendarHealth>;

export const FetcherHealth = Type.Object({
  status: Type.Enum([...fetcherStatuses], {
    description:
      'The state of the fetcher. It is `degraded` if a source has a problem, and `error` if no source is `ok`.',
  }),
  version: Type.String(),
  component_id: Type.String({ examples: [fetcherLimits.componentId] }),
  started_at: dateTime(),
  paused_for_reset: Type.Boolean(),
  queue: count('Webhook deliveries that are not stored yet.'),
  sources: Type.Array(SourceHealth),
  calendars: Type.Optional(Type.Array(CalendarHealth, { description: 'Absent if no calendar is configured.' })),
});
export type FetcherHealth = Static<typeof FetcherHealth>;

export const DeliveryAnswer = Type.Object({
  accepted: count('Changes that are now in the log, and repositories that are polled immediately.'),
  ignored: count('Events of the delivery that need no action.'),
});
export type DeliveryAnswer = Static<typeof DeliveryAnswer>;

/** The endpoints of the fetcher (fetcher §11, §13). */
export const fetcherEndpoints = {
  receiveDelivery: {
    method: 'POST',
    path: '/webhooks/{hook}',
    tag: 'webhooks',
    summary: 'Receive a webhook delivery',
    description:
      'Accepts the body that the tool sends (at most 5 MiB) with the signature or the token of the webhook. A delivery with a known id is accepted but not stored again.',
    params: Type.Object({
      hook: Type.String({
        description: '`github`, `gitlab`, `cdevents`, or the name of a webhook in the configuration file.',
        examples: ['github'],
      }),
    }),
    bodyBytesMax: fetcherLimits.deliveryBytes,
    replies: { 202: { description: 'The outcome.', body: DeliveryAnswer } },
    problems: { 401: ['unauthorized'], 404: ['not-found'], ...tooLarge, ...invalid, 503: ['unavailable'] },
  },
  getFetcherHealth: {
    method: 'GET',
    path: '/health',
    tag: 'ops',
    summary: 'Show the state of the fetcher and its sources',
    description: 'Returns 200 while the process runs, whatever its state.',
    replies: { 200: { description: 'The state.', body: FetcherHealth } },
    problems: {},
  },
  getFetcherReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'ops',
    summary: 'Check whether all sources can be polled',
    description: 'The fetcher is not ready if a tool refuses its token or is unreachable, except during a reset.',
    replies: {
      200: { description: 'All sources can be polled.', body: FetcherHealth },
      503: { description: "At least one source can't be polled.", body: FetcherHealth, headers: ['Retry-After'] },
    },
    problems: {},
  },
} as const satisfies Record<string, Endpoint>;
