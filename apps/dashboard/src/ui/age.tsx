import { ageOf, clockTime, inUtc, isInFuture } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useApp } from './app.ts';

interface AgeProps {
  readonly at: string;
  /** Shows the instant itself, or its day. */
  readonly absolute?: boolean | 'day';
}

/** An instant as its age, whole on hover. */
export function Time(props: AgeProps) {
  return <Age {...props} nowMs={useStore(useApp().connection.now)} />;
}

/** The same for components that read the clock once for many ages. An instant that is dated ahead always says so. */
export function Age({ at, absolute = false, nowMs }: AgeProps & { readonly nowMs: number }) {
  const whole = inUtc(at);
  const atMs = Date.parse(at);
  const ahead = isInFuture(atMs, nowMs);
  // While the service does not answer, an age would claim that nothing has happened since.
  const { outage, past } = useApp();
  // An age in a past board counts from its instant, whatever has happened since.
  const isOut = useStore(outage) !== undefined && past.value.shown === undefined;
  const age = isOut && !ahead ? clockTime(atMs, nowMs) : ageOf(atMs, nowMs);
  return (
    <time class={ahead ? 'age ahead' : 'age'} dateTime={at} title={whole}>
      {!absolute || ahead ? age : absolute === 'day' ? whole.slice(0, 10) : whole}
    </time>
  );
}
