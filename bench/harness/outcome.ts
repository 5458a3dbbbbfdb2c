import type { Figure } from './figure.ts';

/** One line of a plot: what was measured at each place of the horizontal axis. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A figure over a quantity that grows, drawn as a plot. */
export interface Curve {
  /** Name of the file that it is drawn into, such as `ingest`. */
  readonly name: string;
  readonly title: string;
  readonly x: { readonly label: string; readonly logarithmic?: boolean };
  readonly y: { readonly label: string; readonly logarithmic?: boolean };
  readonly series: readonly Series[];
}

/** What a benchmark found out. */
export interface Outcome {
  readonly figures: readonly Figure[];
  readonly curves?: readonly Curve[];
}

/** What became of one benchmark of a run. */
export interface Result {
  readonly name: string;
  readonly seconds: number;
  /** Neither figures nor curves where it was left out or failed. */
  readonly outcome: Outcome;
  /** What it lacks on this machine. */
  readonly leftOut?: string;
  /** What it threw, in a line. */
  readonly error?: string;
  /** Its goals without a figure. */
  readonly notMeasured: readonly string[];
}
