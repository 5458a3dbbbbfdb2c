import { ageOf, clockTime, inUtc, isAhead } from '../board/age.ts';
import { Store, useStore } from '../state/store.ts';
import { outage } from './outage.ts';

const everyMs = 5000;
/** How far the service's clock is ahead of this machine's. */
let serverOffsetMs = 0;
/** The time of the service, which the page shows ages by: it ticks for all of them at once. */
export const now = new Store(Date.now());
setInterval(tick, everyMs);

export function setServerClock(offsetMs: number): void {
  serverOffsetMs = offsetMs;
  tick();
}

function tick(): void {
  now.set(Date.now() + serverOffsetMs);
}

interface AgeProps {
  readonly at: string;
  /** Shows the instant itself, or its day. */
  readonly absolute?: boolean | 'day';
}

/** An instant as its age, whole on hover. */
export function Time(props: AgeProps) {
  return <Age {...props} nowMs={useStore(now)} />;
}

/** The same for whoever looks at the clock for many. One that is dated ahead says so, whatever is asked for. */
export function Age({ at, absolute = false, nowMs }: AgeProps & { readonly nowMs: number }) {
  const whole = inUtc(at);
  const atMs = Date.parse(at);
  const ahead = isAhead(atMs, nowMs);
  // While the service does not answer an age would say that nothing has come since.
  const isOut = useStore(outage) !== undefined;
  const age = isOut && !ahead ? clockTime(atMs, nowMs) : ageOf(atMs, nowMs);
  return (
    <time class={ahead ? 'age ahead' : 'age'} dateTime={at} title={whole}>
      {!absolute || ahead ? age : absolute === 'day' ? whole.slice(0, 10) : whole}
    </time>
  );
}
