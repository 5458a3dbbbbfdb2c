import { existsSync } from 'node:fs';
import { gone, removeFolder } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { reportedBy, running, spawnDemo, urlOf } from './support/demo.ts';

test('DEMO_FETCHER=off omits the CI emulator and the fetcher', async () => {
  const demo = spawnDemo({ DEMO_FETCHER: 'off' });
  await running(demo, 'Ctrl-C', 2);
  expect(demo.output).not.toMatch(/emulator|fetcher/i);
  expect(await reportedBy(urlOf(demo, 'Board'), 'dashboard-fetcher/')).toEqual([]);
});

test('SIGTERM ends the demo, even while it posts the history', async () => {
  const demo = spawnDemo();
  const { processes } = await running(demo);
  expect(await demo.terminate()).toBe(0);
  expect(demo.output).not.toContain('Shiplog is up');
  await gone(processes);
});

test.each([
  ['service', 'service'],
  ['emulator', 'ci-emulator'],
  ['fetcher', 'fetcher'],
  ['driver', 'demo-driver'],
])('when the %s is killed, all programs end with a sentence that names it', async (name, app) => {
  const demo = spawnDemo();
  const { processes, folder } = await running(demo);
  const victim = processes.find(({ args }) => args.includes(`apps/${app}/`));
  process.kill(victim?.pid ?? Number.NaN, 'SIGKILL');
  expect(await demo.exited()).toBe(1);
  expect(demo.output).toContain(`\nThe ${name} was terminated by SIGKILL. Last output:\n  `);
  await gone(processes);
  expect(existsSync(folder)).toBe(false);
});

test('when the demo itself is killed, its programs end as well', async () => {
  const demo = spawnDemo();
  const { processes, folder } = await running(demo);
  // No process is left to remove the folder.
  onTestFinished(() => removeFolder(folder));
  await demo.kill();
  await gone(processes);
});
