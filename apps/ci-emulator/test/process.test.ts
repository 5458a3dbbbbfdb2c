import { ProgramProcess } from '@shiplog/testing';
import { expect, test } from 'vitest';

test('the emulator logs its address, has the demo dataset, and ends cleanly on SIGTERM while a request hangs', async () => {
  const emulator = ProgramProcess.spawn('ci-emulator', { PORT: '0', REQUIRE_TOKEN: 'secret-of-the-tools' });
  const url = await emulator.ready();
  expect(emulator.output).toContain(`open ${url}/_ci/`);
  const status = await fetch(`${url}/_ci/status`);
  expect(await status.json()).toMatchObject({ dataset: 'demo', repos: 13 });
  await fetch(`${url}/_ci/faults`, { method: 'POST', body: '{"effect":{"hang":true}}' });
  const hanging = fetch(`${url}/user/repos`).catch((error: Error) => error);
  const logged = async (): Promise<void> => {
    const answer = await fetch(`${url}/_ci/requests`);
    const { items } = (await answer.json()) as { items: unknown[] };
    if (items.length === 0) await logged();
  };
  await logged();
  expect(await emulator.terminate()).toBe(0);
  expect(await hanging).toBeInstanceOf(Error);
  expect(emulator.output).not.toMatch(/secret-of-|"level":(50|60)/);
});

test('invalid settings prevent the start, with a sentence for each', async () => {
  const emulator = ProgramProcess.spawn('ci-emulator', { PORT: 'x', CLOCK: 'noon' });
  expect(await emulator.exited()).toBe(1);
  for (const sentence of [/^PORT is "x"/m, /^CLOCK is "noon"/m]) expect(emulator.output).toMatch(sentence);
});

test('an unknown dataset prevents the start, with a sentence that lists the known datasets', async () => {
  const emulator = ProgramProcess.spawn('ci-emulator', { PORT: '0', SEED_DATASET: 'dmeo' });
  expect(await emulator.exited()).toBe(1);
  expect(emulator.output).toMatch(/^SEED_DATASET is "dmeo", which is unknown; available: demo, random, empty\.$/m);
});
