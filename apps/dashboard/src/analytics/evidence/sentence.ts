import { type AnyEvidenceItem, type AnyEvidenceReport, type FailureRule, stageStatuses } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { statusLabel } from '../../ui/status.tsx';
import { figureOf, figureText, numberText, percentText, spanText } from '../figures.ts';

/** Explains how a figure follows from the counted items. */
export type Formula = (report: AnyEvidenceReport) => string;
type Percentiles = { readonly p50: number | null; readonly p95: number | null };

/** "26.4 h"; empty if the figure isn't one number. */
export function valueText(report: AnyEvidenceReport): string {
  const { value, unit } = report;
  const covered = perCoveredDay(report);
  if (covered !== undefined) return figureText(figureOf(covered, 'per_day'));
  if (value === null) return 'none';
  if (typeof value !== 'number') return '';
  return unit === 'count' ? numberText(value) : figureText(figureOf(value, unit));
}

/** The frequency of the covered days, if the log covers only a part of the period. */
function perCoveredDay({ figure, counted, window: { days, covered_days } }: AnyEvidenceReport): number | undefined {
  const isPart = figure === 'deployment_frequency' && covered_days !== undefined && covered_days !== days;
  return isPart && covered_days > 0 ? counted / covered_days : undefined;
}

export const perDay: Formula = (report) => {
  const { days, covered_days = days } = report.window;
  const ended = `${pluralize(report.counted, 'deployment')} that ended`;
  if (perCoveredDay(report) === undefined) return `${ended} ÷ ${pluralize(days, 'day')} = ${valueText(report)}.`;
  const ofAll = figureText(figureOf(report.counted / days, 'per_day'));
  return `${ended} ÷ ${pluralize(covered_days, 'covered day')} = ${valueText(report)}. Over all ${days} days: ${ofAll}.`;
};

export const failureRate: Formula = (report) =>
  typeof report.value === 'number'
    ? `${failedOf(report)} failed ÷ ${report.counted} that ended = ${percentText(report.value)}.`
    : 'Nothing ended, so there is no failure rate.';

/** The number of failures in the change failure rate; 0 for other figures. */
export function failedOf({ figure, value, counted }: AnyEvidenceReport): number {
  return figure === 'change_failure_rate' && typeof value === 'number' ? Math.round(value * counted) : 0;
}

export const median: Formula = (report) => {
  const { counted: count } = report;
  const result = valueText(report);
  if (count === 0) return 'No times to take a median of.';
  if (count === 1) return `The only time: ${result}.`;
  const half = Math.floor(count / 2);
  const position =
    count % 2 === 1 ? `the ${ordinal(half + 1)}` : `between the ${ordinal(half)} and the ${ordinal(half + 1)}`;
  return `The median of ${count} times, ${position} when sorted: ${result}.`;
};

export const percentiles: Formula = ({ counted, value }) =>
  `Of ${pluralize(counted, 'time')}, ${percentileText(value as Percentiles)}.`;

export const percentilesByStatus: Formula = ({ value }) => {
  const parts = value as Readonly<Record<string, Percentiles>>;
  return `${stageStatuses.map((status) => `${statusLabel(status)}: ${percentileText(parts[status])}`).join('; ')}.`;
};

export const countsByStage: Formula = ({ value }) => {
  const stages = Object.entries(value as Readonly<Record<string, number>>);
  return `Different deployments: ${stages.map(([stage, number]) => `${number} in ${stage}`).join(', ')}.`;
};

export const shareOfSuccesses: Formula = ({ counted, left_out }) => {
  const all = left_out.reduce((sum, { count }) => sum + count, counted);
  return `${counted} of ${all} ${all === 1 ? 'success' : 'successes'}.`;
};

export const asReported: Formula = ({ formula }) => `${formula}.`;

function ordinal(position: number): string {
  const isTeen = Math.floor(position / 10) % 10 === 1;
  const ending = isTeen ? undefined : ['st', 'nd', 'rd'][(position % 10) - 1];
  return `${position}${ending ?? 'th'}`;
}

function percentileText(value: Percentiles | undefined): string {
  if (!value || value.p50 === null || value.p95 === null) return 'none';
  return `half within ${spanText(value.p50)}, 95 % within ${spanText(value.p95)}`;
}

const ruleWords: Readonly<Record<FailureRule, string>> = {
  named: 'caused an outage',
  'rolled-back': 'rolled back',
  'marked-bad': 'marked as bad',
  suspected: 'suspected',
};

/** What an item adds to its figure; empty if all items add the same amount or the item's status shows it. */
export function itemText(
  { value, counted, reason, status, rule }: AnyEvidenceItem,
  times?: 'hours' | 'minutes',
): string {
  if (reason === 'open' && counted) return 'open';
  if (rule) return value === 1 ? ruleWords[rule] : 'only suspected';
  if (value === null || !times) return '';
  const span = spanText(times === 'hours' ? value * 60 : value);
  return status === undefined ? span : `${statusLabel(status)} ${span}`;
}
