import { ageOf, isInFuture } from '@shiplog/text';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { clockTime, inUtc } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useApp, usePast } from './app.ts';

const IsOut = createContext(false);

/** Reads the outage once for all ages on the page. */
export function AgeProvider({ children }: { readonly children: ComponentChildren }) {
  const isPast = usePast() !== undefined;
  const isOut = useStore(useApp().outage) !== undefined && !isPast;
  return <IsOut.Provider value={isOut}>{children}</IsOut.Provider>;
}

/**
 * Whether times replace ages, because the page is disconnected and an age implies that nothing has happened since. Ages
 * on a past board are relative to its time.
 */
export function useIsOut(): boolean {
  return useContext(IsOut);
}

interface AgeProps {
  readonly at: string;
  /** `true` shows the time instead of its age, `'day'` only the date. */
  readonly absolute?: boolean | 'day';
}

export function Time(props: AgeProps) {
  return <Age {...props} nowMs={useStore(useApp().connection.now)} />;
}

/** An age, for components that read the clock once for many ages. A time in the future is always marked. */
export function Age({ at, absolute = false, nowMs }: AgeProps & { readonly nowMs: number }) {
  const whole = inUtc(at);
  const atMs = Date.parse(at);
  const ahead = isInFuture(atMs, nowMs);
  const age = useIsOut() && !ahead ? clockTime(atMs, nowMs) : ageOf(atMs, nowMs);
  return (
    <time class={ahead ? 'age ahead' : 'age'} dateTime={at} title={whole}>
      {!absolute || ahead ? age : absolute === 'day' ? whole.slice(0, 10) : whole}
    </time>
  );
}
