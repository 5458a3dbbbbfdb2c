const hourMs = 3_600_000;

/** What a pruning run is about to remove. */
export interface PruneRun {
  /** The number of events beyond the retention, and in the whole log. */
  readonly rows: number;
  readonly total: number;
  /** The age of the newest event since its arrival, by the database's clock. */
  readonly quietMs: number;
  /** How long the oldest event has been beyond the retention. */
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
 * Why a run should be refused: a wrong clock or setting is more likely than that many old rows. A few rows may always
 * be removed if the log is in use, or if they have just passed the retention.
 */
export function pruneDoubt({ rows, total, quietMs, overdueMs }: PruneRun): PruneDoubt | undefined {
  const isQuiet = quietMs > quietHoursMax * hourMs;
  const isFew = rows <= fewRows;
  if (isFew && (!isQuiet || overdueMs <= quietHoursMax * hourMs)) return undefined;
  if (isQuiet && rows > total * shareWhileQuiet) return 'clock-ahead';
  return rows > total * shareMax ? 'most-of-log' : undefined;
}

/** Between a refusal and the confirming restart, more rows pass the retention. */
const laterRows = 100;
const laterShare = 0.01;

/** Whether `PRUNE_CONFIRM` applies to this run, instead of being left over from another run. */
export function isConfirmed(rows: number, confirmed: number | undefined): boolean {
  if (confirmed === undefined) return false;
  return rows <= confirmed + Math.max(laterRows, confirmed * laterShare) && rows >= confirmed / 2;
}
