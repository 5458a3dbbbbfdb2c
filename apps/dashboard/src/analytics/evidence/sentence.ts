import { type EvidenceFigure, type EvidenceItem, type EvidenceReport, stageStatuses } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { statusLabel } from '../../ui/status.tsx';
import { figureOf, figureText, kpiTexts, numberText, percentText, spanText } from '../figures.ts';

type Percentiles = { readonly p50: number | null; readonly p95: number | null };

/** The title of a figure and what it means; `production` is the name of that environment. */
export function figureWords(
  figure: EvidenceFigure,
  production: string,
): { readonly title: string; readonly says: string } {
  const { title, says } = words[figure];
  return { title: title ?? keyTitle(figure), says: says(production) };
}

function keyTitle(figure: EvidenceFigure): string {
  return figure in kpiTexts ? kpiTexts[figure as keyof typeof kpiTexts].title : figure;
}

interface FigureWords {
  /** That of the key where it is one. */
  readonly title?: string;
  readonly says: (production: string) => string;
}

const words: Readonly<Record<EvidenceFigure, FigureWords>> = {
  deployment_frequency: {
    says: () => 'Each success and each failure counts once; a deployment that is run again counts again.',
  },
  lead_time: {
    says: (production) =>
      `Time from the first event of a chain of promotions to its success in ${production}. It does not start at the commit, because commit times are not in the log.`,
  },
  change_failure_rate: {
    says: () =>
      'A deployment that succeeded and broke something later does not count as a failure: the log can’t know.',
  },
  time_to_restore: {
    says: () => 'Time from a service’s first failure in an environment to its next success there.',
  },
  durations: {
    title: 'Durations',
    says: () => 'Time from a deployment’s first event to its last.',
  },
  promotion_funnel: {
    title: 'Promotion',
    says: () =>
      'A deployment counts once in each stage of the promotion order that it has an event in, whatever its status.',
  },
  incidents: {
    title: 'Incidents',
    says: () => 'An incident begins with a service’s failure in an environment and ends with its next success there.',
  },
  stages: {
    title: 'Time in each status',
    says: () => 'A status lasts from its first event to the next event of another status.',
  },
  rollbacks: {
    title: 'Rollbacks',
    says: () => 'A success that brings back a release that ran there earlier. Derived from versions, not from intent.',
  },
  rework: {
    title: 'Reworked',
    says: () => 'A success that is a rollback, or that follows a failure within 24 hours.',
  },
};

/** The figure as people read it: "26.4 h"; empty where it is not one number. */
export function valueText({ value, unit }: Pick<EvidenceReport, 'value' | 'unit'>): string {
  if (value === null) return 'none';
  if (typeof value !== 'number') return '';
  return unit === 'count' ? numberText(value) : figureText(figureOf(value, unit));
}

/** How the figure follows from what is counted, with the numbers in it. */
export function formulaSentence(report: EvidenceReport): string {
  const { figure, value, counted: count, left_out, window } = report;
  const result = valueText(report);
  if (figure === 'deployment_frequency') {
    return `${pluralize(count, 'deployment')} that ended ÷ ${pluralize(window.days, 'day')} = ${result}.`;
  }
  if (figure === 'change_failure_rate') {
    if (typeof value !== 'number') return 'Nothing ended, so there is no failure rate.';
    return `${failedOf(report)} failed ÷ ${count} that ended = ${percentText(value)}.`;
  }
  if (figure === 'lead_time' || figure === 'time_to_restore') return middleSentence(count, result);
  if (figure === 'durations') return `Of ${pluralize(count, 'time')}, ${percentileText(value as Percentiles)}.`;
  if (figure === 'stages') {
    const parts = value as Readonly<Record<string, Percentiles>>;
    return `${stageStatuses.map((status) => `${statusLabel(status)}: ${percentileText(parts[status])}`).join('; ')}.`;
  }
  if (figure === 'promotion_funnel') {
    const stages = Object.entries(value as Readonly<Record<string, number>>);
    return `Different deployments: ${stages.map(([stage, number]) => `${number} in ${stage}`).join(', ')}.`;
  }
  if (figure === 'incidents') return `${report.formula}.`;
  const all = left_out.reduce((sum, one) => sum + one.count, count);
  return `${count} of ${all} ${all === 1 ? 'success' : 'successes'}.`;
}

/** How many failed of those that a share of failures counts; 0 of other figures. */
export function failedOf({ figure, value, counted: count }: EvidenceReport): number {
  return figure === 'change_failure_rate' && typeof value === 'number' ? Math.round(value * count) : 0;
}

function middleSentence(count: number, result: string): string {
  if (count === 0) return 'No times to take a median of.';
  if (count === 1) return `The only time: ${result}.`;
  const half = Math.floor(count / 2);
  const place =
    count % 2 === 1 ? `the ${ordinal(half + 1)}` : `between the ${ordinal(half)} and the ${ordinal(half + 1)}`;
  return `The median of ${count} times, ${place} when sorted: ${result}.`;
}

/** "1st", "12th", "22nd". */
function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  const ending = isTeen ? undefined : ['st', 'nd', 'rd'][(place % 10) - 1];
  return `${place}${ending ?? 'th'}`;
}

function percentileText(percentiles: Percentiles | undefined): string {
  if (!percentiles || percentiles.p50 === null || percentiles.p95 === null) return 'none';
  return `half within ${spanText(percentiles.p50)}, 95 % within ${spanText(percentiles.p95)}`;
}

/** What an item adds to its figure; empty where every one adds the same, or its status tells it. */
export function itemText(figure: EvidenceFigure, { value, counted: isCounted, reason, status }: EvidenceItem): string {
  if (reason === 'open' && isCounted) return 'open';
  if (value === null || !isTimed(figure)) return '';
  const span = spanText(figure === 'lead_time' ? value * 60 : value);
  return status === undefined ? span : `${statusLabel(status)} ${span}`;
}

/** Whether the items of a figure have times, which are hours of a lead time, else minutes. */
export function isTimed(figure: EvidenceFigure): boolean {
  return ['lead_time', 'time_to_restore', 'durations', 'incidents', 'stages'].includes(figure);
}

/** Whether an item concerns a slot and its history rather than one deployment. */
export function isOfSlot(figure: EvidenceFigure): boolean {
  return ['time_to_restore', 'incidents', 'rollbacks', 'rework'].includes(figure);
}
