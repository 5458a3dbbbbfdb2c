import pg from 'pg';

/** The database is unreachable or temporarily unable to work; the same call may succeed later. */
export class DatabaseUnavailable extends Error {}

/** Thrown by work in a session that decides not to continue; the database works. Its transaction is rolled back. */
export class NotStored extends Error {}

/** The folds have not reached the end of the log in time; they will. */
export class FoldsBehind extends DatabaseUnavailable {
  /** If the folds are being built: how many events they have, and about how many the log has. */
  readonly progress: { readonly events: number; readonly total: number } | undefined;

  constructor(progress?: FoldsBehind['progress']) {
    super('the folds have not reached the end of the log yet');
    this.progress = progress;
  }
}

/** Thrown on a standby, because only the primary knows where the log ends (reading 6.2). */
export const isStandby = 'the connection is to a standby, which may be behind';

/** Rejects running calls when another server has become the primary. */
export const isNotPrimary = 'the server is no longer the primary';

/** Thrown for a server that is not a standby, because only a standby may be read instead of the primary. */
export const isPrimary = 'the server is not a standby';

/**
 * Transient SQLSTATE classes and codes: connections (08), resources such as disk and connections (53), operator
 * intervention such as shutdown and cancellation (57), input/output (58), rollback of a concurrent transaction (40),
 * lock not available (55P03), a server that has become read-only after a failover (25006).
 */
const transient = /^(08|53|57|58|40)|^(55P03|25006)$/;

/** Maps a query error to `DatabaseUnavailable` if it is transient. Any other error is returned as is: it is a bug. */
export function databaseError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return transient.test(error.code ?? '') ? new DatabaseUnavailable(error.message, { cause: error }) : error;
  }
  // An error not sent by the server comes from the connection, unless it is a bug in this program.
  if (error instanceof NotStored || error instanceof TypeError || error instanceof RangeError) return error;
  return new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
}

/** The server rejected a statement because of its content, and would reject it again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}

/** The error of pg for `query_timeout`. It has no code. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The server cancelled a statement that exceeded its time limit. */
export function isTooLong(error: unknown): boolean {
  return codeOf(error) === '57014';
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** Another session held a lock for longer than this session waits. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** A standby cancelled a statement because replay had to continue. Another server can run the statement. */
export function isConflict(error: unknown): boolean {
  return codeOf(error)?.startsWith('40') ?? false;
}

/** The connection was lost, or the server is unreachable or does not respond. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined ? error instanceof DatabaseUnavailable : /^(08|53|58|57P)/.test(code);
}

function codeOf(error: unknown): string | undefined {
  const sent = error instanceof DatabaseUnavailable ? error.cause : error;
  return sent instanceof pg.DatabaseError ? sent.code : undefined;
}
