import type { Context } from '../context.ts';
import { exitCodes, failureOf } from '../failure.ts';

const [firstRetryMs, retryMsMax] = [1000, 30_000];

/**
 * Repeats a read while the service is unavailable, and prints a note each time. @throws the reason of the signal, or
 * Failure if the service refuses.
 */
export async function patiently<Result>(
  { out, clock }: Pick<Context, 'out' | 'clock'>,
  signal: AbortSignal,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMsMax, 2 * retryMs)) {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error);
      if (failure.code !== exitCodes.away) throw failure;
      out.note(`${failure.message} Retrying in ${retryMs / 1000} s.`);
      await clock.sleep(retryMs, signal);
    }
  }
}
