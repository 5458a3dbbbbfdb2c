import type { AnalyticsKpi, AnalyticsWindow, DoraReport } from '@shiplog/contract';

export type KpiName = Exclude<keyof DoraReport, 'window' | 'scope'>;

/** The number and its unit are separate because the page shows them in two sizes. */
export interface Figure {
  readonly number: string;
  readonly unit: string;
}

/** A short number: "0.14", "6.5", "142", "1,204". */
export function numberText(value: number): string {
  const size = Math.abs(value);
  const precision = size < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: size < 100 ? 1 : 0 };
  return new Intl.NumberFormat('en', precision).format(value);
}

/** A ratio as a percentage: 0.125 is "12.5 %". */
export function percentText(ratio: number): string {
  return `${numberText(ratio * 100)} %`;
}

/** A duration in the largest unit with a value of at least 1; in days only from two days on. */
export function spanOf(minutes: number): Figure {
  if (minutes < 60) return { number: numberText(minutes), unit: 'min' };
  if (minutes < 48 * 60) return { number: numberText(minutes / 60), unit: 'h' };
  return { number: numberText(minutes / 60 / 24), unit: 'days' };
}

export function spanText(minutes: number): string {
  return figureText(spanOf(minutes));
}

export function figureText({ number, unit }: Figure): string {
  return `${number} ${unit}`;
}

/** Converts a value from one of the four units of the API (readings 5.5). */
export function figureOf(value: number, unit: AnalyticsKpi['unit']): Figure {
  if (unit === 'per_day') return { number: numberText(value), unit: 'a day' };
  if (unit === 'ratio') return { number: numberText(value * 100), unit: '%' };
  return spanOf(unit === 'hours' ? value * 60 : value);
}

/** The key per covered day, if the log covers only some days of the period. */
export function coveredKpi(kpi: AnalyticsKpi, { days, covered_days }: AnalyticsWindow): AnalyticsKpi | undefined {
  const { per_covered_day } = kpi;
  return per_covered_day === undefined || covered_days === days ? undefined : { ...kpi, value: per_covered_day };
}

/** The DORA class; `undefined` if nothing was counted. The service sends a class even then (readings 5.5). */
export function levelOf({ value, unit, classification }: AnalyticsKpi): AnalyticsKpi['classification'] | undefined {
  const isBare = value === null || (unit === 'per_day' && value === 0);
  return isBare ? undefined : classification;
}

/** Why a key has no value. The service classes the time to restore as low while an incident is open. */
export function absenceOf(name: KpiName, { classification }: AnalyticsKpi): string {
  if (name === 'change_failure_rate') return 'nothing ended';
  if (name === 'lead_time') return 'no lead time known';
  return classification === 'low' ? 'not restored yet' : 'nothing failed';
}

/** The title of each key, the question it answers, and the bounds of its DORA classes (readings 5.5 and 5.8). */
export const kpiTexts: Readonly<Record<KpiName, KpiText>> = {
  deployment_frequency: {
    title: 'Deployment frequency',
    inWords: () => 'How often',
    says: (where) => `Deployments per day that ended ${where}.`,
    classes: 'elite from 1 a day, high from 1 a week, medium from 1 in 30 days',
  },
  lead_time: {
    title: 'Lead time',
    inWords: (production) => `How long to ${production}`,
    says: (_, production) => `Median time from a release’s first event to ${production}.`,
    classes: 'elite up to 1 day, high up to 7 days, medium up to 180 days',
  },
  change_failure_rate: {
    title: 'Change failure rate',
    inWords: () => 'How many failed',
    says: (where) => `Failures among the deployments that ended ${where}.`,
    classes: 'elite up to 15 %, high up to 30 %, medium up to 45 %',
  },
  time_to_restore: {
    title: 'Time to restore',
    inWords: () => 'How long to repair',
    says: (where) => `Median time from a failure ${where} to the next success there.`,
    classes: 'elite up to 1 hour, high up to 1 day, medium up to 7 days',
  },
};

interface KpiText {
  /** The name that DORA uses. */
  readonly title: string;
  readonly inWords: (production: string) => string;
  /** `where` is a phrase such as "in prod". */
  readonly says: (where: string, production: string) => string;
  readonly classes: string;
}
