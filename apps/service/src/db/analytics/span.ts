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

/** The rows of a scope from `$1` to `to`, as `row`, read slot by slot, so that the cost doesn't depend on the log. */
export function rowsWithin(columns: string, inScope: string, to: string): string {
  return `
    select ${columns}
    from (select service, environment, status from latest_deployments slot where happened_at >= $1 ${inScope}) slot
    cross join lateral (
      select id, deployment_id, environment, happened_at, parents from deployments
      where service = slot.service and environment = slot.environment and status = slot.status
        and happened_at >= $1 and happened_at < ${to}
    ) row`;
}
