import type { AnalyticsKpi, AnalyticsWindow, DoraReport } from '@shiplog/contract';

export type KpiName = Exclude<keyof DoraReport, 'window' | 'scope'>;

/** A number and its unit, apart, since they are shown in two sizes. */
export interface Figure {
  readonly number: string;
  readonly unit: string;
}

/** A number as short as it stays meaningful: "0.14", "6.5", "142", "1,204". */
export function numberText(value: number): string {
  const size = Math.abs(value);
  const precision = size < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: size < 100 ? 1 : 0 };
  return new Intl.NumberFormat('en', precision).format(value);
}

/** A ratio as a percentage: 0.125 is "12.5 %". */
export function percentText(ratio: number): string {
  return `${numberText(ratio * 100)} %`;
}

/** A span in the largest unit that leaves a number of at least one (days from two on). */
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

/** The value of a KPI for people; its unit on the wire is one of four (readings 5.5). */
export function figureOf(value: number, unit: AnalyticsKpi['unit']): Figure {
  if (unit === 'per_day') return { number: numberText(value), unit: 'a day' };
  if (unit === 'ratio') return { number: numberText(value * 100), unit: '%' };
  return spanOf(unit === 'hours' ? value * 60 : value);
}

/** A key by the days that the log covers, where these are not all of its period: what is divided by days is divided by them. */
export function coveredKpi(kpi: AnalyticsKpi, { days, covered_days }: AnalyticsWindow): AnalyticsKpi | undefined {
  const { per_covered_day } = kpi;
  return per_covered_day === undefined || covered_days === days ? undefined : { ...kpi, value: per_covered_day };
}

/** DORA's class of a key; none of a figure that nothing was counted for, although the service classes those, too (readings 5.5). */
export function levelOf({ value, unit, classification }: AnalyticsKpi): AnalyticsKpi['classification'] | undefined {
  const isBare = value === null || (unit === 'per_day' && value === 0);
  return isBare ? undefined : classification;
}

/** Why a key has no value. With an open incident, the service classes the time to restore as low. */
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
    says: (where) => `Deployments that ended ${where}, a day.`,
    classes: 'elite from 1 a day, high from 1 a week, medium from 1 in 30 days',
  },
  lead_time: {
    title: 'Lead time',
    inWords: (production) => `How long to ${production}`,
    says: (_, production) => `Middle time from a release’s first event to ${production}.`,
    classes: 'elite up to 1 day, high up to 7 days, medium up to 180 days',
  },
  change_failure_rate: {
    title: 'Change failure rate',
    inWords: () => 'How many failed',
    says: (where) => `Failures among what ended ${where}.`,
    classes: 'elite up to 15 %, high up to 30 %, medium up to 45 %',
  },
  time_to_restore: {
    title: 'Time to restore',
    inWords: () => 'How long to repair',
    says: (where) => `Middle time from a failure ${where} to the next success there.`,
    classes: 'elite up to 1 hour, high up to 1 day, medium up to 7 days',
  },
};

interface KpiText {
  /** What DORA calls it. */
  readonly title: string;
  /** The same in plain words. */
  readonly inWords: (production: string) => string;
  /** Of "in prod", and of how production is called. */
  readonly says: (where: string, production: string) => string;
  readonly classes: string;
}
