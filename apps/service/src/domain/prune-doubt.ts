const hourMs = 3_600_000;

/** What a pruning is about to remove. */
export interface PruneRun {
  /** Events beyond the retention, and of the whole log. */
  readonly rows: number;
  readonly total: number;
  /** From the arrival of the newest event to the clock of the database. */
  readonly quietMs: number;
  /** How long the oldest event has been beyond the retention. */
  readonly overdueMs: number;
}

/** Why a pruning is doubtful: the clock may have jumped ahead, or most of the log would go. */
export type PruneDoubt = 'clock-ahead' | 'most-of-log';

const quietHoursMax = 48;
const shareWhileQuiet = 0.05;
const shareMax = 0.5;
/** A few rows are soon more than such a share of a small log. */
const fewRows = 20;

/**
 * Whether a run removes so much that a wrong clock or setting is more likely than age; `undefined` = it may. A few rows of
 * a small log may go where the log is in use, or where they have only just come beyond the retention, as they do day by day.
 */
export function pruneDoubt({ rows, total, quietMs, overdueMs }: PruneRun): PruneDoubt | undefined {
  const isQuiet = quietMs > quietHoursMax * hourMs;
  const isFew = rows <= fewRows;
  if (isFew && (!isQuiet || overdueMs <= quietHoursMax * hourMs)) return undefined;
  if (isQuiet && rows > total * shareWhileQuiet) return 'clock-ahead';
  return rows > total * shareMax ? 'most-of-log' : undefined;
}

/** More rows come beyond the retention between a refusal and the restart that confirms it. */
const laterRows = 100;
const laterShare = 0.01;

/**
 * Whether `PRUNE_CONFIRM` is about this run: it has up to 1 % or 100 rows more, and at least half, so that a value which is
 * left in place confirms no other one.
 */
export function isConfirmed(rows: number, confirmed: number | undefined): boolean {
  if (confirmed === undefined) return false;
  return rows <= confirmed + Math.max(laterRows, confirmed * laterShare) && rows >= confirmed / 2;
}
