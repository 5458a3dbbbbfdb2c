import type { Figure } from './figure.ts';

/** One line in a plot: the measured values by position on the horizontal axis. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A figure as a function of a growing quantity, drawn as a plot. */
export interface Curve {
  /** The name of the plot's file, such as `ingest`. */
  readonly name: string;
  readonly title: string;
  readonly x: { readonly label: string; readonly logarithmic?: boolean };
  readonly y: { readonly label: string; readonly logarithmic?: boolean };
  readonly series: readonly Series[];
}

/** What a benchmark has measured. */
export interface Outcome {
  readonly figures: readonly Figure[];
  readonly curves?: readonly Curve[];
}

/** The result of one benchmark in a run. */
export interface Result {
  readonly name: string;
  readonly seconds: number;
  /** Has no figures and curves if the benchmark was skipped or failed. */
  readonly outcome: Outcome;
  /** The missing program if the benchmark was skipped. */
  readonly leftOut?: string;
  /** The error that the benchmark threw, in one line. */
  readonly error?: string;
  /** The goals of the benchmark that have no figure. */
  readonly notMeasured: readonly string[];
}
