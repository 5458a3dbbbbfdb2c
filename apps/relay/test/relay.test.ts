import type { DeploymentEvent } from '@shiplog/contract';
import {
  answers,
  clientOf,
  cuts,
  hangs,
  heldBack,
  NetworkProxy,
  sharedService,
  TestClock,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { ended, healthOf, Run, type RunOptions } from './support/run.ts';

const empty = sharedService();
const open = async (options: RunOptions = {}) => Run.open({ serviceUrl: (await empty()).url, ...options });

const noPath = (url: string) => url.replace(/\/$/, '');

test('events stored after the first start are sent in order, and no earlier ones', async () => {
  const run = await open();
  const before = await run.post();
  await run.relay();
  expect(await run.position()).toBe(before.id);
  const events: DeploymentEvent[] = [];
  for (let count = 0; count < 5; count += 1) events.push(await run.post());
  await run.hook.asked(5);
  expect(run.came).toEqual(events.map(({ id }) => id));
  await until(async () => (await run.position()) === events.at(-1)?.id);
});

test('events that no rule matches and imported history are not sent', async () => {
  const run = await open({ members: 'rules: [{ match: { services: ["pay-*"], environments: [prod] } }]' });
  await run.relay();
  await run.post({ service: 'shop', environment: 'prod' });
  await run.post({ service: 'pay-api', environment: 'dev' });
  await run.post({ service: 'pay-api', environment: 'prod', status: 'in-progress' });
  await run.post({
    service: 'pay-api',
    environment: 'prod',
    happened_at: new Date(Date.now() - 7 * 3_600_000).toISOString(),
  });
  const told = await run.post({ service: 'pay-api', environment: 'prod' });
  await run.hook.asked(1);
  expect(run.came).toEqual([told.id]);
});

test('the log shows whether an event is a recovery, a first arrival or a failure', async () => {
  const run = await open({ members: 'rules: [{ when: [failure, recovery, first] }]' });
  await run.post({ version: '1' });
  await run.relay();
  const again = await run.post({ version: '1' });
  const first = await run.post({ version: '2' });
  const failure = await run.post({ version: '3', status: 'failure' });
  const recovery = await run.post({ version: '2' });
  await run.post({ version: '2' });
  const last = await run.post({ version: '4' });
  await run.hook.until(() => run.came.includes(last.id));
  expect(run.came).toEqual([first, failure, recovery, last].map(({ id }) => id));
  expect(run.came).not.toContain(again.id);
});

test('after a restart, events that arrived meanwhile are sent once', async () => {
  const run = await open();
  const relay = await run.relay();
  const one = await run.post();
  await run.hook.asked(1);
  await relay.stop();
  const others = [await run.post(), await run.post()];
  await run.relay();
  const last = await run.post();
  await run.hook.until(() => run.came.includes(last.id));
  expect(run.came).toEqual([one, ...others, last].map(({ id }) => id));
});

test.each([0, 1, 2])(
  'a relay that is cut off from the service after message %i and then killed loses no messages and keeps their order',
  async (size) => {
    const run = await open();
    const proxy = await NetworkProxy.open(run.serviceUrl);
    const clock = new TestClock();
    const relay = await run.relay({ baseUrl: noPath(proxy.url), clock });
    const events = [await run.post(), await run.post(), await run.post()];
    await run.hook.asked(size);
    proxy.way = 'refused';
    await ended(relay, clock);
    await run.relay();
    const last = await run.post();
    await run.hook.until(() => run.came.includes(last.id));
    const firsts = [...new Set(run.came)];
    expect(firsts).toEqual([...events, last].map(({ id }) => id));
  },
);

test('the stored position precedes everything that waits, however far the log was read', async () => {
  const run = await open();
  const held = heldBack(200);
  run.hook.script('POST /secret-path', held.act, hangs);
  const clock = new TestClock();
  const relay = await run.relay({ clock });
  const events = [await run.post(), await run.post(), await run.post()];
  await until(async () => (await healthOf(relay)).queue === 3);
  held.release();
  await run.hook.asked(2);
  await until(async () => (await run.position()) === events[0]?.id);
  await ended(relay, clock);
  expect(await run.position()).toBe(events[0]?.id);
});

test('a failing target is retried after 1 s, doubling to 5 min, and then continues in order', async () => {
  const run = await open();
  const clock = new TestClock();
  run.hook.script('POST /secret-path', answers(503), cuts, ...Array(9).fill(answers(500)), answers(200));
  const relay = await run.relay({ clock });
  const events = [await run.post(), await run.post()];
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    await clock.asleep(seconds * 1000);
    expect(await healthOf(relay)).toMatchObject({ status: 'degraded', targets: [{ last_outcome: 'error' }] });
    clock.advance(seconds * 1000);
  }
  await run.hook.asked(13);
  expect(run.came.slice(-2)).toEqual(events.map(({ id }) => id));
  expect(new Set(run.hook.received.slice(0, 12).map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([events[0]?.id]),
  );
  await until(async () => (await healthOf(relay)).status === 'ok');
});

test('the relay obeys Retry-After', async () => {
  const run = await open();
  const clock = new TestClock();
  run.hook.script('POST /secret-path', answers(429, '', { 'retry-after': '77' }), answers(200));
  const relay = await run.relay({ clock });
  await run.post();
  await clock.asleep(77_000);
  expect((await healthOf(relay)).targets).toMatchObject([
    { last_outcome: 'rate_limited', last_error: 'it answered 429', waiting: 1 },
  ]);
  clock.advance(77_000);
  await run.hook.asked(2);
});

test.each([400, 413, 422])(
  'a message answered with %i is dropped, counted and reported, and the next one is sent',
  async (status) => {
    const run = await open();
    run.hook.script('POST /secret-path', answers(status), answers(200));
    const query = { component_id: 'relay', event_type: 'error' };
    const errors = async () => (await clientOf(run.serviceUrl).listComponentEvents({ query })).body.items;
    const { length: before } = await errors();
    const relay = await run.relay();
    const [dropped, next] = [await run.post(), await run.post()];
    await run.hook.asked(2);
    expect(run.came).toEqual([dropped.id, next.id]);
    await until(async () => (await run.position()) === next.id);
    await until(async () => (await errors()).length === before + 1);
    expect((await errors())[0]?.detail).toBe(`hook: it answered ${status}; the message is skipped`);
    const metrics = await (await fetch(`${relay.url}/metrics`)).text();
    expect(metrics).toContain('shiplog_relay_messages_total{target="hook",result="dropped"} 1');
    expect(metrics).toContain('shiplog_relay_messages_total{target="hook",result="delivered"} 1');
  },
);

test('a hanging target is abandoned after the timeout and retried', async () => {
  const run = await open();
  run.hook.script('POST /secret-path', hangs, answers(200));
  await run.relay({ sender: { silentMs: 50 } });
  const event = await run.post();
  await run.hook.asked(2);
  expect(run.came).toEqual([event.id, event.id]);
});

test('a hanging target delays no other target', async () => {
  const run = await open({ others: (url) => [`{ name: other, type: teams, url: "${url}/other" }`] });
  const clock = new TestClock();
  run.hook.script('POST /secret-path', hangs);
  await run.relay({ clock });
  for (let count = 0; count < 3; count += 1) await run.post();
  await run.hook.until(() => run.hook.of('POST /other').length === 3);
  expect(run.hook.of('POST /secret-path')).toHaveLength(1);
});

test('a deployment message is updated even after a restart', async () => {
  const slack = (url: string) => `{ name: bot, type: slack, token_env: TOKEN, channel: C, base_url: "${url}" }`;
  const run = await open({ others: (url) => [slack(url)] });
  run.hook.script('POST /chat.postMessage', answers(200, '{"ok":true,"channel":"C","ts":"1.2"}'));
  run.hook.script('POST /chat.update', answers(200, '{"ok":true}'));
  const relay = await run.relay();
  const begun = await run.post({ status: 'in-progress' });
  await run.hook.until(() => run.hook.of('POST /chat.postMessage').length === 1);
  await relay.stop();
  await run.post({ deployment_id: begun.deployment_id });
  await run.relay();
  await run.hook.until(() => run.hook.of('POST /chat.update').length === 1);
  expect(JSON.parse(String(run.hook.of('POST /chat.update')[0]?.body))).toMatchObject({ channel: 'C', ts: '1.2' });
});

test('events beyond the burst in a minute are combined in one digest', async () => {
  const run = await open({ members: 'burst: 2' });
  const clock = new TestClock();
  clock.advance(Date.now() - clock.now().getTime());
  const relay = await run.relay({ clock });
  const events: DeploymentEvent[] = [];
  for (let count = 0; count < 6; count += 1)
    events.push(await run.post({ status: count % 2 === 0 ? 'success' : 'cancelled' }));
  await run.hook.asked(2);
  await until(async () => (await healthOf(relay)).queue === 4);
  clock.advance(60_000);
  await run.hook.asked(3);
  expect(run.came).toEqual([events[0]?.id, events[1]?.id, 4]);
  expect(JSON.parse(String(run.hook.received[2]?.body)).data).toMatchObject({
    ...{ first_id: events[2]?.id, last_id: events[5]?.id, statuses: { success: 2, cancelled: 2 } },
  });
});

test('a success after a failure is sent as a recovery', async () => {
  const run = await open();
  await run.post({ status: 'failure' });
  await run.relay();
  await run.post();
  await run.post();
  await run.hook.asked(2);
  expect(run.hook.received.map(({ body }) => JSON.parse(String(body)).recovery)).toEqual([true, undefined]);
});

test('a target that was unreachable for longer than max_age gets one digest', async () => {
  const run = await open({ members: 'max_age: 1h' });
  const clock = new TestClock();
  clock.advance(Date.now() - clock.now().getTime());
  run.hook.script('POST /secret-path', answers(500), answers(200));
  const relay = await run.relay({ clock });
  const first = await run.post();
  await clock.asleep(1000);
  await run.post();
  await run.post();
  await until(async () => (await healthOf(relay)).queue === 3);
  clock.advance(3_700_000);
  await run.hook.asked(2);
  expect(run.came).toEqual([first.id, 3]);
});

test('events that arrived while the relay was stopped for longer than max_age are combined in one digest', async () => {
  const run = await open({ members: 'max_age: 1h' });
  await (await run.relay()).stop();
  for (let count = 0; count < 20; count += 1) await run.post();
  const clock = new TestClock();
  clock.advance(Date.now() - clock.now().getTime() + 3_700_000);
  await run.relay({ clock });
  await run.hook.asked(1);
  clock.advance(Date.now() - clock.now().getTime());
  const news = await run.post();
  await run.hook.until(() => run.came.includes(news.id));
  expect(run.came).toEqual([20, news.id]);
});

test('health and log contain no target address, and the relay stays ready while a target is unreachable', async () => {
  const run = await open();
  run.hook.script('POST /secret-path', answers(503, 'secret-path'));
  const relay = await run.relay();
  await run.post();
  await until(async () => (await healthOf(relay)).status === 'degraded');
  const ready = await fetch(`${relay.url}/readyz`);
  const text = await ready.text();
  expect([ready.status, JSON.parse(text)]).toMatchObject([
    200,
    { component_id: 'relay', queue: 1, paused_for_reset: false },
  ]);
  expect(`${text}${run.log.join('')}`).not.toContain('secret-path');
});
