import { ageOf, inUtc } from './age.ts';
import { Store, useStore } from './store.ts';

const everyMs = 5000;
/** The time that the page shows ages by: it ticks for all of them at once. */
export const now = new Store(Date.now());
setInterval(() => now.set(Date.now()), everyMs);

/** An instant as its age, whole on hover. `absolute` shows the instant itself. */
export function Time({ at, absolute = false }: { readonly at: string; readonly absolute?: boolean }) {
  const nowMs = useStore(now);
  const whole = inUtc(at);
  return (
    <time class="age" dateTime={at} title={whole}>
      {absolute ? whole : ageOf(Date.parse(at), nowMs)}
    </time>
  );
}
