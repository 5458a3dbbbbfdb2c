import { type AnalyticsWindow, analyticsWindows } from '@shiplog/contract';

export const granularities = ['day', 'hour'] as const;
type Granularity = (typeof granularities)[number];

export interface AnalyticsSettings {
  readonly granularity: Granularity;
  /** The environments that deployments are promoted through, as configured; the last one is production. */
  readonly promotionOrder: readonly string[];
}

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/**
 * A time span, `from` inclusive, `to` exclusive (readings 5.1 and 5.2). Numbers are milliseconds since 1970, rounded
 * outwards.
 */
export interface Window {
  readonly days: number;
  readonly from: number;
  readonly to: number;
  /** The same times to the microsecond, RFC 3339 in UTC. */
  readonly fromInstant: string;
  readonly toInstant: string;
  /** End of the prior half: the first floor(days / 2) × 24 h (reading 5.6). */
  readonly middle: number;
  readonly priorDays: number;
  readonly currentDays: number;
  readonly retentionDays: number;
  readonly clamped: boolean;
}

/** The time of a question, and how far back the log reaches. */
export interface RequestTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly granularity: Granularity;
  readonly retentionDays: number;
}

/**
 * The requested window. It ends at the start of the current day (or hour), so an answer stays the same all day if the
 * log does. An unknown name counts as the first one.
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

/** The window as answers show it; for a period, with the part that the log covers. */
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

/** The UTC days that a window touches, ascending, as days since 1970 (reading 5.4). */
export function daysOf({ from, to }: Window): number[] {
  const first = Math.floor(from / dayMs);
  return Array.from({ length: Math.ceil(to / dayMs) - first }, (_, index) => first + index);
}

/** YYYY-MM-DD of a day since 1970. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
