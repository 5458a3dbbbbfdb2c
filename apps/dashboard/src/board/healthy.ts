import type { MatrixRow } from '@shiplog/contract';
import { notedIn } from './attention.ts';
import { type Box, boxIn, isCalledOff } from './box.ts';
import type { BoardContext } from './context.ts';
import { driftIn } from './drift.ts';
import type { FutureRows } from './future-rows.ts';
import { memoizeLast, memoizePerRow } from './memoize.ts';

const farBehind = 3;
const longAgoMs = 24 * 3_600_000;

/**
 * Whether a service is healthy: in each of these columns its last deployment succeeded, or was cancelled or rejected
 * over a day ago. No deployment is running, waiting or dated in the future, and the service is less than three releases
 * behind, no version in production is marked as bad, and no outage is open. A service that was never deployed counts as healthy.
 */
export function isHealthy(
  row: MatrixRow,
  columns: readonly string[],
  { futureRows, facts, notices, stages }: Pick<BoardContext, 'futureRows' | 'facts' | 'notices' | 'stages'>,
  nowMs: number,
): boolean {
  if (healthyFromIn(columns, futureRows)(row) > nowMs) return false;
  const isNoted = (environment: string) => {
    const box = boxIn(row, environment, futureRows);
    const isProduction = stages.production.has(environment);
    return box && notedIn({ service: row.service, environment, box }, isProduction, notices).length > 0;
  };
  if (notices.key !== '' && columns.some(isNoted)) return false;
  if (!facts.places.has(row.service)) return true;
  return columns.every((environment) => (driftIn(row, environment, facts)?.count ?? 0) < farBehind);
}

/** The time from which a row is healthy if nothing else happens, in ms since the epoch. */
const healthyFromIn = memoizeLast((columns: readonly string[], futureRows: FutureRows) =>
  memoizePerRow((row) =>
    columns.reduce((latest, environment) => {
      const box = boxIn(row, environment, futureRows);
      return box ? Math.max(latest, healthyFrom(box)) : latest;
    }, Number.NEGATIVE_INFINITY),
  ),
);

function healthyFrom({ tone, latest, next, isInFuture }: Box): number {
  const isUnsettled = isInFuture || tone === 'bad' || tone === 'run' || tone === 'wait';
  const end = next ?? (tone === 'off' ? latest : undefined);
  if (isUnsettled || (end && !isCalledOff(end))) return Number.POSITIVE_INFINITY;
  return end ? Date.parse(end.happened_at) + longAgoMs : Number.NEGATIVE_INFINITY;
}
