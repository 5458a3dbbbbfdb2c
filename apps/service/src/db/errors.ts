import pg from 'pg';

/** The database could not be reached, or could not work just now; the same call may succeed later. */
export class DatabaseUnavailable extends Error {}

/** Only the primary knows where the log ends (reading 6.2). */
export const isStandby = 'the connection leads to a standby, which may be behind';

/** What is under way on a server rejects so when another one has become the primary. */
export const isNotPrimary = 'the server is no longer the primary';

/** Only a standby is read in the primary's place. */
export const isPrimary = 'the server is not a standby';

/**
 * SQLSTATE classes and codes that pass: connections (08), resources such as disk and connections (53), operator
 * intervention such as shutdown and cancellation (57), input/output (58), rollback of a concurrent transaction (40),
 * lock not available (55P03), a server that has become read-only after a failover (25006).
 */
const passing = /^(08|53|57|58|40)|^(55P03|25006)$/;

/** Maps the error of a query: to `DatabaseUnavailable` where it may pass, else to itself, which is a bug of ours. */
export function databaseError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return passing.test(error.code ?? '') ? new DatabaseUnavailable(error.message, { cause: error }) : error;
  }
  // An error that the server did not send comes from the connection, unless it is a bug in this program.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
}

/** The server refused a statement because of its content: it would refuse it again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}

/** The connection gave no answer in time: pg's own error for `query_timeout`, which has no code. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The server ended a statement that took longer than the session lets it. */
export function isTooLong(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** There is no room left for what a statement writes. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** Somebody else kept a lock for longer than the session waits. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** A standby took a statement's snapshot away, since replay had to go on; another server can carry the same out. */
export function isConflict(error: unknown): boolean {
  return codeOf(error)?.startsWith('40') ?? false;
}

/** The connection, or the server behind it, is gone, or says nothing. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined ? error instanceof DatabaseUnavailable : /^(08|53|58|57P)/.test(code);
}

/** The SQLSTATE that the server sent, if it sent one. */
function codeOf(error: unknown): string | undefined {
  const sent = error instanceof DatabaseUnavailable ? error.cause : error;
  return sent instanceof pg.DatabaseError ? sent.code : undefined;
}
