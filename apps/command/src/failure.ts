import { escapeUnsafe } from '@shiplog/text';

/** Exit codes (command.md 1.4). `shiplog run` may also exit with the code of its command. */
export const exitCodes = { done: 0, no: 1, usage: 2, refused: 3, away: 4 } as const;

/** An error that the user can act on: its message says what happened and what to do; the process ends with its code. */
export class Failure extends Error {
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The command line is invalid. */
export function usageFailure(message: string): Failure {
  return new Failure(exitCodes.usage, message);
}

/** Turns any error into a message for the user and an exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error))
    return new Failure(exitCodes.no, `The command failed: ${escapeUnsafe(String(error))}.`);
  if (isRefusal(error)) return refusal(error);
  if (isAway(error)) return away('the service', error);
  const what = escapeUnsafe(`${error.name}: ${error.message}`);
  return new Failure(exitCodes.no, `Internal error (a bug in Shiplog): ${what}. Please report it.`, error);
}

/** A call without an answer. @param where the service, with its address if known. */
export function away(where: string, error: Error): Failure {
  const why = error.cause instanceof Error ? codeOf(error.cause) : 'no answer in time';
  const sentence = `Can't reach ${where} (${why}). Check --url or SHIPLOG_URL, and that it is running.`;
  return new Failure(exitCodes.away, sentence, error.cause);
}

/** A client error by its shape, so that this module need not load the client. */
interface Refusal extends Error {
  readonly status: number;
  readonly problem?: ProblemText | undefined;
}

interface ProblemText {
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}

function isRefusal(error: Error): error is Refusal {
  return 'status' in error && typeof error.status === 'number';
}

/** The failure for an unsuccessful answer. */
export function refusal(error: Pick<Refusal, 'status' | 'problem'>): Failure {
  const { status, problem } = error;
  if (status >= 500)
    return new Failure(exitCodes.away, `The service answered ${status}. Try again in a moment.`, error);
  if (status < 400 || problem === undefined) {
    const sentence = `The server answered ${status}, but not as Shiplog does. Check --url or SHIPLOG_URL.`;
    return new Failure(status < 400 ? exitCodes.away : exitCodes.refused, sentence, error);
  }
  const places =
    problem.errors?.map(({ pointer, message }) => `\n  ${escapeUnsafe(`${pointer}: ${message}`)}`).join('') ?? '';
  const hint = status === 401 ? ' Set SHIPLOG_API_KEY to the API_KEY of the service.' : '';
  return new Failure(
    exitCodes.refused,
    `The service refused the request (${status}): ${escapeUnsafe(problem.detail)}${hint}${places}`,
    error,
  );
}

export function isAway(error: Error): boolean {
  return error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed');
}

function codeOf(cause: Error): string {
  return (cause as NodeJS.ErrnoException).code ?? cause.message;
}
