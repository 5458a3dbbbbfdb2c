import type { AnalyticsKpi, DoraReport } from '@shiplog/contract';

export type KpiName = Exclude<keyof DoraReport, 'window' | 'scope'>;
export type Class = AnalyticsKpi['classification'];

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

const looks: Readonly<Record<KpiName, { readonly more: string; readonly less: string; readonly moreIs: Verdict }>> = {
  deployment_frequency: { more: 'more', less: 'fewer', moreIs: 'better' },
  lead_time: { more: 'longer', less: 'shorter', moreIs: 'worse' },
  change_failure_rate: { more: 'higher', less: 'lower', moreIs: 'worse' },
  time_to_restore: { more: 'longer', less: 'shorter', moreIs: 'worse' },
};

type Verdict = 'better' | 'worse';

export interface Trend {
  readonly text: string;
  /** Whether it is good news; `undefined` where nothing can be said. */
  readonly verdict: Verdict | undefined;
}

/** How a KPI moved from the first half of the period to the second; `delta` is (second − first) ÷ first (readings 5.6). */
export function trendOf(name: KpiName, delta: number | null): Trend {
  if (delta === null) return { text: 'no trend', verdict: undefined };
  const percent = Math.round(Math.abs(delta) * 100);
  if (percent === 0) return { text: '■ as in the half before', verdict: undefined };
  const { more, less, moreIs } = looks[name];
  const isMore = delta > 0;
  const verdict = isMore === (moreIs === 'better') ? 'better' : 'worse';
  const change = `${numberText(percent)} % ${isMore ? more : less}`;
  return { text: `${isMore ? '▲' : '▼'} ${change} than in the half before: ${verdict}`, verdict };
}

/** The name of a KPI, what is counted, and where its classes end (readings 5.5 and 5.8). */
export const kpiTexts: Readonly<
  Record<KpiName, { readonly title: string; readonly says: string; readonly classes: string }>
> = {
  deployment_frequency: {
    title: 'Deployment frequency',
    says: 'Rows that ended in success or failure, a day.',
    classes: 'elite from 1 a day, high from 1 a week, medium from 1 in 30 days',
  },
  lead_time: {
    title: 'Lead time',
    says: 'Median from the first row of a promotion chain to its row in production. It is no commit-to-production time.',
    classes: 'elite up to 1 day, high up to 7 days, medium up to 180 days',
  },
  change_failure_rate: {
    title: 'Change failure rate',
    says: 'Failures among the rows that ended in success or failure.',
    classes: 'elite up to 15 %, high up to 30 %, medium below 100 %',
  },
  time_to_restore: {
    title: 'Time to restore',
    says: 'Median from the failure of a slot to its next success. Open incidents are left out.',
    classes: 'elite up to 1 hour, high up to 1 day, medium up to 7 days',
  },
};
