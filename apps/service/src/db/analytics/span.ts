import type { Window } from '../../domain/analytics-window.ts';
import { likePatterns, type Scope, wholeNames } from '../../domain/scope.ts';

export const hourMs = 3_600_000;

/** The hours of a window since 1970; `undefined` if it starts or ends within an hour. */
export function hoursOf({ from, to, fromInstant, toInstant }: Window): [from: number, to: number] | undefined {
  const isWhole = [fromInstant, toInstant].every((instant) => /:00:00(\.0*)?Z$/.test(instant));
  return isWhole ? [from / hourMs, to / hourMs] : undefined;
}

export function instantsOf({ fromInstant, middle, toInstant }: Window): [from: string, middle: string, to: string] {
  return [fromInstant, new Date(middle).toISOString(), toInstant];
}

/** The condition of a scope on the slots of a table; its values start at `$first`. Exact names can use an index. */
export function within(scope: Scope | undefined, table: string, first: number): { text: string; values: string[][] } {
  if (!scope) return { text: '', values: [] };
  const names = wholeNames(scope);
  return {
    text: `and ${table}.service ${names ? '=' : 'like'} any($${first}::text[]) and ${table}.environment like any($${first + 1}::text[])`,
    values: [[...(names ?? likePatterns(scope.services))], likePatterns(scope.environments)],
  };
}

/** `slots`: those of a scope with an event of a status in a window that starts at `$1`; one numbered row per status. */
export const slotsWith = (status: string, inScope: string) => `
  slots as materialized (
    select service, environment, status, row_number() over () as slot from latest_deployments slot
    where ${status} and happened_at >= $1::timestamptz ${inScope}
  )`;

export const inSlot = 'service = slots.service and environment = slots.environment';

/** The events with a status in one of `slots`, in a window from `$1` to `$2`, up to the position of the folds (`$3`). */
export const eventsWith = (status: 'success' | 'failure') =>
  `deployments where ${inSlot} and status = '${status}' and happened_at >= $1 and happened_at < $2 and id < $3`;

/**
 * The changes that overlap a range to `$2`, as `changes`. Those with a last event long after the range are found among
 * the long ones, so the cost doesn't depend on the log after the range.
 * @param part further conditions, order and limit of each of the two parts.
 */
export const overlapping = ({ from = '$1', part = '' } = {}) => `(
  (select * from changes
   where last_at >= ${from} and last_at < $2::timestamptz + interval '6 hours' and first_at < $2 ${part})
  union all
  (select * from changes
   where last_at >= $2::timestamptz + interval '6 hours' and first_at < $2 and last_at - first_at > interval '6 hours' ${part})
) changes`;
