import {
  type EvidenceFigure,
  type EvidenceReason,
  type EvidenceReport,
  evidenceReasons,
  stageStatuses,
} from '@shiplog/contract';

/** The counted items of a status or stage; of all, where the figure is not told by those and `part` is `null`. */
export interface Part {
  readonly part: string | null;
  readonly count: number;
  /** Of the values of these items; `null` where none has any. */
  readonly p50: number | null;
  readonly p95: number | null;
}

/** How many items are counted, or left out, for a reason. */
export interface Tally {
  readonly counted: boolean;
  readonly reason: EvidenceReason | null;
  readonly count: number;
}

/** What all items of a figure come to. A part and a reason that no item has are absent. */
export interface EvidenceTotals {
  readonly parts: readonly Part[];
  readonly tallies: readonly Tally[];
}

interface Asked {
  /** What rates divide by. */
  readonly days: number;
  /** Of the ladder, as far as they are in the answer. */
  readonly stages: readonly string[];
}

/** How a figure is made of its items, and the sentence that says so with the numbers in it. */
interface Rule {
  readonly unit: EvidenceReport['unit'];
  readonly value: (totals: EvidenceTotals, asked: Asked) => EvidenceReport['value'];
  readonly formula: (totals: EvidenceTotals, asked: Asked) => string;
}

/** The middle of the values of all counted items. */
function median(unit: 'hours' | 'minutes', one: string, many: string): Rule {
  return {
    unit,
    value: (totals) => partOf(totals, null).p50,
    formula: (totals) => {
      const { count, p50 } = partOf(totals, null);
      return `median of ${numbered(count, one, many)} = ${p50 === null ? 'none' : `${rounded(p50)} ${unit}`}`;
    },
  };
}

/** How many of the successes are counted. */
function amongSuccesses(name: string): Rule {
  return {
    unit: 'count',
    value: countedOf,
    formula: (totals) => {
      const all = totals.tallies.reduce((sum, { count }) => sum + count, 0);
      return `${name}: ${countedOf(totals)} of ${numbered(all, 'success', 'successes')}`;
    },
  };
}

const rules: { readonly [Figure in EvidenceFigure]: Rule } = {
  deployment_frequency: {
    unit: 'per_day',
    value: (totals, { days }) => countedOf(totals) / days,
    formula: (totals, { days }) => {
      const rows = numbered(countedOf(totals), 'row', 'rows');
      const perDay = rounded(countedOf(totals) / days);
      return `${rows} with success or failure ÷ ${numbered(days, 'day', 'days')} = ${perDay} per day`;
    },
  },
  lead_time: median('hours', 'lead time', 'lead times'),
  change_failure_rate: {
    unit: 'ratio',
    value: failureRate,
    formula: (totals) => {
      const failures = numbered(partOf(totals, 'failure').count, 'failure', 'failures');
      const successes = numbered(partOf(totals, 'success').count, 'success', 'successes');
      return `${failures} ÷ (${successes} + ${failures}) = ${rounded(failureRate(totals))}`;
    },
  },
  time_to_restore: median('minutes', 'restored incident', 'restored incidents'),
  durations: {
    unit: 'minutes',
    value: (totals) => percentilesOf(partOf(totals, null)),
    formula: (totals) => {
      const all = partOf(totals, null);
      return `p50 and p95 of ${numbered(all.count, 'duration', 'durations')} = ${percentilesText(all)}`;
    },
  },
  promotion_funnel: {
    unit: 'count',
    value: (totals, { stages }) => Object.fromEntries(stages.map((stage) => [stage, partOf(totals, stage).count])),
    formula: (totals, { stages }) => {
      const counts = stages.map((stage) => `${partOf(totals, stage).count} in ${stage}`);
      return counts.length === 0 ? 'no stage is in scope' : `different deployments: ${counts.join(', ')}`;
    },
  },
  incidents: {
    unit: 'count',
    value: countedOf,
    formula: (totals) => {
      const open = totals.tallies.find(({ counted, reason }) => counted && reason === 'open')?.count ?? 0;
      const all = countedOf(totals);
      return `${all - open} restored + ${open} open = ${numbered(all, 'incident', 'incidents')}`;
    },
  },
  stages: {
    unit: 'minutes',
    value: (totals) =>
      Object.fromEntries(stageStatuses.map((status) => [status, percentilesOf(partOf(totals, status))])),
    formula: (totals) =>
      stageStatuses
        .map((status) => {
          const part = partOf(totals, status);
          return `p50 and p95 of ${numbered(part.count, 'run', 'runs')} of ${status} = ${percentilesText(part)}`;
        })
        .join('; '),
  },
  rollbacks: amongSuccesses('rollbacks'),
  rework: amongSuccesses('rework'),
};

/** The figure as its items make it: value, unit, formula, and how many of them are counted or left out (questions.md 4). */
export function figureOf(figure: EvidenceFigure, totals: EvidenceTotals, asked: Asked) {
  const { unit, value, formula } = rules[figure];
  const leftOut = totals.tallies.filter(({ counted }) => !counted);
  return {
    figure,
    value: value(totals, asked),
    unit,
    formula: formula(totals, asked),
    counted: countedOf(totals),
    left_out: evidenceReasons.flatMap((reason) =>
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

function partOf({ parts }: EvidenceTotals, name: string | null): Part {
  return parts.find(({ part }) => part === name) ?? { part: name, count: 0, p50: null, p95: null };
}

function percentilesOf({ p50, p95 }: Part) {
  return { p50, p95 };
}

function percentilesText({ p50, p95 }: Part): string {
  return p50 === null ? 'none' : `${rounded(p50)} and ${rounded(p95)} minutes`;
}

function numbered(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Three decimals, for people. */
function rounded(value: number | null): string {
  return value === null ? 'none' : String(Math.round(value * 1000) / 1000);
}
