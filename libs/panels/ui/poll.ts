import { useEffect, useState } from 'preact/hooks';

/**
 * Runs the work again and again, one at a time; the work returns the milliseconds until the next run. The function
 * returned requests a run at once; requesting often costs one run more.
 */
export function poll(work: () => Promise<number>): () => void {
  let timer = setTimeout(run);
  let isBusy = false;
  let isRequested = false;

  async function run() {
    isBusy = true;
    isRequested = false;
    const waitMs = await work();
    isBusy = false;
    timer = setTimeout(run, isRequested ? 200 : waitMs);
  }

  return () => {
    if (!isRequested && !isBusy) {
      clearTimeout(timer);
      timer = setTimeout(run);
    }
    isRequested = true;
  };
}

/** Draws the component again at each interval, so that ages stay right. */
export function useTick(everyMs: number): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
