import { ciTools } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { project, type Run, repository, rowsOf, smallRun } from './support/run.ts';
import { type FaultCase, faultCases, faultRule } from './support/run-faults.ts';

const cycleMs = 30_000;
const minutes = 60_000;

/** These faults take real time, so the test uses each only a few times. */
const slowCases: readonly FaultCase[] = [
  { name: 'late', effect: { delay_ms: 300 }, times: 5, told: { last_outcome: 'ok' } },
  { name: 'an answer byte by byte', effect: { drip_ms: 1 }, times: 2, told: { last_outcome: 'ok' } },
  {
    name: 'an answer without an end',
    effect: { hang: true },
    path: '**/deployments',
    times: 1,
    told: { last_outcome: 'error', reachable: false, last_error: expect.stringContaining('20000 ms') as string },
  },
];
const allCases = [...slowCases, ...faultCases];

async function expectSameLog(run: Run, name: string): Promise<void> {
  expect({ [name]: rowsOf(await run.log()) }).toEqual({ [name]: rowsOf(await run.expected()) });
}

test.each(ciTools)('health shows every fault of %s, and the log is complete in the end', async (tool) => {
  const run = await smallRun(tool === 'github' ? { repos: 1, projects: 0 } : { repos: 0 });
  await run.startFetcher();
  await run.caughtUp();
  for (const fault of allCases) {
    await run.ci('/faults', faultRule(fault, tool));
    await run.ci('/emit', { once: 1, repository: tool === 'github' ? repository : project });
    await run.pass(cycleMs);
    const told = expect.objectContaining(fault.told);
    expect({ [fault.name]: (await run.health()).sources }).toEqual({ [fault.name]: [told] });
    await run.ci('/emit', { once: 1, outcome: 'failure', repository: tool === 'github' ? repository : project });
    await run.pass(2 * cycleMs);
    await run.caughtUp(fault.name === 'exhausted' ? 4 * cycleMs : cycleMs);
    await expectSameLog(run, fault.name);
  }
});

test.each(faultCases)('a first run during a fault of its tools produces the same log: $name', async (fault) => {
  const run = await smallRun({ repos: 3, projects: 2, deployments: 12 });
  // Then everything is old enough for the tools to show it.
  await run.pass(minutes);
  for (const tool of ciTools) await run.ci('/faults', { ...faultRule(fault, tool), match: { tool, nth: 4 } });
  await run.startFetcher();
  await run.pass(3 * cycleMs);
  await run.caughtUp(fault.name === 'exhausted' ? 4 * cycleMs : cycleMs);
  await expectSameLog(run, fault.name);
});

test.each([1, 2, 3])('after ten minutes of mixed faults, seed %i, the log is complete', async (seed) => {
  const run = await smallRun({ repos: 4, projects: 3, deployments: 6, emulator: { SEED: String(seed) } });
  await run.pass(minutes);
  for (const { effect, name } of faultCases.filter((one) => one.name !== 'exhausted')) {
    // While a source waits for a limit, it meets no other faults, so limits are rarer.
    const probability = /secondary|429/.test(name) ? 0.005 : 0.04;
    await run.ci('/faults', { effect, probability, for_ms: 10 * minutes });
  }
  await run.ci('/faults', { effect: { hang: true }, match: { nth: 100 }, times: 1 });
  await run.startFetcher();
  const outcomes = new Set<unknown>();
  for (let cycle = 0; cycle < 20; cycle += 1) {
    await run.ci('/emit', { once: 3 });
    await run.pass(cycleMs);
    for (const { last_outcome } of (await run.health()).sources) outcomes.add(last_outcome);
  }
  expect(outcomes.size).toBeGreaterThan(1);
  await run.caughtUp();
  expect((await run.requests()).filter(({ fault }) => fault).length).toBeGreaterThan(20);
  await expectSameLog(run, 'mixed');
});
