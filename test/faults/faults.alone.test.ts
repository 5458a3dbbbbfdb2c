import { expect, test } from 'vitest';
import { report } from './report.ts';
import { faultKinds, runFaults } from './run.ts';

const seed = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1e9));
const postsMin = 50_000;
const faultsMin = 25;
const violationsShown = 50;

test('the service keeps every guarantee under load and faults', { timeout: 1_200_000 }, async () => {
  process.stdout.write(`Set FAULT_SEED=${seed} to repeat the same faults.\n`);
  const result = await runFaults({
    seed,
    durationMs: 70_000,
    durationMsMax: 900_000,
    postsMin,
    postsPerSecond: 950,
    calmMs: { min: 200, max: 800 },
    vitalsEveryMs: 2000,
    log: () => undefined,
    signal: new AbortController().signal,
  });
  process.stdout.write(`${report(result)}\n`);
  const { violations, kinds, history } = result;
  const broken = violations.slice(0, violationsShown).map(({ kind, what }) => `${kind}: ${what}`);
  expect(broken, broken.join('\n')).toEqual([]);
  expect([...kinds.keys()].sort()).toEqual(faultKinds.toSorted());
  expect([...kinds.values()].reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(faultsMin);
  expect(history.stored).toBeGreaterThanOrEqual(postsMin);
});
