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

const wrongKeyHint =
  ' Set SHIPLOG_API_KEY to a named key of its access file (a new one takes effect within 5 seconds), or to its API_KEY unless the file has shared_key: off.';

/**
 * The response to a call; `undefined` for a 404, which means that the service lacks the endpoint or the requested item.
 */
export async function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && isRefusal(error) && error.status === 404) return undefined;
    throw error;
  }
}

/** @param keyHint what to do about a 401; the default is for a wrong key. */
export function refusal(error: Refusal, keyHint = wrongKeyHint): Failure {
  const { status, problem } = error;
  if (status >= 500) {
    const why = problem?.detail && status === 503 ? `: ${escapeUnsafe(problem.detail)}` : '. Try again in a moment.';
    return new Failure(exitCodes.away, `The service answered ${status}${why}`, error);
  }
  if (status < 400 || problem === undefined) {
    const sentence = `The server answered ${status}, but not in the format of Shiplog. Check --url or SHIPLOG_URL.`;
    return new Failure(status < 400 ? exitCodes.away : exitCodes.refused, sentence, error);
  }
  const { detail, errors = [] } = problem;
  // If there is only one error, the detail may repeat it.
  const isTold = errors.length === 1 && detail.includes(errors[0]?.message ?? '');
  const lines = (isTold ? [] : errors).map(({ pointer, message }) => `\n  ${escapeUnsafe(`${pointer}: ${message}`)}`);
  const isRead = (problem as { asked?: { read?: boolean } }).asked?.read === true;
  const hint = status === 401 ? keyHint : isRead ? ' Set SHIPLOG_API_KEY to a key with read.' : '';
  const tried = triedLines(problem);
  const told = tried.length > 0 ? tried : lines;
  const sentence = `The service refused the request (${status}): ${escapeUnsafe(detail)}${hint}${told.join('')}`;
  return new Failure(exitCodes.refused, sentence, error);
}

export function isAway(error: Error): boolean {
  return error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed');
}

interface TokenRefusal {
  readonly reason?: string;
  readonly tried?: readonly {
    readonly rule: number;
    readonly claim: string | null;
    readonly expected: readonly string[] | null;
    readonly found: string | null;
  }[];
}

/** Why no rule accepted a token: for each rule the first claim that differs (access.md 3.8). */
function triedLines(problem: object): string[] {
  const { reason, tried = [] } = problem as TokenRefusal;
  if (reason !== 'no-rule') return [];
  if (tried.length === 0) return ['\n  The access file has no rule for this issuer.'];
  return tried.map(({ rule, claim, expected, found }) => {
    const needed = expected === null ? '' : `, not ${expected.length === 0 ? 'named' : expected.join(' or ')}`;
    return `\n  ${escapeUnsafe(`rule ${rule}: ${claim} is ${found ?? 'missing'}${needed}`)}`;
  });
}
