import type { ChangesHistogram } from '@shiplog/contract';
import { clockName, dayName, startOf } from '../range/calendar.ts';
import { longestMs, type Span } from '../range/range.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The whole local days around a range, divided into equal buckets. */
export interface Strip {
  readonly fromMs: number;
  readonly toMs: number;
  readonly buckets: number;
  /** The selection begins and ends at multiples of this. */
  readonly stepMs: number;
}

/** The maximum number of days for which buckets have this length. */
const lengths: readonly (readonly [days: number, bucketMs: number])[] = [
  [2, 15 * minuteMs],
  [8, hourMs],
  [33, 4 * hourMs],
  [200, dayMs],
];

export function stripOf({ fromMs, toMs }: Pick<Span, 'fromMs' | 'toMs'>): Strip {
  const last = startOf('day', toMs - 1, 1, 'local');
  const first = Math.max(startOf('day', fromMs, 0, 'local'), last - longestMs);
  const days = Math.round((last - first) / dayMs);
  const bucketMs = lengths.find(([max]) => days <= max)?.[1] ?? 2 * dayMs;
  const stepMs = days <= 1 ? 5 * minuteMs : Math.min(bucketMs, hourMs);
  return { fromMs: first, toMs: last, buckets: Math.ceil((last - first) / bucketMs), stepMs };
}

/** A time as a share of the strip, from 0 to 1. */
export function shareOf({ fromMs, toMs }: Strip, ms: number): number {
  return Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));
}

/** The time at a share of the strip, at a step. */
export function timeAt({ fromMs, toMs, stepMs }: Strip, share: number): number {
  const ms = Math.min(1, Math.max(0, share)) * (toMs - fromMs);
  return fromMs + Math.round(ms / stepMs) * stepMs;
}

export interface Bar {
  readonly left: number;
  readonly width: number;
  /** The heights of all changes and of the failed ones, from 0 to 1. */
  readonly height: number;
  readonly failed: number;
  readonly isSelected: boolean;
}

/** The bars of the strip. Each bar with a change is visible, and so is each failure. */
export function barsOf({ buckets }: Pick<ChangesHistogram, 'buckets'>, strip: Strip, selected: Span): Bar[] {
  const counts = buckets.map(({ by_state }) => Object.values(by_state).reduce((sum, count) => sum + count, 0));
  const most = Math.max(1, ...counts);
  const visible = 0.15;
  return buckets.flatMap(({ from, to, by_state }, index) => {
    const count = counts[index] ?? 0;
    if (count === 0) return [];
    const [start, end] = [Date.parse(from), Date.parse(to)];
    const height = Math.max(visible, count / most);
    const failed = by_state.failure === 0 ? 0 : Math.max(visible, (by_state.failure / count) * height);
    const left = shareOf(strip, start);
    const isSelected = start < selected.toMs && end > selected.fromMs;
    return [{ left, width: shareOf(strip, end) - left, height: Math.max(height, failed), failed, isSelected }];
  });
}

/** The labels below the strip: times within two days, else days; at most twelve. */
export function labelsOf(strip: Strip, nowMs: number): { readonly at: number; readonly text: string }[] {
  const { fromMs, toMs } = strip;
  const days = Math.round((toMs - fromMs) / dayMs);
  if (days <= 2) {
    const every = days <= 1 ? 2 : 4;
    const hours = Array.from({ length: (days * 24) / every - 1 }, (_, index) => (index + 1) * every);
    return hours.map((hour) => {
      const day = new Date(fromMs);
      const ms = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour).getTime();
      return { at: shareOf(strip, ms), text: hour % 24 === 0 ? dayName(ms, nowMs) : clockName(ms) };
    });
  }
  const every = Math.ceil(days / 10);
  return Array.from({ length: Math.ceil(days / every) }, (_, index) => {
    const ms = startOf('day', fromMs, index * every, 'local');
    return { at: shareOf(strip, ms), text: dayName(ms, nowMs).replace(/^\w+ /, '') };
  }).slice(1);
}
