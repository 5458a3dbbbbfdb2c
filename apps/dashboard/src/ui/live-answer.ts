import type { DeploymentEvent } from '@shiplog/contract';
import { useEffect, useState } from 'preact/hooks';
import { askedAgain } from '../live/asked-again.ts';
import { retryAfterMs } from '../live/retry-after.ts';
import { endAll } from '../state/store.ts';
import { type Answer, sentenceOf } from './answer.ts';
import { useApp } from './app.ts';

const everyMs = 60_000;

/**
 * Asks whenever one of `about` changes, and again when events come that touch the answer. The last value stays until
 * the next is here, also while the service does not answer.
 */
export function useLiveAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  isTouchedBy: (event: DeploymentEvent) => boolean,
  about: readonly unknown[],
): Answer<Value> {
  const { connection } = useApp();
  const [answer, setAnswer] = useState<Answer<Value>>({ kind: 'waiting' });
  useEffect(() => {
    let isHere = false;
    const fail = (error: unknown) => {
      if (!isHere)
        setAnswer({ kind: 'failed', what: sentenceOf(error, retryAfterMs(error) !== undefined), retry: () => again() });
    };
    const { again, end } = askedAgain(async (signal) => {
      const take = (value: Value) => {
        if (signal.aborted) return;
        isHere = true;
        setAnswer({ kind: 'here', value });
      };
      await ask(signal).then(take, (error) => {
        if (!signal.aborted) fail(error);
        throw error;
      });
    }, everyMs);
    return endAll(
      connection.onEvents((events) => void (events.some(isTouchedBy) && again())),
      connection.onMissed(again),
      connection.onCleared(again),
      end,
    );
    // `about` says what is asked; the functions are new ones each time.
  }, about);
  return answer;
}
