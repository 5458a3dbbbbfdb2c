import { createReporter } from '@shiplog/client';
import { nilId } from '@shiplog/contract';
import { answers, clientOf, hangs, TestClock, testKeys, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { healthOf, Run } from './support/run.ts';

const holder = 'holder';
const service = { reset: { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: ['relay', holder] } };

/** The relay's reports about a reset, oldest first. */
async function reportsOf(run: Run, id: string): Promise<string[]> {
  const query = { component_id: 'relay', correlation_id: id };
  const { items } = (await clientOf(run.serviceUrl).listComponentEvents({ query })).body;
  return items.map(({ event_type, state }) => `${event_type} ${state}`).toReversed();
}

async function resetOf(run: Run): Promise<{ id: string; letGo(): Promise<void> }> {
  const { correlation_id: id } = (await clientOf(run.serviceUrl).startReset()).body;
  await until(async () => (await reportsOf(run, id)).length > 0);
  const reporter = createReporter({ baseUrl: run.serviceUrl, apiKey: testKeys.api, componentId: holder });
  return { id, letGo: () => reporter.ack(id) };
}

test('during a reset nothing is sent or stored; afterwards waiting messages are dropped and new events are sent', async () => {
  const run = await Run.open({ service });
  const clock = new TestClock();
  run.hook.script('POST /secret-path', answers(500), answers(200));
  const relay = await run.relay({ clock });
  await run.post();
  await clock.asleep(1000);
  const reset = await resetOf(run);
  expect(await healthOf(relay)).toMatchObject({ paused_for_reset: true, queue: 1 });
  const position = await run.position();
  await run.post();
  clock.advance(1000);
  expect([run.hook.received.length, await run.position()]).toEqual([1, position]);
  await reset.letGo();
  await until(async () => (await reportsOf(run, reset.id)).length === 2);
  expect(await reportsOf(run, reset.id)).toEqual(['reset-ack paused', 'status running']);
  expect(await run.position()).toBe(nilId);
  const news = await run.post();
  await run.hook.asked(2);
  expect(run.came.slice(1)).toEqual([news.id]);
  // The hook receives the message before the relay receives the response.
  await until(async () => (await healthOf(relay)).queue === 0);
  expect(await healthOf(relay)).toMatchObject({ paused_for_reset: false });
});

test('a hanging message is abandoned after 3 s, so that the reset continues', async () => {
  const run = await Run.open({ service });
  const clock = new TestClock();
  run.hook.script('POST /secret-path', hangs);
  await run.relay({ clock });
  await run.post();
  await run.hook.asked(1);
  const reset = resetOf(run);
  await clock.pass(3000);
  await (await reset).letGo();
});

test('a reset that never ends times out, and nothing is dropped', async () => {
  const run = await Run.open({ service });
  const clock = new TestClock();
  run.hook.script('POST /secret-path', answers(500), answers(200));
  const relay = await run.relay({ clock });
  const event = await run.post();
  await clock.asleep(1000);
  await resetOf(run);
  await clock.pass(90_000);
  await run.hook.asked(2);
  expect(run.came).toEqual([event.id, event.id]);
  expect((await healthOf(relay)).paused_for_reset).toBe(false);
});
