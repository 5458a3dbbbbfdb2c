import type { Dice } from '@shiplog/testing/random';
import type { Instance } from './instance.ts';
import type { System } from './system.ts';

/** Something that goes wrong, of one kind. */
export interface Fault {
  /** As the report names it. */
  readonly kind: string;
  /** Breaks it. */
  readonly begin: (system: System, dice: Dice) => Promise<Broken>;
}

/** What is broken, for how long, and how it is mended. */
export interface Broken {
  /** How long it is left broken. */
  readonly holdMs: number;
  /** Instances that certainly have no way to their database meanwhile. */
  readonly severed?: readonly Instance[];
  /** Nothing on the way of a frame is broken but its notice: frames have to be in time. */
  readonly harmless?: boolean;
  readonly mend: () => Promise<void>;
}
