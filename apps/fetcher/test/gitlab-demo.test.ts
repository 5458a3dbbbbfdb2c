import { expect, test } from 'vitest';
import { GitlabTrial } from './support/gitlab-trial.ts';

test('the first run on the demo data reports the events that the emulator implies, field by field', async () => {
  const trial = await GitlabTrial.start();
  await trial.first();
  expect(trial.rows.length).toBeGreaterThan(20);
  expect(trial.rows).toEqual(await trial.expected());
});

test('if a process ends after any step, the next process reports the same events', async () => {
  const whole = await GitlabTrial.start();
  await whole.first();
  for (const index of whole.memories.keys()) {
    const trial = await GitlabTrial.start();
    const source = trial.source();
    trial.memories.push(source.begin(new Date(trial.clock.now() - 7 * 24 * 3_600_000)));
    await trial.settle(source.poll(trial.memory, { signal: new AbortController().signal }), index);
    const left = index - trial.memories.length + 1;
    if (left > 0) await trial.settle(source.backfill(trial.memory, new AbortController().signal), left);
    await trial.cycle(trial.source());
    expect(trial.rows).toEqual(whole.rows);
  }
});
