import {
  byCodePoint,
  type incidentSeverities,
  limits,
  type StabilityReport,
  type Status,
  stageStatuses,
  statuses,
} from '@shiplog/contract';
import { dateOf, daysOf, type Window } from './analytics-window.ts';
import {
  failureRate,
  failureRateFigure,
  frequencyFigure,
  kpi,
  type Medians,
  medianFigure,
  ofDay,
  perDay,
  type TerminalCount,
} from './kpi.ts';

/** The analytics results without the window, computed from the database's counts (readings 5). */

interface DoraRows {
  readonly terminal: readonly TerminalCount[];
  readonly lead: Medians;
  readonly restore: Medians;
}

/** @param coveredDays for a period; `undefined` for a window. */
export function doraAnswer({ terminal, lead, restore }: DoraRows, window: Window, coveredDays?: number) {
  const days = daysOf(window);
  const frequency = kpi('deployment_frequency', frequencyFigure(terminal, days, window));
  const covered = coveredDays === undefined ? {} : { per_covered_day: perDay(terminal, coveredDays) };
  return {
    deployment_frequency: { ...frequency, ...covered },
    lead_time: kpi('lead_time', medianFigure(lead, days)),
    change_failure_rate: kpi('change_failure_rate', failureRateFigure(terminal, days)),
    // The class is elite if there are no incidents, and low if one is still open (reading 5.5).
    time_to_restore: kpi('time_to_restore', medianFigure(restore, days), restore.isOpen ? 'low' : 'elite'),
  };
}

/**
 * Metrics, each with its value for the previous window; `null` if rows in that window may have been pruned.
 */
export function comparedAnswer<Kpis extends { readonly [Name in keyof Kpis]: { readonly value: number | null } }>(
  answer: Kpis,
  previous: Kpis | null,
): Kpis {
  const names = Object.keys(answer) as (keyof Kpis)[];
  const compared = names.map((name) => [name, { ...answer[name], previous: previous ? previous[name].value : null }]);
  return Object.fromEntries(compared);
}

export function frequencyAnswer(terminal: readonly TerminalCount[], window: Window) {
  const total = (day: number, status: 'success' | 'failure') =>
    ofDay(terminal, day).reduce((sum, count) => sum + count[status], 0);
  const bucketOf = (day: number) => ({ success: total(day, 'success'), failure: total(day, 'failure') });
  return { buckets: daysOf(window).map((day) => ({ date: dateOf(day), ...bucketOf(day) })) };
}

export function failureRateAnswer(terminal: readonly TerminalCount[], window: Window) {
  const rateOf = (day: number) => failureRate(ofDay(terminal, day)) ?? 0;
  const buckets = daysOf(window).map((day) => ({ date: dateOf(day), rate: rateOf(day) }));
  return { buckets, elite_threshold: limits.eliteChangeFailureRate };
}

export interface Durations {
  /** The count for each of `durationBins`. */
  readonly counts: readonly number[];
  /** Minutes; `null` if no deployment has two rows. */
  readonly p50: number | null;
  readonly p95: number | null;
}

export function durationsAnswer({ counts, p50, p95 }: Durations) {
  const bins = durationBins.map((bin, index) => ({ ...bin, count: counts[index] ?? 0 }));
  return { bins, p50, p95, p50_minutes: p50, p95_minutes: p95 };
}

export function statusesAnswer(counts: readonly { readonly status: Status; readonly count: number }[]) {
  const countOf = (status: Status) => counts.find((counted) => counted.status === status)?.count ?? 0;
  return { statuses: statuses.map((status) => ({ status, count: countOf(status) })) };
}

export interface StabilityCounts {
  readonly rollbacks: number;
  readonly rework: number;
  readonly successes: number;
  /** The ten slots with the most rework. */
  readonly worst: StabilityReport['slots'];
}

/** The rates are shares of the successes (questions.md 6 and 12.6). */
export function stabilityAnswer({ rollbacks, rework, successes, worst }: StabilityCounts) {
  const perSuccess = (count: number) => ({ count, rate: successes === 0 ? null : count / successes });
  return { rollbacks: perSuccess(rollbacks), rework: perSuccess(rework), slots: worst, approximated: true as const };
}

export function incidentsAnswer<Incident extends { readonly duration_minutes: number | null }>(
  incidents: readonly Incident[],
) {
  return { incidents: incidents.map((incident) => ({ ...incident, severity: severity(incident.duration_minutes) })) };
}

/** Figures about one status in one slot, or in all slots if service and environment are `null`. */
export interface StageFigures {
  readonly service: string | null;
  readonly environment: string | null;
  readonly status: StageStatus;
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly total_minutes: number;
}

type StageStatus = (typeof stageStatuses)[number];

const slowestMax = 10;
const slowestSamplesMin = 3;

export function stagesAnswer(figures: readonly StageFigures[]) {
  const inAll = figures.filter(({ service }) => service === null);
  const slowest = figures
    .flatMap(({ service, environment, status, count, p50, p95 }) =>
      service === null || environment === null || count < slowestSamplesMin
        ? []
        : [{ service, environment, status, count, p50, p95 }],
    )
    .sort(
      (one, other) =>
        other.p95 - one.p95 ||
        byCodePoint(one.service, other.service) ||
        byCodePoint(one.environment, other.environment) ||
        stageStatuses.indexOf(one.status) - stageStatuses.indexOf(other.status),
    )
    .slice(0, slowestMax);
  return { stages: stageStatuses.map((status) => stageOf(status, inAll)), slowest };
}

function stageOf(status: StageStatus, figures: readonly StageFigures[]) {
  const none = { count: 0, p50: null, p95: null, total_minutes: 0 };
  const { count, p50, p95, total_minutes } = figures.find((one) => one.status === status) ?? none;
  return { status, count, p50, p95, total_minutes };
}

/** The bins of the duration histogram in minutes; lower bound inclusive, upper exclusive (reading 5.10). */
export const durationBins = [
  { label: '0-10', lower_minutes: 0, upper_minutes: 10 },
  { label: '10-20', lower_minutes: 10, upper_minutes: 20 },
  { label: '20-30', lower_minutes: 20, upper_minutes: 30 },
  { label: '30-60', lower_minutes: 30, upper_minutes: 60 },
  { label: '60-120', lower_minutes: 60, upper_minutes: 120 },
  { label: '120+', lower_minutes: 120, upper_minutes: null },
] as const;

/** The severity by duration. An open incident is critical (reading 5.12). */
export function severity(durationMinutes: number | null): (typeof incidentSeverities)[number] {
  if (durationMinutes === null) return 'critical';
  if (durationMinutes <= 60) return 'low';
  if (durationMinutes <= 240) return 'medium';
  return durationMinutes <= 1440 ? 'high' : 'critical';
}
