import { ciTools } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { rowsOf, smallRun } from './support/run.ts';
import { deliver, deliveriesOf, hookSettings } from './support/run-hooks.ts';

const stepMs = 4000;
const modes = ['normal', 'duplicate', 'reorder', 'drop', 'bad-signature'];

test.each(modes)(
  'ten minutes of %s deliveries report each change once, despite polling and a tool that sometimes fails',
  async (mode) => {
    const run = await smallRun({ repos: 3, projects: 2, fetcher: hookSettings });
    await run.startFetcher();
    await run.caughtUp();
    for (const tool of ciTools) await deliver(run, tool, mode);
    await run.ci('/faults', { effect: { status: 502 }, probability: 0.1, for_ms: 150 * stepMs });
    for (let step = 0; step < 150; step += 1) {
      if (step % 3 === 0) await run.ci('/emit', { once: 1 });
      await run.pass(stepMs);
    }
    await run.caughtUp();
    expect((await deliveriesOf(run)).length).toBeGreaterThan(50);
    expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
  },
);
