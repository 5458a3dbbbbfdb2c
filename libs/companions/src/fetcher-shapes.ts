import { dateTime } from '@shiplog/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { fetcherLimits, fetcherStatuses, sourceOutcomes } from './fetcher.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const orNull = <Shape extends TSchema>(shape: Shape, description: string) =>
  Type.Union([shape, Type.Null()], { description });

export const SourceBackfill = Type.Object({
  done: count('Repositories whose past is taken in.'),
  left: count('Repositories whose past is not.'),
});
export type SourceBackfill = Static<typeof SourceBackfill>;

export const SourceRateLimit = Type.Object({
  used: count("The fetcher's own requests in this window."),
  budget: count("The fetcher's own limit: a percentage of `ci_limit`, rounded down."),
  reset_at: orNull(dateTime(), 'When the window ends.'),
  ci_limit: orNull(Type.Integer(), 'The quota of the tool.'),
  ci_remaining: orNull(Type.Integer(), 'What is left of it to all who use it.'),
});
export type SourceRateLimit = Static<typeof SourceRateLimit>;

export const FailingRepository = Type.Object({
  name: Type.String({ examples: ['acme/shop'] }),
  since: dateTime(),
  why: Type.String({ description: 'The answer that could not be used.' }),
});
export type FailingRepository = Static<typeof FailingRepository>;

export const SourceHealth = Type.Object({
  id: Type.String({ examples: ['github-actions'] }),
  reachable: orNull(Type.Boolean(), 'Whether the tool gave an answer when it was asked last; null before.'),
  last_outcome: orNull(Type.Enum([...sourceOutcomes]), 'How the last cycle ended; null before the end of the first.'),
  last_success_at: orNull(dateTime(), 'When a cycle was `ok` last.'),
  last_error: orNull(Type.String(), 'What is wrong, in a sentence; null where nothing is.'),
  backfill: orNull(SourceBackfill, 'null while none is under way.'),
  lag_seconds: orNull(Type.Number(), 'The age of the oldest look at a repository; null before all were looked at.'),
  open: count('Deployments that have not come to their end.'),
  forbidden: Type.Array(Type.String(), {
    maxItems: fetcherLimits.forbiddenShown,
    description: 'Repositories that the tool refuses, the first of them.',
  }),
  failing: Type.Array(FailingRepository, {
    maxItems: fetcherLimits.failingShown,
    description: 'Repositories that get no usable answer while the tool gives others, the first of them.',
  }),
  rate_limit: orNull(SourceRateLimit, 'null while the tool tells no limits.'),
});
export type SourceHealth = Static<typeof SourceHealth>;

export const FetcherHealth = Type.Object({
  status: Type.Enum([...fetcherStatuses], {
    description: '`degraded` where some source has something wrong, `error` where none is `ok`.',
  }),
  version: Type.String(),
  component_id: Type.String({ examples: [fetcherLimits.componentId] }),
  started_at: dateTime(),
  paused_for_reset: Type.Boolean(),
  queue: count('Deliveries of webhooks that are not stored yet.'),
  sources: Type.Array(SourceHealth),
});
export type FetcherHealth = Static<typeof FetcherHealth>;

export const DeliveryAnswer = Type.Object({
  accepted: count('Changes that are in the log, and repositories that are polled at once.'),
  ignored: count('Events of the delivery that tell nothing.'),
});
export type DeliveryAnswer = Static<typeof DeliveryAnswer>;
