import { type AnalyticsWindow, analyticsWindows } from '@shiplog/contract';
import type { Stage } from '@shiplog/text';

export const granularities = ['day', 'hour'] as const;
type Granularity = (typeof granularities)[number];

export interface AnalyticsSettings {
  readonly granularity: Granularity;
  /** The stages that deployments are promoted through; the last one is production. */
  readonly promotionOrder: readonly Stage[];
}

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/**
 * A time span from `from` (inclusive) to `to` (exclusive) (readings 5.1 and 5.2). Numbers are milliseconds since the
 * Unix epoch; `from` is rounded down and `to` is rounded up.
 */
export interface Window {
  readonly days: number;
  readonly from: number;
  readonly to: number;
  /** The same times with microsecond precision, RFC 3339 in UTC. */
  readonly fromInstant: string;
  readonly toInstant: string;
  /** The end of the prior half, which is the first floor(days / 2) × 24 h (reading 5.6). */
  readonly middle: number;
  readonly priorDays: number;
  readonly currentDays: number;
  readonly retentionDays: number;
  readonly clamped: boolean;
}

/** The time of a request, and how far back the log goes. */
export interface RequestTime {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly granularity: Granularity;
  readonly retentionDays: number;
}

/**
 * The requested window. It ends at the start of the current day (or hour), so the result stays the same all day if the
 * log doesn't change. An unknown name counts as the first window.
 */
export function analyticsWindow(asked: string | readonly string[] | undefined, at: RequestTime): Window {
  const requested = Number.parseInt(analyticsWindows.find((known) => known === asked) ?? analyticsWindows[0], 10);
  const days = Math.min(requested, at.retentionDays);
  const unitMs = at.granularity === 'day' ? dayMs : hourMs;
  const to = Math.floor(at.now / unitMs) * unitMs;
  const from = to - days * dayMs;
  const priorDays = Math.floor(days / 2);
  return {
    days,
    from,
    to,
    fromInstant: instant(from),
    toInstant: instant(to),
    middle: from + priorDays * dayMs,
    priorDays,
    currentDays: days - priorDays,
    retentionDays: at.retentionDays,
    clamped: days < requested,
  };
}

/** The window as it appears in responses. For a period, includes the part that the log covers. */
export function windowShape(
  { days, fromInstant: from, toInstant: to, retentionDays: retention_days, clamped }: Window,
  coverage?: { readonly from: string; readonly days: number },
): AnalyticsWindow {
  const covered = coverage && { covered_from: coverage.from, covered_days: coverage.days };
  return { days, from, to, retention_days, clamped, ...covered };
}

/** RFC 3339 in UTC. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The UTC days that a window overlaps, ascending, as days since the Unix epoch (reading 5.4). */
export function daysOf({ from, to }: Window): number[] {
  const first = Math.floor(from / dayMs);
  return Array.from({ length: Math.ceil(to / dayMs) - first }, (_, index) => first + index);
}

/** Formats a day since the Unix epoch as YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
