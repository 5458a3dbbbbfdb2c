import { type AnalyticsWindow, analyticsWindows } from '@shiplog/contract';

export const granularities = ['day', 'hour'] as const;
export type Granularity = (typeof granularities)[number];

export interface AnalyticsSettings {
  readonly granularity: Granularity;
  /** The environments that deployments are promoted through, as configured; the last one is production. */
  readonly ladder: readonly string[];
}

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A span of whole hours, `from` inclusive, `to` exclusive (readings 5.1 and 5.2). Times are milliseconds since 1970. */
export interface Window {
  readonly days: number;
  readonly from: number;
  readonly to: number;
  /** Where the prior half ends: the first floor(days / 2) × 24 h (reading 5.6). */
  readonly middle: number;
  readonly priorDays: number;
  readonly currentDays: number;
  readonly retentionDays: number;
  readonly clamped: boolean;
}

/**
 * The window that a request asks for. It ends where the current day (or hour) began, so an answer is the same all day
 * as long as the log is. Anything but a known name counts as the first.
 */
export function analyticsWindow(
  asked: string | readonly string[] | undefined,
  at: { readonly now: number; readonly granularity: Granularity; readonly retentionDays: number },
): Window {
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
    middle: from + priorDays * dayMs,
    priorDays,
    currentDays: days - priorDays,
    retentionDays: at.retentionDays,
    clamped: days < requested,
  };
}

/** The window as every answer embeds it. */
export function windowShape({ days, from, to, retentionDays, clamped }: Window): AnalyticsWindow {
  return { days, from: instant(from), to: instant(to), retention_days: retentionDays, clamped };
}

function instant(ms: number): string {
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
