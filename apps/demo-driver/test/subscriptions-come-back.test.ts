import { answers, cuts, hangs, sends } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const streams = [
  ['control', routes.control],
  ['components', routes.components],
] as const;

test('the driver requests the control stream with the control key and its component id, and the reports with the API key', async () => {
  const { upstream } = await drivenUpstream({ config: { componentId: 'another-driver' } });
  await upstream.until(() => upstream.received.length === 2);
  const [control] = upstream.of(routes.control);
  expect(control?.url).toBe('/api/control/stream?component=another-driver');
  expect(control?.headers['x-control-api-key']).toBe('secret-of-operators');
  expect(control?.headers).not.toHaveProperty('x-api-key');
  const [components] = upstream.of(routes.components);
  expect(components?.url).toBe('/api/control/events/stream');
  expect(components?.headers['x-api-key']).toBe('secret-of-pipelines');
  for (const key of ['x-control-api-key', 'last-event-id']) expect(components?.headers).not.toHaveProperty(key);
});

test.each(streams)('the %s stream resumes after the last received id, and the feed stays open', async (name, route) => {
  const { driver, upstream } = await drivenUpstream();
  const feed = await driver.feed(name);
  await upstream.send(route, 'id: a\nevent: one\ndata: 1\n\n');
  await feed.take(1);
  upstream.end(route);
  await upstream.until(() => upstream.of(route).length === 2);
  expect(upstream.of(route).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'a']);
  await upstream.send(route, 'id: b\nevent: two\ndata: 2\n\n');
  expect((await feed.take(2)).map(({ id, event, data }) => [id, event, data])).toEqual([
    ['a', 'one', '1'],
    ['b', 'two', '2'],
  ]);
});

test.each(streams)('an outage of the %s stream is logged once per reason, and its end once', async (name, route) => {
  const { driver, upstream } = await drivenUpstream();
  const feed = await driver.feed(name);
  await upstream.until(() => upstream.of(route).length === 1);
  const back = sends('event: back\ndata: 1\n\n');
  upstream.script(route, cuts, answers(401), cuts, answers(503), answers(401), cuts, back);
  upstream.end(route);
  await feed.take(1);
  upstream.script(route, answers(401), back);
  upstream.end(route);
  await feed.take(2);
  const about = name === 'control' ? 'the control stream' : 'the stream of component events';
  const lines = driver.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith(about));
  const outage = (reasons: string[]) => [...reasons.map((reason) => [40, reason]), [30, undefined]];
  expect(lines.map(({ level, reason }) => [level, reason])).toEqual([
    ...outage(['the stream ended', 'fetch failed: other side closed', 'answered 401', 'answered 503']),
    ...outage(['the stream ended', 'answered 401']),
  ]);
});

test('without a control stream the driver keeps retrying, and everything else works', async () => {
  const { driver, upstream } = await drivenUpstream();
  await upstream.until(() => upstream.of(routes.control).length === 1);
  upstream.script(routes.control, answers(404, '{}', { 'content-type': 'application/problem+json' }));
  upstream.end(routes.control);
  await upstream.until(() => upstream.of(routes.control).length === 5);
  await driver.post('/demo/ingest');
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toMatchObject({ state: 'done', events_sent: 47 });
});

test('the first reconnect comes after a second', async () => {
  const { driver, upstream } = await drivenUpstream({ ownBackoff: true });
  await upstream.until(() => upstream.received.length === 2);
  const feed = await driver.feed('posted');
  for (const [, route] of streams) upstream.end(route);
  for (const [, route] of streams) await upstream.until(() => upstream.of(route)[0]?.closed === true);
  await driver.post('/demo/ingest');
  await feed.take(47);
  expect(driver.logged('is down').map((line) => JSON.parse(line).retryMs)).toEqual([1000, 1000]);
});

test('a connection that is silent for three ping intervals is closed and reopened', async () => {
  const { upstream } = await drivenUpstream({ times: { heartbeatMs: 20 } });
  upstream.script(routes.control, hangs);
  upstream.script(routes.components, hangs);
  await upstream.until(() => upstream.of(routes.control).length > 2 && upstream.of(routes.components).length > 2);
  expect(upstream.of(routes.control)[0]?.closed).toBe(true);
});
