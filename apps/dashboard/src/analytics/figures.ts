import type { AnalyticsKpi, DoraReport, OutageFigure } from '@shiplog/contract';

export type KeyName = Exclude<keyof DoraReport, 'window' | 'scope'>;

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
  return { number: numberText(minutes / 60 / 24), unit: 'd' };
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

type Class = AnalyticsKpi['classification'];

const frequencyBounds: readonly (readonly [Class, perDay: number])[] = [
  ['elite', 1],
  ['high', 1 / 7],
  ['medium', 1 / 30],
];

/** A key as the page shows it: if the log covers only a part of the period, the frequency is that of this part. */
export function shownKey(kpi: AnalyticsKpi): AnalyticsKpi {
  const { per_covered_day: perDay } = kpi;
  if (perDay === undefined || perDay === null || perDay === kpi.value) return kpi;
  const [classification = 'low'] = frequencyBounds.find(([, bound]) => perDay >= bound) ?? [];
  return { ...kpi, value: perDay, classification };
}

/** Fewer deployments say too little for a performance class. */
const deploymentsMin = 10;

/** The number of deployments that ended in the period. */
export function endedIn({ deployment_frequency: { sparkline } }: DoraReport): number {
  return sparkline.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

export function tooFewText(ended: number): string | undefined {
  return ended < deploymentsMin ? `too few to classify (${ended})` : undefined;
}

/** "Elite"; `undefined` if nothing was counted. The service sends a class even then (readings 5.5). */
export function classText({ value, unit, classification }: AnalyticsKpi): string | undefined {
  const isBare = value === null || (unit === 'per_day' && value === 0);
  return isBare ? undefined : `${classification.charAt(0).toUpperCase()}${classification.slice(1)}`;
}

/** Why a key has no value. The service classes the time to restore as low while a failure is open. */
export function absenceOf(name: KeyName, { classification }: AnalyticsKpi): string {
  if (name === 'change_failure_rate') return 'nothing ended';
  if (name === 'lead_time') return 'no lead time known';
  return classification === 'low' ? 'not restored yet' : 'nothing failed';
}

/** The title of each key, the bounds of its DORA classes (readings 5.5 and 5.8), and what its evidence counts. */
export const keyTexts: Readonly<Record<KeyName, { title: string; classes: string; counts: string }>> = {
  deployment_frequency: {
    title: 'Deployment frequency',
    classes: 'Elite from 1 a day, High from 1 a week, Medium from 1 in 30 days',
    counts: 'events',
  },
  lead_time: {
    title: 'Lead time',
    classes: 'Elite up to 1 day, High up to 7 days, Medium up to 180 days',
    counts: 'successes',
  },
  change_failure_rate: {
    title: 'Change failure rate',
    classes: 'Elite up to 15 %, High up to 30 %, Medium up to 45 %',
    counts: 'events',
  },
  time_to_restore: {
    title: 'Time to restore',
    classes: 'Elite up to 1 hour, High up to 1 day, Medium up to 7 days',
    counts: 'failures',
  },
};
export const keyNames = Object.keys(keyTexts) as KeyName[];

/** The title of each figure about outages, what it measures, why it may have no value, and what its evidence counts. */
export const outageTexts: Readonly<
  Record<OutageFigure, { title: string; says: string; absence: string; counts: string }>
> = {
  change_failure_rate_observed: {
    title: 'Changes that broke something',
    says: 'Successful deployments in production that caused an outage, were rolled back or were marked as bad.',
    absence: 'nothing succeeded',
    counts: 'successes',
  },
  time_to_restore_observed: {
    title: 'Length of outages',
    says: 'Median time that the outages of the period were open.',
    absence: 'no outage is over',
    counts: 'outages',
  },
  time_to_detect: {
    title: 'Time to detect',
    says: 'Median time from the deployment that caused an outage to its beginning.',
    absence: 'no cause is named',
    counts: 'outages',
  },
};
