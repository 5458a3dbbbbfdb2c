import type { CallRefused } from '@shiplog/client';
import { escapeUnsafe } from '@shiplog/text';

/** The exit codes (command.md 1.4). `shiplog run` may also exit with the code of the command that it runs. */
export const exitCodes = { done: 0, no: 1, usage: 2, refused: 3, away: 4 } as const;

/**
 * An error that the user can act on. The message says what happened and what to do, and the process exits with the
 * code.
 */
export class Failure extends Error {
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export function usageFailure(message: string): Failure {
  return new Failure(exitCodes.usage, message);
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error))
    return new Failure(exitCodes.no, `The command failed: ${escapeUnsafe(String(error))}.`);
  if (isRefusal(error)) return refusal(error);
  if (isAway(error)) return away('the service', error);
  const what = escapeUnsafe(`${error.name}: ${error.message}`);
  return new Failure(exitCodes.no, `Internal error (a bug in Shiplog): ${what}. Please report it.`, error);
}

export function away(where: string, error: Error): Failure {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  const why = cause instanceof Error ? (cause.code ?? cause.message) : 'no answer in time';
  const sentence = `Can't reach ${where} (${why}). Check --url or SHIPLOG_URL, and that it is running.`;
  return new Failure(exitCodes.away, sentence, cause);
}

/** The shape of the client's `CallRefused`, so that this module does not load the client. */
type Refusal = Pick<CallRefused, 'status' | 'problem'>;

function isRefusal(error: Error): error is Error & Refusal {
  return 'status' in error && typeof error.status === 'number';
}

export function refusal(error: Refusal): Failure {
  const { status, problem } = error;
  if (status >= 500)
    return new Failure(exitCodes.away, `The service answered ${status}. Try again in a moment.`, error);
  if (status < 400 || problem === undefined) {
    const sentence = `The server answered ${status}, but not as Shiplog does. Check --url or SHIPLOG_URL.`;
    return new Failure(status < 400 ? exitCodes.away : exitCodes.refused, sentence, error);
  }
  const { detail, errors = [] } = problem;
  const lines = errors.map(({ pointer, message }) => `\n  ${escapeUnsafe(`${pointer}: ${message}`)}`);
  const hint = status === 401 ? ' Set SHIPLOG_API_KEY to the API_KEY of the service.' : '';
  const sentence = `The service refused the request (${status}): ${escapeUnsafe(detail)}${hint}${lines.join('')}`;
  return new Failure(exitCodes.refused, sentence, error);
}

export function isAway(error: Error): boolean {
  return error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed');
}
