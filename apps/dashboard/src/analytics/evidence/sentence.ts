import { type EvidenceFigure, type EvidenceItem, type EvidenceReport, stageStatuses } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { statusLabel } from '../../ui/status.tsx';
import { figureOf, figureText, kpiTexts, numberText, percentText, spanText } from '../figures.ts';

type Percentiles = { readonly p50: number | null; readonly p95: number | null };

/** How a figure is called, and what it is and is not; `production` is how that is called. */
export function figureWords(
  figure: EvidenceFigure,
  production: string,
): { readonly title: string; readonly says: string } {
  const { title, says } = words[figure];
  return { title: title ?? keyTitle(figure, production), says: says(production) };
}

function keyTitle(figure: EvidenceFigure, production: string): string {
  return figure in kpiTexts ? kpiTexts[figure as keyof typeof kpiTexts].title(production) : figure;
}

interface FigureWords {
  /** That of the key where it is one. */
  readonly title?: string;
  readonly says: (production: string) => string;
}

const words: Readonly<Record<EvidenceFigure, FigureWords>> = {
  deployment_frequency: {
    says: () => 'Each success and each failure is one; a deployment that is run again counts again.',
  },
  lead_time: {
    says: (production) =>
      `A time runs from the first event of a chain of promotions to its success in ${production}. It does not start at the commit, which the log does not know.`,
  },
  change_failure_rate: {
    says: () =>
      'A deployment that succeeded and then broke something is not among the failures: the log does not know.',
  },
  time_to_restore: {
    says: () => 'A time runs from the first failure of a service in an environment to its next success there.',
  },
  durations: {
    title: 'Durations',
    says: () => 'A time runs from the first event of a deployment to its last.',
  },
  promotion_funnel: {
    title: 'Promotion',
    says: () => 'A deployment counts once in each stage of the ladder in which it has an event, whatever its status.',
  },
  incidents: {
    title: 'Incidents',
    says: () =>
      'An incident begins with a failure of a service in an environment, and ends with its next success there.',
  },
  stages: {
    title: 'Where the time goes',
    says: () => 'A status lasts from its first event to the next event of another status.',
  },
  rollbacks: {
    title: 'Rollbacks',
    says: () =>
      'A success with another release than the one before it, which ran there earlier. Versions tell it, not intent.',
  },
  rework: {
    title: 'Reworked',
    says: () => 'A success that is a rollback, or that comes within 24 hours after a failure with no success between.',
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
    if (typeof value !== 'number') return 'Nothing ended, so no share of it failed.';
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
  if (count === 0) return 'There is no time to take the middle of.';
  if (count === 1) return `The one time: ${result}.`;
  const half = Math.floor(count / 2);
  const place =
    count % 2 === 1 ? `the ${ordinal(half + 1)}` : `between the ${ordinal(half)} and the ${ordinal(half + 1)}`;
  return `The middle of ${count} times, ${place} when sorted: ${result}.`;
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

/** Whether an item is of what happened in its place, whose history tells it, rather than of one deployment. */
export function isOfSlot(figure: EvidenceFigure): boolean {
  return ['time_to_restore', 'incidents', 'rollbacks', 'rework'].includes(figure);
}
