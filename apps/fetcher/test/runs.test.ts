import { expect, test } from 'vitest';
import { Run, rowsOf } from './support/run.ts';

test('the log contains exactly the events that the tools imply', async () => {
  const run = await Run.start();
  await run.startFetcher();
  await run.caughtUp();
  const log = await run.log();
  expect(rowsOf(log)).toEqual(rowsOf(await run.expected()));
});
