import { midnight } from '../board/day-time.ts';

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A local time with its day: "Yesterday, 17:05", "19 Nov 2026, 17:05". Seconds are shown unless they are 0. */
export function dayAndTime(instantMs: number, nowMs: number): string {
  return `${near(instantMs, nowMs) ?? dateOf(instantMs)}, ${timeOf(instantMs)}`;
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

export function timeOf(instantMs: number): string {
  const instant = new Date(instantMs);
  const isWhole = instant.getSeconds() === 0;
  return instant.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(isWhole ? {} : { second: '2-digit' }),
  });
}

function near(instantMs: number, nowMs: number): string | undefined {
  const daysAgo = Math.round((midnight(nowMs) - midnight(instantMs)) / 86_400_000);
  return ['Today', 'Yesterday'][daysAgo];
}

function dateOf(instantMs: number): string {
  return new Date(instantMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}
