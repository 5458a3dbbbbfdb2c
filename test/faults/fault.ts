import type { Dice } from '@shiplog/testing/random';
import type { Instance } from './instance.ts';
import type { System } from './system.ts';

/** A kind of fault. */
export interface Fault {
  /** As the report names it. */
  readonly kind: string;
  /** Breaks it. */
  readonly begin: (system: System, dice: Dice) => Promise<Broken>;
}

/** The fault, its duration, and its end. */
export interface Broken {
  /** The duration of the fault. */
  readonly holdMs: number;
  /** Instances that certainly can't reach their database meanwhile. */
  readonly severed?: readonly Instance[];
  /** Only notices are lost, so frames must still arrive in time. */
  readonly harmless?: boolean;
  readonly mend: () => Promise<void>;
}
