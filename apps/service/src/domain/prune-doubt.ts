const hourMs = 3_600_000;

/** Describes what a pruning run would remove. */
export interface PruneRun {
  /** The number of events beyond the retention and in the whole log. */
  readonly rows: number;
  readonly total: number;
  /** The time since the newest event arrived, by the database's clock. */
  readonly quietMs: number;
  /** How long the oldest event has exceeded the retention. */
  readonly overdueMs: number;
}

/** Why a pruning run is doubtful: the clock may have jumped ahead, or most of the log would be removed. */
export type PruneDoubt = 'clock-ahead' | 'most-of-log';

const quietHoursMax = 48;
const shareWhileQuiet = 0.05;
const shareMax = 0.5;
/** In a small log, a few rows can exceed these shares. */
const fewRows = 20;

/**
 * Why a run should be refused: because a wrong clock or setting is more likely than so much old data. A few rows may
 * always be removed if the log is in use or if they have only just exceeded the retention.
 */
export function pruneDoubt({ rows, total, quietMs, overdueMs }: PruneRun): PruneDoubt | undefined {
  const isQuiet = quietMs > quietHoursMax * hourMs;
  const isFew = rows <= fewRows;
  if (isFew && (!isQuiet || overdueMs <= quietHoursMax * hourMs)) return undefined;
  if (isQuiet && rows > total * shareWhileQuiet) return 'clock-ahead';
  return rows > total * shareMax ? 'most-of-log' : undefined;
}

/** Allowed because more rows exceed the retention between the refusal and the confirming restart. */
const laterRows = 100;
const laterShare = 0.01;

/** Whether `PRUNE_CONFIRM` applies to this run and is not left over from another run. */
export function isConfirmed(rows: number, confirmed: number | undefined): boolean {
  if (confirmed === undefined) return false;
  return rows <= confirmed + Math.max(laterRows, confirmed * laterShare) && rows >= confirmed / 2;
}
