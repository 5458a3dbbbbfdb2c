import type { AnalyticsKpi } from '@shiplog/contract';
import type { Window } from './analytics-window.ts';

/** How one of the four metrics is reported and classified (reading 5.5). */
interface KpiRule {
  readonly unit: AnalyticsKpi['unit'];
  readonly approximated: boolean;
  readonly classify: (value: number) => AnalyticsKpi['classification'];
  /** The class of a window without values. */
  readonly none: AnalyticsKpi['classification'];
}

function atLeast(...bounds: [elite: number, high: number, medium: number]) {
  return (value: number) => classes[bounds.findIndex((bound) => value >= bound)] ?? 'low';
}

function atMost(...bounds: [elite: number, high: number, medium: number]) {
  return (value: number) => classes[bounds.findIndex((bound) => value <= bound)] ?? 'low';
}

const classes = ['elite', 'high', 'medium'] as const;

const kpiRules = {
  deployment_frequency: { unit: 'per_day', approximated: false, classify: atLeast(1, 1 / 7, 1 / 30), none: 'low' },
  lead_time: { unit: 'hours', approximated: true, classify: atMost(24, 168, 4320), none: 'low' },
  change_failure_rate: { unit: 'ratio', approximated: false, classify: atMost(0.15, 0.3, 0.45), none: 'elite' },
  time_to_restore: { unit: 'minutes', approximated: false, classify: atMost(60, 1440, 10_080), none: 'elite' },
} as const satisfies Record<string, KpiRule>;

export type KpiName = keyof typeof kpiRules;

/** A figure for the window, its halves and each day; `null` if it has no value. */
export interface Figure {
  readonly value: number | null;
  readonly prior: number | null;
  readonly current: number | null;
  readonly byDay: readonly (number | null)[];
}

/** @param none the class of a figure without a value, if it differs from the default. */
export function kpi(
  name: KpiName,
  { value, prior, current, byDay }: Figure,
  none: AnalyticsKpi['classification'] = kpiRules[name].none,
): AnalyticsKpi {
  const { unit, approximated, classify } = kpiRules[name];
  return {
    value,
    unit,
    classification: value === null ? none : classify(value),
    trend_delta: trendDelta(prior, current),
    sparkline: [...byDay],
    approximated,
  };
}

/** See reading 5.6. */
function trendDelta(prior: number | null, current: number | null): number | null {
  return prior === null || current === null || prior === 0 ? null : (current - prior) / prior;
}

/** The terminal rows of one day in one half. */
export interface TerminalCount {
  readonly day: number;
  readonly prior: boolean;
  readonly success: number;
  readonly failure: number;
}

/** failure ÷ (success + failure), `null` without terminal rows. */
export function failureRate(counts: readonly TerminalCount[]): number | null {
  const failure = sum(counts, 'failure');
  const terminal = failure + sum(counts, 'success');
  return terminal === 0 ? null : failure / terminal;
}

/** Terminal rows ÷ days; `null` for zero days. */
export function perDay(counts: readonly TerminalCount[], days: number): number | null {
  return days === 0 ? null : terminalRows(counts) / days;
}

function terminalRows(counts: readonly TerminalCount[]): number {
  return sum(counts, 'success') + sum(counts, 'failure');
}

function sum(counts: readonly TerminalCount[], status: 'success' | 'failure'): number {
  return counts.reduce((total, count) => total + count[status], 0);
}

/** Terminal rows ÷ days. Each half is divided by its own number of days. */
export function frequencyFigure(
  counts: readonly TerminalCount[],
  days: readonly number[],
  window: Pick<Window, 'days' | 'priorDays' | 'currentDays'>,
): Figure {
  const [prior, current] = halvesOf(counts);
  return {
    value: terminalRows(counts) / window.days,
    prior: perDay(prior, window.priorDays),
    current: perDay(current, window.currentDays),
    byDay: days.map((day) => terminalRows(ofDay(counts, day))),
  };
}

/** failure ÷ terminal. A day without terminal rows has the value 0 (aggregation rule 1, reading 5.7). */
export function failureRateFigure(counts: readonly TerminalCount[], days: readonly number[]): Figure {
  const [prior, current] = halvesOf(counts);
  return {
    value: failureRate(counts),
    prior: failureRate(prior),
    current: failureRate(current),
    byDay: days.map((day) => failureRate(ofDay(counts, day)) ?? 0),
  };
}

function halvesOf(counts: readonly TerminalCount[]): [prior: TerminalCount[], current: TerminalCount[]] {
  return [counts.filter(({ prior }) => prior), counts.filter(({ prior }) => !prior)];
}

export function ofDay(counts: readonly TerminalCount[], day: number): TerminalCount[] {
  return counts.filter((count) => count.day === day);
}

/** The medians of all samples, of each half, and of each day with samples. */
export interface Medians {
  readonly value: number | null;
  readonly prior: number | null;
  readonly current: number | null;
  readonly byDay: ReadonlyMap<number, number>;
  /** Whether a sample has no value yet, such as an open incident. */
  readonly isOpen: boolean;
}

export function medianFigure({ value, prior, current, byDay }: Medians, days: readonly number[]): Figure {
  return { value, prior, current, byDay: days.map((day) => byDay.get(day) ?? null) };
}
