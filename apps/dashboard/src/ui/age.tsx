import { ageOf, isInFuture } from '@shiplog/text';
import { clockTime, inUtc } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useApp } from './app.ts';

interface AgeProps {
  readonly at: string;
  /** Shows the time itself, or its day. */
  readonly absolute?: boolean | 'day';
}

export function Time(props: AgeProps) {
  return <Age {...props} nowMs={useStore(useApp().connection.now)} />;
}

/** For components that read the clock once for many ages. A time in the future is always marked. */
export function Age({ at, absolute = false, nowMs }: AgeProps & { readonly nowMs: number }) {
  const whole = inUtc(at);
  const atMs = Date.parse(at);
  const ahead = isInFuture(atMs, nowMs);
  // During an outage, an age would claim that nothing has happened since.
  const { outage, past } = useApp();
  // Ages on a past board are relative to its time, so an outage doesn't affect them.
  const isOut = useStore(outage) !== undefined && past.value.shown === undefined;
  const age = isOut && !ahead ? clockTime(atMs, nowMs) : ageOf(atMs, nowMs);
  return (
    <time class={ahead ? 'age ahead' : 'age'} dateTime={at} title={whole}>
      {!absolute || ahead ? age : absolute === 'day' ? whole.slice(0, 10) : whole}
    </time>
  );
}
