import { expect, test } from 'vitest';
import { project, repository, rowsOf, smallRun } from './support/run.ts';
import { faultCases, faultRule } from './support/run-faults.ts';

const cycleMs = 30_000;
const tried = ['401', 'cut', 'secondary', 'a clock that is behind'];

test('health shows the faults of both tools, and the log is complete in the end', async () => {
  const run = await smallRun({ repos: 1 });
  await run.startFetcher();
  await run.caughtUp();
  for (const fault of faultCases.filter(({ name }) => tried.includes(name))) {
    for (const tool of ['github', 'gitlab'] as const) await run.ci('/faults', faultRule(fault, tool));
    for (const one of [repository, project]) await run.ci('/emit', { once: 1, repository: one });
    await run.pass(cycleMs);
    const told = expect.objectContaining(fault.told);
    expect({ [fault.name]: (await run.health()).sources }).toEqual({ [fault.name]: [told, told] });
    await run.pass(2 * cycleMs);
    await run.caughtUp();
    expect({ [fault.name]: rowsOf(await run.log()) }).toEqual({ [fault.name]: rowsOf(await run.expected()) });
  }
});
