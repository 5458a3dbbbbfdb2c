import { exitCodes, Failure } from './failure.ts';
import { printable } from './printable.ts';

/** What any error of a command means for the one who called it: a sentence, what to do, and the exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return new Failure(exitCodes.no, `The command failed: ${String(error)}.`);
  if (isRefusal(error)) return refusal(error);
  if (isAway(error)) {
    const cause = error.cause instanceof Error ? ` (${codeOf(error.cause)})` : '';
    return new Failure(
      exitCodes.away,
      `The service does not answer${cause}; check --url or SHIPLOG_URL, and whether it runs.`,
      error,
    );
  }
  return new Failure(exitCodes.no, `The command failed, which is a mistake of Shiplog: ${error.stack}`, error);
}

/** An error of the client by its shape, so that the client is loaded only by who calls it. */
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

/** What an answer that is no success means. */
export function refusal(error: Pick<Refusal, 'status' | 'problem'>): Failure {
  const { status, problem } = error;
  if (status >= 500)
    return new Failure(exitCodes.away, `The service answered ${status}; ask again in a moment.`, error);
  if (status < 400 || problem === undefined) {
    const sentence = `What is there answered ${status}, not as Shiplog does; check --url or SHIPLOG_URL.`;
    return new Failure(status < 400 ? exitCodes.away : exitCodes.refused, sentence, error);
  }
  const places =
    problem.errors?.map(({ pointer, message }) => `\n  ${printable(`${pointer}: ${message}`)}`).join('') ?? '';
  const hint = status === 401 ? ' Set SHIPLOG_API_KEY to the API_KEY of the service.' : '';
  return new Failure(
    exitCodes.refused,
    `The service refused (${status}): ${printable(problem.detail)}${hint}${places}`,
    error,
  );
}

function isAway(error: Error): boolean {
  return error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed');
}

function codeOf(cause: Error): string {
  return (cause as NodeJS.ErrnoException).code ?? cause.message;
}
