import type { Fault } from '../injector.ts';

const jumpsMs = [-86_400_000, -3_600_000, -5000, 5000, 3_600_000, 86_400_000];
const awayMs = { min: 1000, max: 4000 };
const stepMs = 600_000;

/** Clocks that are wrong or jump. */
export const clockFaults: readonly Fault[] = [
  {
    kind: 'clock of an instance jumps',
    begin: async ({ instances }, dice) => {
      const instance = dice.one(instances);
      await instance.moveClock(dice.one(jumpsMs));
      return { holdMs: dice.between(awayMs.min, awayMs.max), mend: () => instance.moveClock(0) };
    },
  },
  {
    // Instances see such times when the database has assigned ticks with a future time.
    kind: 'clock of the database steps back',
    begin: async ({ database }) => {
      for (const log of ['deployments', 'control']) {
        await database
          .query('update log_heads set last_tick = last_tick + ($2::bigint << 12) where log = $1', [log, stepMs])
          .catch(() => undefined);
      }
      return { holdMs: 0, mend: async () => undefined };
    },
  },
];
