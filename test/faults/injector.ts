import type { Dice } from '@shiplog/testing/random';
import type { Instance } from './instance.ts';
import type { System } from './system.ts';
import { pause } from './watches.ts';

/** A kind of fault. */
export interface Fault {
  /** The name of the fault in the report. */
  readonly kind: string;
  /** Injects the fault. */
  readonly begin: (system: System, dice: Dice) => Promise<Broken>;
}

/** A fault in progress. */
interface Broken {
  /** The duration of the fault. */
  readonly holdMs: number;
  /** Instances that certainly can't reach their database during the fault. */
  readonly severed?: readonly Instance[];
  /** Whether the fault only loses notifications; then frames must still arrive in time. */
  readonly harmless?: boolean;
  readonly mend: () => Promise<void>;
}

/** A sequence of faults. Faults of different lanes overlap. */
export interface Lane {
  readonly faults: readonly Fault[];
  /** The delay between the end of a fault and the next fault. */
  readonly calmMs: { readonly min: number; readonly max: number };
  /** Whether the faults stop instances or their database. If so, the next fault waits until all instances are ready. */
  readonly breaking: boolean;
}

/** The number of faults of a kind, and the longest recovery. */
export interface KindCount {
  count: number;
  readyMsMax: number | undefined;
}

/** Injects faults until the signal is aborted, and records them. */
export class Injector {
  readonly kinds = new Map<string, KindCount>();
  /** The number of faults in progress. */
  underWay = 0;
  readonly #system: System;
  readonly #log: (line: string) => void;
  readonly #startedAt = performance.now();

  constructor(system: System, log: (line: string) => void) {
    this.#system = system;
    this.#log = log;
  }

  /** Injects every kind once per round, in random order. Resolves when the last fault has ended. */
  async run({ faults, calmMs, breaking }: Lane, dice: Dice, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const fault of dice.shuffled(faults)) {
        if (signal.aborted) return;
        this.underWay += 1;
        await this.#bring(fault, dice, { breaking, signal }).catch((error) => {
          this.#system.history.violated('process', `${fault.kind} could not be injected: ${error}`);
        });
        this.underWay -= 1;
        await pause(dice.between(calmMs.min, calmMs.max), signal);
      }
    }
  }

  async #bring(fault: Fault, dice: Dice, { breaking, signal }: { breaking: boolean; signal: AbortSignal }) {
    const { history, instances } = this.#system;
    const from = performance.now();
    this.#log(`${((from - this.#startedAt) / 1000).toFixed(1)} s: ${fault.kind}`);
    const broken = await fault.begin(this.#system, dice);
    const brokenAt = performance.now();
    await pause(broken.holdMs, signal);
    const mendedAt = performance.now();
    for (const { name } of broken.severed ?? []) {
      history.severed.push({ instance: name, from: brokenAt, until: mendedAt });
    }
    await broken.mend();
    const kind = this.kinds.get(fault.kind) ?? { count: 0, readyMsMax: undefined };
    this.kinds.set(fault.kind, kind);
    kind.count += 1;
    if (!breaking) return;
    await this.#system.allReady();
    const until = performance.now();
    kind.readyMsMax = Math.max(kind.readyMsMax ?? 0, until - mendedAt);
    if (broken.harmless) return;
    for (const { name } of instances) history.impaired.push({ instance: name, from, until });
  }
}
