import { daysAgo } from '../board/day-time.ts';
import { clockName } from '../range/calendar.ts';

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A local time with its day: "Yesterday, 17:05", "19 Nov 2026, 17:05". Seconds are shown unless they are 0. */
export function dayAndTime(instantMs: number, nowMs: number): string {
  return `${near(instantMs, nowMs) ?? dateOf(instantMs)}, ${clockName(instantMs - (instantMs % 1000))}`;
}

/** The date, if `dayAndTime` omits it: "19 Nov 2026". */
export function omittedDate(instantMs: number, nowMs: number): string | undefined {
  return near(instantMs, nowMs) && dateOf(instantMs);
}

/** A span in its two largest units: "21 h 27 min", "3 d 2 h", "0 s". */
export function spanText(spanMs: number): string {
  const first = units.findIndex(([unitMs]) => spanMs >= unitMs);
  let left = Math.max(0, spanMs);
  const parts = (first < 0 ? units.slice(-1) : units.slice(first, first + 2)).map(([unitMs, name], index) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return index > 0 && count === 0 ? '' : `${count} ${name}`;
  });
  return parts.join(' ').trim();
}

function near(instantMs: number, nowMs: number): string | undefined {
  return ['Today', 'Yesterday'][daysAgo(instantMs, nowMs)];
}

function dateOf(instantMs: number): string {
  return new Date(instantMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}
