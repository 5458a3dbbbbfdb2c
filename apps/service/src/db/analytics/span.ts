import type { Window } from '../../domain/analytics-window.ts';

/** The hours of a window as `hourly_counts` numbers them, since 1970. */
export function hoursOf({ from, middle, to }: Window): [from: number, middle: number, to: number] {
  const hourMs = 3_600_000;
  return [from / hourMs, middle / hourMs, to / hourMs];
}

/** The bounds of a window as timestamps. */
export function instantsOf({ from, middle, to }: Window): [from: string, middle: string, to: string] {
  const text = (ms: number) => new Date(ms).toISOString();
  return [text(from), text(middle), text(to)];
}
