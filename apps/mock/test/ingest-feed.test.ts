import { TestClock, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { testMock } from './support/mock.ts';

test('a post is sent as an ingest frame with its event, source and time', async () => {
  const clock = new TestClock();
  const mock = await testMock({ now: () => clock.now() });
  const stream = await mock.stream('/_mock/stream');
  const event = await mock.append({ version: 'a\nb\u2028é😀', happened_at: '2001-01-01T00:00:00Z' });
  const [frame] = await stream.take(1);
  expect(frame).toMatchObject({ event: 'ingest', id: event.id });
  expect(JSON.parse(frame?.data ?? '')).toEqual({
    event,
    source: 'write-api',
    received_at: clock.now().toISOString(),
  });
});

test('the ingest stream has the wire format of every stream', async () => {
  const mock = await testMock();
  const stream = await mock.stream('/_mock/stream');
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  const { id } = await mock.append();
  await stream.take(1);
  expect(stream.text).toMatch(new RegExp(`^retry: 2000\\n\\n?id: ${id}\\nevent: ingest\\ndata: [^\\n]+\\n\\n$`));
});

test('stored events of every service are sent; refused events are not', async () => {
  const mock = await testMock();
  const stream = await mock.stream('/_mock/stream?service=other');
  await mock.send('/api/deployments', { method: 'POST', body: '{}' });
  await mock.send('/api/deployments', { method: 'POST', body: '{}', headers: { 'X-Api-Key': testKeys.api } });
  const own = [await mock.append({ service: 'a' }), await mock.append({ service: 'b' })];
  await stream.take(2);
  expect(stream.ids).toEqual(own.map(({ id }) => id));
});

test('a connection gets only later events, because nothing is replayed', async () => {
  const mock = await testMock();
  const { id: before } = await mock.append();
  const stream = await mock.stream('/_mock/stream');
  const resumed = await fetch(`${mock.url}/_mock/stream`, { method: 'HEAD', headers: { 'Last-Event-ID': before } });
  expect(resumed.status).toBe(200);
  const { id } = await mock.append();
  await stream.take(1);
  expect(stream.ids).toEqual([id]);
});

test('idle streams send pings', async () => {
  const mock = await testMock({ times: { heartbeatMs: 5 } });
  for (const path of ['/_mock/stream', '/api/events/stream']) {
    const stream = await mock.stream(path);
    await stream.until(({ text }) => text.includes(': ping\n'));
  }
});
