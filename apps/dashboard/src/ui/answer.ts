import { CallRefused } from '@shiplog/client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { retryAfterMs } from '../live/retry-after.ts';
import { useRecoveries } from './rounds.ts';

/** The state of a request to the service. */
export type Answer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly value: Value }
  | { readonly kind: 'failed'; readonly what: string; readonly retry: () => void };

/**
 * Asks whenever one of `about` changes, and again when the service answers again or the log was cleared, and when it had
 * too much to do and the time that it asked for is over; ignores the answers to older requests. The last value stays
 * until the next is here.
 */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  about: readonly unknown[],
): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ kind: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    const over = new AbortController();
    let later: ReturnType<typeof setTimeout> | undefined;
    ask(over.signal).then(
      (value) => over.signal.aborted || setAnswer({ kind: 'here', value }),
      (error) => {
        if (over.signal.aborted) return;
        const waitMs = retryAfterMs(error);
        if (waitMs !== undefined) later = setTimeout(retry, waitMs);
        setAnswer({ kind: 'failed', what: sentenceOf(error, waitMs !== undefined), retry });
      },
    );
    return () => {
      over.abort();
      clearTimeout(later);
    };
    // `about` says what is asked; the function is a new one each time.
  }, [...about, attempt, useRecoveries()]);
  return answer;
}

/** Why a call failed and what to try, for people; of one that is made again without them, just that. */
export function sentenceOf(error: unknown, isAskedAgain = false): string {
  if (error instanceof CallRefused) {
    const said = error.problem?.detail ?? `The service answered ${error.status}.`;
    if (isAskedAgain) return `${said} It is asked again by itself.`;
    return error.status >= 500 ? `${said} Try again in a moment.` : said;
  }
  return 'The service cannot be reached. Is it running, and are you on its network?';
}
