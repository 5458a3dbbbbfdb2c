import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** The event loop is busy when it works for more than this share of the time. */
const busyShare = 0.7;
/** A pause lasts this many times as long as the work before it, up to a bound. */
const pausePerWork = 12;
const pauseMsMax = 200;

/**
 * Makes a function that pauses a long piece of work between two parts, so that shorter work gets its turn. While the
 * event loop is not busy, the pause is one turn of the loop; else it grows with the work since the last pause.
 */
export function pauseWhileBusy(): () => Promise<void> {
  let since = performance.eventLoopUtilization();
  return async () => {
    const { utilization, active } = performance.eventLoopUtilization(since);
    if (utilization > busyShare) await setTimeout(Math.min(pauseMsMax, pausePerWork * active));
    else await setImmediate();
    since = performance.eventLoopUtilization();
  };
}

/** A page is handed out for so long before others have their turn. */
const turnMs = 2;

/**
 * Makes a function that is asked after each part of a piece of work: where the work since the last turn has taken long
 * enough, it gives a turn of the event loop to wait for, else nothing.
 */
export function inTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}

/** A dispatch that takes at least this long is followed by a pause. */
const longDispatchMs = 2;
const pausePerDispatch = 2;
const dispatchPauseMsMax = 40;

/**
 * Pauses after a dispatch to many readers. Its cost is the number of writes, whatever their size, so what comes during
 * the pause is handed out in one write.
 */
export async function pauseAfterDispatch(workedMs: number): Promise<void> {
  if (workedMs >= longDispatchMs) await setTimeout(Math.min(dispatchPauseMsMax, pausePerDispatch * workedMs));
}
