import { useEffect, useState } from 'preact/hooks';

/**
 * Runs the work repeatedly, one run at a time. The work returns the milliseconds until its next run. Call the returned
 * function to run the work immediately. Several calls during a run cause only one more run.
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

/** Re-renders the component at each interval, so that ages stay correct. */
export function useTick(everyMs: number): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
