/** One measured goal: what was seen in each round, against its yardstick in the same round. */
export interface Figure {
  /** Number of the goal in docs, such as `P1`. */
  readonly goal: string;
  readonly title: string;
  /** What was measured, round by round, in `unit`. */
  readonly measured: readonly number[];
  readonly unit: string;
  /** The yardstick in the same unit, round by round; absent where the goal is a figure of its own. */
  readonly yardstick?: { readonly title: string; readonly measured: readonly number[] };
  /** What to reach, of the ratio where there is a yardstick, else of the figure. */
  readonly reach: { readonly atLeast: number } | { readonly atMost: number };
}

export interface Summary {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return { min: sorted[0] ?? Number.NaN, median: (low + high) / 2, max: sorted.at(-1) ?? Number.NaN };
}

/** The nearest-rank percentile, `share` from 0 to 1. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** What the goal is judged by: the ratio of each round, or the figure itself. */
export function judged(figure: Figure): Summary {
  const { measured, yardstick } = figure;
  if (!yardstick) return summary(measured);
  return summary(measured.map((value, round) => value / (yardstick.measured[round] ?? Number.NaN)));
}

export function isMet(figure: Figure): boolean {
  const { median } = judged(figure);
  return 'atLeast' in figure.reach ? median >= figure.reach.atLeast : median <= figure.reach.atMost;
}

/** A number that was measured, with the digits that mean something. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '—';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}

/** 15,800/s, 1.6 ms. */
export function quantity(amount: string, unit: string): string {
  return unit === '' || unit.startsWith('/') ? amount + unit : `${amount} ${unit}`;
}
