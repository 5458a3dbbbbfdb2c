import type { Patterns, Template } from '@shiplog/component';

/** How many services one deployment may have (fetcher §3.4). */
export const servicesMax = 32;

/** A rule of the configuration file (fetcher §3). */
export interface Rule {
  /** By variable; the rule matches where all of them match. */
  readonly match: ReadonlyMap<string, Patterns>;
  readonly drop: boolean;
  /** What is left out is as without a rule. A list gives an event for each of its templates. */
  readonly service?: Template | { readonly each: readonly Template[] };
  readonly environment?: Template;
  readonly version?: Template;
  /** In the file, from 1. */
  readonly line: number;
}
