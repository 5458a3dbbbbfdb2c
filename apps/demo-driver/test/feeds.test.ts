import { driverStreams } from '@shiplog/companions';
import { answers, type StreamReader } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream, items, scenarioFolder } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const own = ['posted', 'control', 'components'] as const;

test('the feeds have the specified paths', async () => {
  const { driver } = await drivenUpstream();
  for (const path of ['/demo/stream', '/demo/control-stream', '/demo/control-events']) {
    expect((await driver.call('HEAD', path)).status, path).toBe(200);
  }
});

test.each(own)('the feed %s starts immediately, in the format of all streams', async (name) => {
  const { driver } = await drivenUpstream();
  const feed = await driver.feed(name);
  await feed.until(({ text }) => text !== '');
  expect(feed.text).toBe('retry: 2000\n\n');
  expect(feed.status).toBe(200);
  expect(feed.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
});

test.each(own)('the feed %s sends pings', async (name) => {
  const { driver } = await drivenUpstream({ times: { heartbeatMs: 10 } });
  const feed = await driver.feed(name);
  await feed.until(({ text }) => text.includes(': ping\n\n: ping\n\n'));
  expect(feed.text).toMatch(/^retry: 2000\n\n(: ping\n\n)+$/);
});

test.each(own)('HEAD on the feed %s has no body', async (name) => {
  const { driver } = await drivenUpstream();
  const { status, headers, text } = await driver.call('HEAD', driverStreams[name].path);
  expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream', '']);
});

test('a feed never replays events, whatever id the reader sends', async () => {
  const { driver, upstream } = await drivenUpstream();
  const first = await driver.feed('control');
  await upstream.send(routes.control, 'id: a\nevent: one\ndata: 1\n\n');
  await first.take(1);
  const second = await driver.feed('control', { 'last-event-id': '00000000-0000-0000-0000-000000000000' });
  await upstream.send(routes.control, 'id: b\nevent: two\ndata: 2\n\n');
  await first.take(2);
  await second.take(1);
  expect([first.ids, second.ids]).toEqual([['a', 'b'], ['b']]);
});

test('every reader of /demo/stream gets a frame for each post, stored or failed', async () => {
  const scenariosDir = await scenarioFolder({ 'two.json': { events: items(2) } });
  const { driver, upstream } = await drivenUpstream({ config: { scenariosDir } });
  upstream.script(routes.post, answers(201, '{}'), answers(422, '{}'));
  const readers = [await driver.feed('posted'), await driver.feed('posted')];
  await driver.post('/demo/scenarios/two/run');
  const at = '2026-05-04T09:00:00.000Z';
  const posted = {
    ...{ deployment_id: 'deployment-1', service: 'payments-api', environment: 'staging', status: 'success' },
    ...{ happened_at: at, posted_at: at, reporter: 'demo-driver/two' },
  };
  const error = {
    ...{ deployment_id: 'deployment-2', http_status: 422, attempt: 1 },
    ...{ reporter: 'demo-driver/two', posted_at: at },
  };
  for (const reader of readers) {
    await reader.take(2);
    expect(reader.text).toBe(
      `retry: 2000\n\nevent: posted\ndata: ${JSON.stringify(posted)}\n\nevent: error\ndata: ${JSON.stringify(error)}\n\n`,
    );
  }
});

test('the feeds end cleanly when the driver stops', async () => {
  const { driver } = await drivenUpstream();
  const readers: StreamReader[] = [];
  for (const name of own) readers.push(await driver.feed(name));
  await driver.stop();
  await Promise.all(readers.map((reader) => reader.until(({ ended }) => ended)));
});
