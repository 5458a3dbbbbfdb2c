import { expect, test } from 'vitest';
import { missingPrograms } from './cluster.ts';
import { copiedStandby, heldBackAndLost, hungManager, hungNode, lostNode, switchover } from './faults.ts';
import { runOnCluster } from './run.ts';

const missing = missingPrograms();
const log = (line: string) => void process.stdout.write(`${line}\n`);
if (missing.length > 0) log(`Skipping the cluster: this machine has no ${missing.join(', ')}.`);

const timeout = 600_000;
const shown = 20;

test.skipIf(missing.length > 0)(
  'a cluster with synchronous standbys does not lose, duplicate or reorder events',
  { timeout },
  async () => {
    const { violations, stored, frames, answers, standbyReads } = await runOnCluster({
      synchronous: true,
      faults: [switchover, lostNode, hungNode, hungManager, copiedStandby],
      log,
    });
    log(`${stored} posts stored, ${frames} frames read, ${answers} answers, ${standbyReads} reads from standbys`);
    expect(violations.slice(0, shown).map(({ kind, what }) => `${kind}: ${what}`)).toEqual([]);
    expect(standbyReads).toBeGreaterThan(0);
    expect(stored).toBeGreaterThan(1000);
  },
);

test.skipIf(missing.length > 0)(
  'a cluster without synchronous standbys loses events, and both the checks and the service report the losses',
  { timeout },
  async () => {
    const { violations, outputs } = await runOnCluster({ synchronous: false, faults: [heldBackAndLost], log });
    expect(
      violations.filter(({ kind, what }) => kind === 'lost' && what.startsWith('the post')).length,
    ).toBeGreaterThan(0);
    expect(outputs.some((output) => output.includes('the log went back'))).toBe(true);
    expect(outputs.every((output) => output.includes('synchronous_standby_names is empty'))).toBe(true);
  },
);
