import type { AnalyticsKpi } from '@shiplog/contract';
import { figureOf, figureText, type KpiName } from './figures.ts';

type Verdict = 'better' | 'worse';

/** The change of a key from the previous period: "▲ more than 3.8 a day before, better". */
export interface Change {
  /** With its mark; bold if there is a verdict. */
  readonly word: string;
  readonly than: string;
  readonly verdict: Verdict | undefined;
}

const words: Readonly<Record<KpiName, { readonly more: string; readonly less: string; readonly moreIs: Verdict }>> = {
  deployment_frequency: { more: 'more', less: 'fewer', moreIs: 'better' },
  lead_time: { more: 'longer', less: 'shorter', moreIs: 'worse' },
  change_failure_rate: { more: 'more', less: 'fewer', moreIs: 'worse' },
  time_to_restore: { more: 'longer', less: 'shorter', moreIs: 'worse' },
};

/** `undefined` without a comparison. Values with the same text count as unchanged. */
export function changeOf(name: KpiName, { value, previous, unit }: AnalyticsKpi): Change | undefined {
  if (previous === undefined) return undefined;
  if (previous === null) return { word: 'no previous period', than: 'to compare', verdict: undefined };
  const before = figureText(figureOf(previous, unit));
  if (value === null) return { word: before, than: 'before', verdict: undefined };
  if (figureText(figureOf(value, unit)) === before)
    return { word: '■ unchanged', than: 'from before', verdict: undefined };
  const { more, less, moreIs } = words[name];
  const isMore = value > previous;
  const verdict = isMore === (moreIs === 'better') ? 'better' : 'worse';
  return { word: isMore ? `▲ ${more}` : `▼ ${less}`, than: `than ${before} before, ${verdict}`, verdict };
}
