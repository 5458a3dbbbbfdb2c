import {
  type EvidenceReason,
  type EvidenceReport,
  evidenceReasons,
  type OutageReason,
  outageReasons,
  stageStatuses,
} from '@shiplog/contract';

/** The counted items of a status or stage, or of all items if `part` is `null`. */
export interface Part {
  readonly part: string | null;
  readonly count: number;
  /** Percentiles of their values; `null` without values. */
  readonly p50: number | null;
  readonly p95: number | null;
}

/** The number of counted items, or of items left out for a reason. */
export interface Tally {
  readonly counted: boolean;
  readonly reason: EvidenceReason | OutageReason | null;
  readonly count: number;
}

/** The totals of all items of a figure. Parts and reasons without items are absent. */
export interface EvidenceTotals {
  readonly parts: readonly Part[];
  readonly tallies: readonly Tally[];
}

interface RuleInput {
  /** The number of days by which rates are divided. */
  readonly days: number;
  /** The stages of the promotion order that the response includes. */
  readonly stages: readonly string[];
}

/** How a figure is computed from its items, and how its formula is shown with numbers. */
export interface EvidenceRule {
  readonly unit: EvidenceReport['unit'];
  readonly value: (totals: EvidenceTotals, request: RuleInput) => EvidenceReport['value'];
  readonly formula: (totals: EvidenceTotals, request: RuleInput) => string;
}

/** The median of all counted values. */
export function median(unit: 'hours' | 'minutes', one: string, many: string): EvidenceRule {
  return {
    unit,
    value: (totals) => partOf(totals, null).p50,
    formula: (totals) => {
      const { count, p50 } = partOf(totals, null);
      return `median of ${pluralize(count, one, many)} = ${p50 === null ? 'none' : `${rounded(p50)} ${unit}`}`;
    },
  };
}

/** The share of counted successes among all. */
export function shareOfSuccesses(name: string): EvidenceRule {
  return {
    unit: 'count',
    value: countedOf,
    formula: (totals) => {
      const all = totals.tallies.reduce((sum, { count }) => sum + count, 0);
      return `${name}: ${countedOf(totals)} of ${pluralize(all, 'success', 'successes')}`;
    },
  };
}

/** The median and the 95th percentile of all counted values, in minutes. */
export function percentiles(one: string, many: string): EvidenceRule {
  return {
    unit: 'minutes',
    value: (totals) => percentilesOf(partOf(totals, null)),
    formula: (totals) => {
      const all = partOf(totals, null);
      return `p50 and p95 of ${pluralize(all.count, one, many)} = ${percentilesText(all)}`;
    },
  };
}

/** The same percentiles for each non-final status. */
export function percentilesByStatus(one: string, many: string): EvidenceRule {
  return {
    unit: 'minutes',
    value: (totals) =>
      Object.fromEntries(stageStatuses.map((status) => [status, percentilesOf(partOf(totals, status))])),
    formula: (totals) =>
      stageStatuses
        .map((status) => {
          const part = partOf(totals, status);
          return `p50 and p95 of ${pluralize(part.count, one, many)} of ${status} = ${percentilesText(part)}`;
        })
        .join('; '),
  };
}

export const frequencyRule: EvidenceRule = {
  unit: 'per_day',
  value: (totals, { days }) => countedOf(totals) / days,
  formula: (totals, { days }) => {
    const rows = pluralize(countedOf(totals), 'row', 'rows');
    const perDay = rounded(countedOf(totals) / days);
    return `${rows} with success or failure ÷ ${pluralize(days, 'day', 'days')} = ${perDay} per day`;
  },
};

export const failureRateRule: EvidenceRule = {
  unit: 'ratio',
  value: failureRate,
  formula: (totals) => {
    const failures = pluralize(partOf(totals, 'failure').count, 'failure', 'failures');
    const successes = pluralize(partOf(totals, 'success').count, 'success', 'successes');
    return `${failures} ÷ (${successes} + ${failures}) = ${rounded(failureRate(totals))}`;
  },
};

/** All successes in production are counted; the part `failed` has those that failed. */
export const observedRateRule: EvidenceRule = {
  unit: 'ratio',
  value: observedRate,
  formula: (totals) => {
    const { count } = partOf(totals, 'failed');
    const successes = pluralize(countedOf(totals), 'success', 'successes');
    return `${count} failed ÷ ${successes} in production = ${rounded(observedRate(totals))}`;
  },
};

export const funnelRule: EvidenceRule = {
  unit: 'count',
  value: (totals, { stages }) => Object.fromEntries(stages.map((stage) => [stage, partOf(totals, stage).count])),
  formula: (totals, { stages }) => {
    const counts = stages.map((stage) => `${partOf(totals, stage).count} in ${stage}`);
    return counts.length === 0 ? 'no stage is in scope' : `different deployments: ${counts.join(', ')}`;
  },
};

export const incidentsRule: EvidenceRule = {
  unit: 'count',
  value: countedOf,
  formula: (totals) => {
    const open = totals.tallies.find(({ counted, reason }) => counted && reason === 'open')?.count ?? 0;
    const all = countedOf(totals);
    return `${all - open} restored + ${open} open = ${pluralize(all, 'incident', 'incidents')}`;
  },
};

/**
 * Computes the figure from its items: value, unit, formula, and how many items are counted or left out (questions.md
 * 4).
 */
export function figureOf({ unit, value, formula }: EvidenceRule, totals: EvidenceTotals, request: RuleInput) {
  const leftOut = totals.tallies.filter(({ counted }) => !counted);
  return {
    value: value(totals, request),
    unit,
    formula: formula(totals, request),
    counted: countedOf(totals),
    left_out: [...evidenceReasons, ...outageReasons].flatMap((reason) =>
      leftOut.filter((tally) => tally.reason === reason && tally.count > 0).map(({ count }) => ({ reason, count })),
    ),
  };
}

function countedOf({ tallies }: EvidenceTotals): number {
  return tallies.reduce((sum, { counted, count }) => (counted ? sum + count : sum), 0);
}

function failureRate(totals: EvidenceTotals): number | null {
  const all = countedOf(totals);
  return all === 0 ? null : partOf(totals, 'failure').count / all;
}

function observedRate(totals: EvidenceTotals): number | null {
  const all = countedOf(totals);
  return all === 0 ? null : partOf(totals, 'failed').count / all;
}

function partOf({ parts }: EvidenceTotals, name: string | null): Part {
  return parts.find(({ part }) => part === name) ?? { part: name, count: 0, p50: null, p95: null };
}

function percentilesOf({ p50, p95 }: Part) {
  return { p50, p95 };
}

function percentilesText({ p50, p95 }: Part): string {
  return p50 === null ? 'none' : `${rounded(p50)} and ${rounded(p95)} minutes`;
}

function pluralize(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Rounds to three decimals for display. */
function rounded(value: number | null): string {
  return value === null ? 'none' : String(Math.round(value * 1000) / 1000);
}
