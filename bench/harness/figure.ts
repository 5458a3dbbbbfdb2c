/** A figure with a goal: its value per round, and the reference value (the yardstick) in the same rounds. */
export interface Figure {
  /** Number of the goal in docs, such as `P1`. */
  readonly goal: string;
  readonly title: string;
  /** The measured values per round, in `unit`. */
  readonly measured: readonly number[];
  readonly unit: string;
  /** The yardstick per round in the same unit; absent if the goal is an absolute figure. */
  readonly yardstick?: { readonly title: string; readonly measured: readonly number[] };
  /** The goal: for the ratio if there is a yardstick, otherwise for the figure. */
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

/** The nearest-rank percentile. `share` is from 0 to 1. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The values that the goal applies to: the ratio of each round, or the figure itself. */
export function judged(figure: Figure): Summary {
  const { measured, yardstick } = figure;
  if (!yardstick) return summary(measured);
  return summary(measured.map((value, round) => value / (yardstick.measured[round] ?? Number.NaN)));
}

export function isMet(figure: Figure): boolean {
  const { median } = judged(figure);
  return 'atLeast' in figure.reach ? median >= figure.reach.atLeast : median <= figure.reach.atMost;
}

/** A measured number, rounded to its significant digits. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '—';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}

/** A value with its unit, such as 15,800/s or 1.6 ms. */
export function quantity(amount: string, unit: string): string {
  return unit === '' || unit.startsWith('/') ? amount + unit : `${amount} ${unit}`;
}
