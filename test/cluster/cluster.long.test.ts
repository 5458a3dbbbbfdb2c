import { expect, test } from 'vitest';
import { missingPrograms } from './cluster.ts';
import { heldBackAndLost, synchronousFaults } from './faults.ts';
import { runOnCluster } from './run.ts';

/** Every fault twice, and the control. `npm run test:cluster` runs it. */
const missing = missingPrograms();
const rounds = 2;
const shown = 50;
const log = (line: string) => void process.stdout.write(`${line}\n`);
if (missing.length > 0) log(`The cluster is left out: this machine has no ${missing.join(', ')}.`);

test.skipIf(missing.length > 0)(
  'no fault loses, duplicates or reorders anything with synchronous standbys',
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

test.skipIf(missing.length > 0)('the control without them loses posts, and the checks find that', async () => {
  const { violations, stored } = await runOnCluster({ synchronous: false, faults: [heldBackAndLost], log });
  const lost = violations.filter(({ kind, what }) => kind === 'lost' && what.startsWith('the post')).length;
  log(`${lost} of ${stored} posts that were answered 201 are gone`);
  expect(lost).toBeGreaterThan(0);
});
