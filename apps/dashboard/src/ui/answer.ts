import { CallRefused } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../live/connection.ts';
import { type RequestOptions, retryAfterMs, startRequest } from '../live/request.ts';
import { endAll } from '../state/store.ts';
import { useApp } from './app.ts';

export type Answer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly value: Value }
  | { readonly kind: 'failed'; readonly what: string; readonly retry: () => void };

export interface AnswerOptions extends RequestOptions {
  /** Whether an event may change the response. If so, the request is repeated. */
  readonly touchedBy?: (event: DeploymentEvent) => boolean;
}

/** How often to repeat the request, in case `touchedBy` misses an event that changes the response. */
const liveEveryMs = 60_000;

/**
 * Sends a request when a value in `about` changes, when an event may change the response, and after the pause that an
 * overloaded service requests. Keeps the last value until the next one arrives. Reports a failure unless the same
 * request succeeded before.
 */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  about: readonly unknown[],
  { touchedBy, everyMs = touchedBy && liveEveryMs, settleMs }: AnswerOptions = {},
): Answer<Value> {
  const { connection } = useApp();
  const [answer, setAnswer] = useState<Answer<Value>>({ kind: 'waiting' });
  const answered = useRef<string | undefined>(undefined);
  useEffect(() => {
    const question = JSON.stringify(about);
    const attempt = async (signal: AbortSignal) => {
      try {
        const value = await ask(signal);
        if (signal.aborted) return;
        answered.current = question;
        setAnswer({ kind: 'here', value });
      } catch (error) {
        const isKnown = answered.current === question;
        if (!signal.aborted && !isKnown) {
          setAnswer({ kind: 'failed', what: failureText(error, retryAfterMs(error) !== undefined), retry });
        }
        throw error;
      }
    };
    const { changed, retry, end } = startRequest(attempt, { everyMs, settleMs });
    if (!touchedBy) return endAll(onRecovered(connection, retry), end);
    return endAll(
      connection.onEvents((events) => void (events.some(touchedBy) && changed())),
      connection.onMissed(changed),
      connection.onRemoved(changed),
      connection.onCleared(changed),
      end,
    );
    // Only `about` identifies the request, because each render creates new functions.
  }, about);
  return answer;
}

/** The loaded pages of a list; `first` describes the whole list. */
export interface Pages<Page> {
  readonly first: Page;
  readonly pages: readonly Page[];
  /** The cursor of the next page; `null` on the last page. */
  readonly next: string | null;
  /** Why the last page failed to load. */
  readonly fault: string | undefined;
}

/** A list that loads more pages on demand. When its first page changes, the list starts over. */
export function usePages<Page extends { readonly next_cursor: string | null }>(
  ask: (from: string | undefined, signal?: AbortSignal) => Promise<Page>,
  about: readonly unknown[],
  options?: AnswerOptions,
): { readonly answer: Answer<Pages<Page>>; readonly askMore: () => Promise<void> } {
  const [loaded, setLoaded] = useState<Pages<Page>>();
  const answer = useAnswer((signal) => ask(undefined, signal), about, options);
  if (answer.kind !== 'here') return { answer, askMore: async () => undefined };
  const first = answer.value;
  const value = loaded?.first === first ? loaded : { first, pages: [first], next: first.next_cursor, fault: undefined };
  const askMore = async () => {
    if (value.next === null) return;
    setLoaded(
      await ask(value.next).then(
        (page) => ({ first, pages: [...value.pages, page], next: page.next_cursor, fault: undefined }),
        (error) => ({ ...value, fault: failureText(error) }),
      ),
    );
  };
  return { answer: { kind: 'here', value }, askMore };
}

/** Why a call failed and what to do; `isRetried` = the call is repeated automatically. */
export function failureText(error: unknown, isRetried = false): string {
  if (error instanceof CallRefused) {
    const detail = error.problem?.detail ?? `The service answered ${error.status}.`;
    if (isRetried) return `${detail} Retrying automatically.`;
    return error.status >= 500 ? `${detail} Try again in a moment.` : detail;
  }
  return "Can't reach the service. Check that it is running and that you are on its network.";
}

/** Calls the listener when earlier responses may be wrong: after an outage, or after the log was cleared. */
function onRecovered(connection: Connection, listener: () => void): () => void {
  const { link } = connection;
  const isAwayNow = () => link.value.link === 'away' || link.value.link === 'polling';
  let isAway = isAwayNow();
  const check = () => {
    if (isAway && link.value.link === 'live') listener();
    isAway = isAwayNow();
  };
  return endAll(link.listen(check), connection.onCleared(listener));
}

/** A number that grows each time the service is back after an outage or the log was cleared. */
export function useRecoveries(): number {
  const { connection } = useApp();
  const [count, setCount] = useState(0);
  useEffect(() => onRecovered(connection, () => setCount((before) => before + 1)), [connection]);
  return count;
}

/** As `useRecoveries`, but the number also grows at an interval while the page is visible. */
export function useRounds(everyMs: number): number {
  const recoveries = useRecoveries();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRound((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return round + recoveries;
}
