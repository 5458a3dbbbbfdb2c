import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Above this share of its time at work, the loop has no time to spare. */
const busyShare = 0.7;
/** So many times as long as the work since the last breath took, at most, others have the loop to themselves. */
const breathsPerWork = 12;
const breathMsMax = 200;

/**
 * Lets the rest of the process breathe between two pieces of work: not at all while the loop has time to spare, and for
 * so many times as long as the last piece took where it has not.
 */
export function breathing(): () => Promise<void> {
  let since = performance.eventLoopUtilization();
  return async () => {
    const { utilization, active } = performance.eventLoopUtilization(since);
    if (utilization > busyShare) await setTimeout(Math.min(breathMsMax, breathsPerWork * active));
    else await setImmediate();
    since = performance.eventLoopUtilization();
  };
}

/** A dispatch that takes at least this long is followed by a pause of so many times as long, up to a bound. */
const dispatchMs = 2;
const breathsPerDispatch = 2;
const dispatchBreathMsMax = 40;

/**
 * With many live readers, handing out is most of a process's work, and it is by writes, however much each of them holds:
 * what comes during the pause is handed out in one write.
 */
export async function breathAfter(tookMs: number): Promise<void> {
  if (tookMs >= dispatchMs) await setTimeout(Math.min(dispatchBreathMsMax, breathsPerDispatch * tookMs));
}
