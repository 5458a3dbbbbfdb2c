import { expect, test } from 'vitest';
import { never } from './support/asked-tool.ts';
import { GitlabRun } from './support/source-run.ts';

test('the first run on the demo data reports the events that the emulator implies, field by field', async () => {
  const trial = await GitlabRun.start();
  await trial.first();
  expect(trial.rows.length).toBeGreaterThan(20);
  expect(trial.rows).toEqual(await trial.expected());
});

test('if a process ends after any step, the next process reports the same events', async () => {
  const whole = await GitlabRun.start({ emulator: { GITLAB_SIM_RATE_LIMIT: '1000000' } });
  await whole.first();
  for (let index = 0; index <= whole.steps.length; index += 1) {
    const trial = whole.twin();
    const source = trial.begun(7);
    await trial.take(source.poll(trial.memory, { signal: never }), index);
    const left = index - trial.steps.length;
    if (left > 0) await trial.take(source.backfill(trial.memory, never), left);
    await trial.cycle(trial.source());
    expect(trial.rows).toEqual(whole.rows);
  }
});
