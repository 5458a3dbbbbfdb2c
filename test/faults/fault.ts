import type { Dice } from '@shiplog/testing/random';
import type { Instance } from './instance.ts';
import type { System } from './system.ts';

/** A kind of fault. */
export interface Fault {
  /** The name of the fault in the report. */
  readonly kind: string;
  /** Injects the fault. */
  readonly begin: (system: System, dice: Dice) => Promise<Broken>;
}

/** A fault in progress. */
export interface Broken {
  /** The duration of the fault. */
  readonly holdMs: number;
  /** Instances that can't reach their database at any time during the fault. */
  readonly severed?: readonly Instance[];
  /** Whether the fault only loses notifications. If so, frames must still arrive in time. */
  readonly harmless?: boolean;
  readonly mend: () => Promise<void>;
}
