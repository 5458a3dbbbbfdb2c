import { CallRefused } from '@shiplog/client';
import { useCallback, useEffect, useState } from 'preact/hooks';

/** The state of a request to the service. */
export type Answer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly value: Value }
  | { readonly kind: 'failed'; readonly what: string; readonly retry: () => void };

/** Asks whenever one of `about` changes, and ignores the answers to older requests. The last value stays until the next is here. */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  about: readonly unknown[],
): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ kind: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    const over = new AbortController();
    ask(over.signal).then(
      (value) => over.signal.aborted || setAnswer({ kind: 'here', value }),
      (error) => over.signal.aborted || setAnswer({ kind: 'failed', what: sentenceOf(error), retry }),
    );
    return () => over.abort();
    // `about` says what is asked; the function is a new one each time.
  }, [...about, attempt]);
  return answer;
}

/** Why a call failed and what to try, for people. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CallRefused) {
    const said = error.problem?.detail ?? `The service answered ${error.status}.`;
    return error.status >= 500 ? `${said} Try again in a moment.` : said;
  }
  return 'The service cannot be reached. Is it running, and are you on its network?';
}
