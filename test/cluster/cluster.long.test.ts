import { expect, test } from 'vitest';
import { missingPrograms } from './cluster.ts';
import { heldBackAndLost, synchronousFaults } from './faults.ts';
import { runOnCluster } from './run.ts';

/** Injects every fault twice, and runs the control experiment. Started by `npm run test:cluster`. */
const missing = missingPrograms();
const rounds = 2;
const shown = 50;
const log = (line: string) => void process.stdout.write(`${line}\n`);
if (missing.length > 0) log(`Skipping the cluster: this machine has no ${missing.join(', ')}.`);

test.skipIf(missing.length > 0)(
  'with synchronous standbys, no fault loses, duplicates or reorders events',
  async () => {
    const faults = Array.from({ length: rounds }, () => synchronousFaults).flat();
    const { violations, stored, frames, answers, standbyReads } = await runOnCluster({
      synchronous: true,
      faults,
      log,
    });
    log(
      `${stored} posts stored, ${frames} frames read, ${answers} answers, ${standbyReads} reads from standbys, ${violations.length} violations`,
    );
    expect(violations.slice(0, shown).map(({ kind, what }) => `${kind}: ${what}`)).toEqual([]);
    expect(standbyReads).toBeGreaterThan(0);
  },
);

test.skipIf(missing.length > 0)(
  'without synchronous standbys, posts are lost and the checks find the losses',
  async () => {
    const { violations, stored } = await runOnCluster({ synchronous: false, faults: [heldBackAndLost], log });
    const lost = violations.filter(({ kind, what }) => kind === 'lost' && what.startsWith('the post')).length;
    log(`${lost} of ${stored} posts answered with 201 are lost`);
    expect(lost).toBeGreaterThan(0);
  },
);
