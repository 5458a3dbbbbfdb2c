import { inUtc } from '../board/age.ts';
import { dayTime } from '../board/day-time.ts';
import { useStore } from '../state/store.ts';
import { useApp } from './app.ts';

/** A time as its day and local time, or in UTC if the viewer prefers that. */
export function DayTime({ at }: { readonly at: string }) {
  const { connection, preferences } = useApp();
  const nowMs = useStore(connection.now);
  const { absoluteTimes } = useStore(preferences);
  const whole = inUtc(at);
  return (
    <time class="age" dateTime={at} title={whole}>
      {absoluteTimes ? whole : dayTime(Date.parse(at), nowMs)}
    </time>
  );
}
