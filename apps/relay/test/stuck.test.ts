import { sharedService, TestClock, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { healthOf, Run, type RunOptions } from './support/run.ts';

const empty = sharedService();
const open = async (options: RunOptions = {}) => Run.open({ serviceUrl: (await empty()).url, ...options });

test('a stuck deployment is reported once, even after a restart', async () => {
  const run = await open({ members: 'rules: [{ when: stuck }]' });
  const relay = await run.relay();
  const happened_at = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const stuck = await run.post({ status: 'in-progress', happened_at });
  await run.post({ service: 'other', status: 'in-progress' });
  await relay.stop();
  const next = await run.relay();
  await run.hook.asked(1);
  expect(run.came).toEqual([stuck.id]);
  expect(run.hook.received[0]?.headers['webhook-id']).toBe(`${stuck.id}-stuck`);
  await until(async () => (await healthOf(next)).queue === 0);
  await next.stop();
  const clock = new TestClock();
  clock.advance(Date.now() - clock.now().getTime());
  await run.relay({ clock });
  await clock.pass(30_000);
  await clock.asleep(30_000);
  expect(run.came).toEqual([stuck.id]);
});

test('a deployment that was stuck for longer than max_age before the first check is not reported, a later one is', async () => {
  const rules = 'rules: [{ when: stuck }]';
  const patient = (url: string) => `{ name: patient, type: webhook, url: "${url}/patient", max_age: 1d, ${rules} }`;
  const run = await Run.open({ members: rules, others: (url) => [patient(url)] });
  const happened_at = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const old = await run.post({ status: 'in-progress', happened_at });
  const clock = new TestClock();
  clock.advance(Date.now() - clock.now().getTime() + 6 * 3_600_000);
  await run.relay({ clock });
  await run.hook.asked(1);
  const later = await run.post({ service: 'other', status: 'in-progress', happened_at });
  await until(async () => {
    clock.advance(30_000);
    return run.came.length > 2;
  });
  expect(run.hook.of('POST /patient')).toHaveLength(2);
  expect(run.came).toEqual([old.id, later.id, later.id]);
});
