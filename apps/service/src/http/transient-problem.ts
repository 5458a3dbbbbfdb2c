import { headerNames } from '@shiplog/contract';
import { invalid, Problem, unavailable } from '@shiplog/server';
import { GateClosed, NoSlotLeft } from '../db/append-deployments.ts';
import { DatabaseUnavailable, FoldsBehind, isDiskFull, isSilence, isTooLong } from '../db/errors.ts';
import { NoPermit } from '../db/semaphore.ts';
import { progressText } from '../domain/fold-build.ts';

/** Clearing the log takes only moments (reading 7.4). */
const gateRetryAfterSeconds = 2;

/**
 * 503 for a transient error (readings 7.4 and 8.3), 422 for a slot beyond the limit (reading 8.8), and `undefined` for
 * other errors.
 */
export function transientProblem(error: unknown): Problem | undefined {
  if (error instanceof GateClosed) {
    return new Problem('reset-in-progress', {
      detail: 'A reset is clearing the log. Try again in a moment.',
      headers: { [headerNames.retryAfter]: String(gateRetryAfterSeconds) },
    });
  }
  if (error instanceof NoSlotLeft) {
    const message =
      'would add a slot, but the log has reached its maximum (SLOTS_MAX); check the name, or raise SLOTS_MAX';
    return invalid([{ pointer: '/environment', message }]);
  }
  return error instanceof DatabaseUnavailable ? unavailable(unavailableDetail(error), { cause: error }) : undefined;
}

function unavailableDetail(error: DatabaseUnavailable): string {
  if (error instanceof FoldsBehind) {
    return error.progress
      ? `Analytics and releases are being prepared: ${progressText(error.progress)}. Try again in a few minutes.`
      : "The figures don't include the latest events yet. Try again in a moment.";
  }
  if (isTooLong(error)) return 'The database took too long for this request. Try again later, or request less at once.';
  if (error instanceof NoPermit) return 'Too many queries are in progress. Try again later.';
  if (isDiskFull(error)) return 'The database has no disk space left. Free some, then try again.';
  if (isSilence(error.cause)) return 'The database is not responding. Try again later.';
  return "Can't reach the database. Try again later.";
}
