import { retryAfterMs } from './retry-after.ts';

/** A question that is asked again and again. */
export interface AskedAgain {
  /** Asks soon, once for however many calls. */
  again(): void;
  end(): void;
}

/** What comes within so long is one change. */
const settleMs = 1000;

/**
 * Asks at once, whenever it is told to, and at an interval; never twice at a time, and not while the page is hidden,
 * but as soon as it is seen again. A failure changes nothing: a service that has too much to do is asked again when it
 * wants to be, and any other at the next interval. An answer that has an ETag costs a 304 where it is the same: the
 * browser keeps it.
 */
export function askedAgain(ask: (signal: AbortSignal) => Promise<void>, everyMs: number): AskedAgain {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isWanted = false;
  let restsUntil = 0;

  async function now(): Promise<void> {
    clearTimeout(timer);
    if (over.signal.aborted) return;
    if (document.hidden || isAsking) {
      isWanted = true;
      return;
    }
    isWanted = false;
    isAsking = true;
    const restMs = await ask(over.signal).then(() => undefined, retryAfterMs);
    isAsking = false;
    restsUntil = performance.now() + (restMs ?? 0);
    if (!over.signal.aborted) timer = setTimeout(() => void now(), restMs ?? (isWanted ? settleMs : everyMs));
  }

  function again(): void {
    if (isWanted) return;
    isWanted = true;
    if (isAsking) return;
    clearTimeout(timer);
    timer = setTimeout(() => void now(), Math.max(settleMs, restsUntil - performance.now()));
  }

  const seen = () => void (!document.hidden && isWanted && now());
  document.addEventListener('visibilitychange', seen, { signal: over.signal });
  void now();
  return {
    again,
    end: () => {
      over.abort();
      clearTimeout(timer);
    },
  };
}
