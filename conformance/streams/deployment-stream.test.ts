import { expect, test } from 'vitest';
import { eventsOf, freshEvent, unique } from '../support/api.ts';
import { type Call, headersOf, named, streamCalls } from '../support/calls.ts';
import { Control } from '../support/control.ts';
import { feedsOf } from '../support/feed.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const deliveryMaxMs = 5000;

/** Values of `Last-Event-ID` that are not UUIDs. */
const noUuids = [
  'x',
  '7',
  'null',
  '019c5d1e3f9a70009b1d7f0f3a1c2e55',
  '{019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55}',
  'urn:uuid:00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-00000000000',
  '00000000-0000-0000-0000-0000000000000',
  '00000000-0000-0000-0000-00000000000g',
  '00000000-0000-0000-0000-000000000000, 00000000-0000-0000-0000-000000000000',
  '\xff\xfe',
  '',
];

suite('stream', (api, { testOwnInstance, testSharedLog, testWith }) => {
  const open = (call: Call, headers: Readonly<Record<string, string>> = {}) =>
    api.openStream(call.path, { ...headersOf(call, api.keys), ...headers });

  test.each(named(api, streamCalls))('reading 6.5: %s has the response headers of a stream', async (_, call) => {
    const { status, headers } = await open(call);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/event-stream');
    expect(headers['cache-control']).toBe('no-cache, no-transform');
    expect(headers['x-accel-buffering']).toBe('no');
    expect(headers['x-stream-resume']).toBe('live');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBeUndefined();
  });

  test.each(named(api, streamCalls))(
    'reading 6.5: the first bytes of %s are sent immediately and contain the reconnect delay',
    async (_, call) => {
      const stream = await open(call);
      await stream.until(({ text }) => text.includes('\n'));
      // A new control stream continues with the frames of a reset in progress.
      expect(stream.text).toMatch(call.path === '/api/control/stream' ? /^retry: 2000\n/ : /^retry: 2000\n\n?$/);
    },
  );

  test('§6 rule 1, reading 6.5: a frame has id, event and data, byte for byte', async () => {
    const service = unique();
    const stream = await api.stream({ service });
    const events = [
      await api.append({ service }),
      await api.append({ service, version: 'a\nb\r\nc\u2028\u2029\u0085é😀', actor: 'data: x\n\nid: y' }),
      await api.append({ service, parent_deployments: [] }, { 'X-Progress-Reporter': 'a/b' }),
    ];
    await stream.take(events.length);
    expect(stream.text).not.toContain('\r');
    const [head = '', ...frames] = stream.text.split(/(?<=\n)(?=id: )/);
    expect(head).toMatch(/^retry: 2000\n\n?$/);
    expect(frames).toHaveLength(events.length);
    for (const [index, frame] of frames.entries()) {
      const event = events[index];
      const [, id, data] = /^id: ([^\n]*)\nevent: deployment\ndata: ([^\n]*)\n\n$/.exec(frame) ?? [];
      expect(id, frame).toBe(event?.id);
      expect(JSON.parse(data ?? 'null'), frame).toEqual(event);
    }
  });

  test('§6 rule 1: the stream has one frame per accepted event, whatever its status, and none for rejected events', async () => {
    const service = unique();
    const stream = await api.stream({ service });
    const stored = [];
    for (const status of api.statuses) {
      expectFaults(await api.ingest({ ...freshEvent({ service }), colour: 'red' }), ['/colour']);
      await api.ingest(freshEvent({ service }), { 'X-Api-Key': 'wrong' });
      stored.push(await api.append({ service, status }));
    }
    await stream.take(stored.length);
    expect(eventsOf(stream.frames)).toEqual(stored);
  });

  test('§1 rule 9: a stored event reaches a connected client within 5 seconds', async () => {
    const service = unique();
    const stream = await api.stream({ service });
    await api.append({ service });
    const answeredAt = performance.now();
    await stream.take(1);
    expect(performance.now() - answeredAt).toBeLessThan(deliveryMaxMs);
  });

  testSharedLog('§1 rules 7 and 9: an event reaches the clients of every instance within 5 seconds', async () => {
    const { url } = await api.instance();
    const service = unique();
    const streams = [await api.stream({ service }), await api.stream({ service })];
    const event = await api.append({ service }, {}, url);
    const answeredAt = performance.now();
    for (const stream of streams) expect(eventsOf(await stream.take(1))).toEqual([event]);
    expect(performance.now() - answeredAt).toBeLessThan(deliveryMaxMs);
  });

  test('§1 rule 3: a delayed event is sent when it is stored, with its own happened_at', async () => {
    const service = unique();
    const stream = await api.stream({ service });
    await api.append({ service, happened_at: '2026-05-04T09:00:00Z' });
    await api.append({ service, happened_at: '1999-01-01T00:00:00Z' });
    const [first, second] = eventsOf(await stream.take(2));
    expect(second?.happened_at).toBe('1999-01-01T00:00:00Z');
    expect((second?.id ?? '') > (first?.id ?? '')).toBe(true);
  });

  test('§6 rule 4: the service filter matches exactly', async () => {
    const service = unique();
    const stream = await api.stream({ service });
    await api.appendAll([{ service: `${service}x` }, { service: service.toUpperCase() }, { environment: service }]);
    const last = await api.append({ service });
    await stream.take(1);
    expect(eventsOf(stream.frames)).toEqual([last]);
  });

  test('§6: a stream without a filter has the events of all services', async () => {
    const stream = await api.stream();
    const stored = await api.appendAll([{}, {}, {}]);
    const own = new Set(stored.map((event) => event.id));
    await stream.until(({ ids }) => ids.filter((id) => own.has(id)).length === own.size);
    expect(eventsOf(stream.frames).filter((event) => own.has(event.id))).toEqual(stored);
  });

  test('reading 1.3: an empty service does not filter', async () => {
    const stream = await api.stream('service=');
    const { id } = await api.append();
    await stream.until(({ ids }) => ids.includes(id));
  });

  test.each(['%00', '%zz', '%ff', 'a%00'])('reading 1.6: service=%s matches nothing', async (filter) => {
    const silent = await api.stream(`service=${filter}`);
    const all = await api.stream();
    expect(silent.status).toBe(200);
    for (let round = 1; round <= 2; round += 1) {
      const { id } = await api.append();
      await all.until(({ ids }) => ids.includes(id));
    }
    expect(silent.frames).toEqual([]);
  });

  test.each(['service', 'last_event_id'])('reading 1.3: a repeated %s is refused', async (name) => {
    expectFaults(await api.send({ path: `/api/events/stream?${name}=x&${name}=x` }), [`/${name}`]);
  });

  test.each(named(api, streamCalls))('reading 1.3: unknown query parameters of %s are ignored', async (_, call) => {
    const query = 'colour=red&colour=blue&%zz=1&limit=x&__proto__=1';
    const stream = await api.openStream(`${call.path}?${query}`, headersOf(call, api.keys));
    expect(stream.status).toBe(200);
    expect(stream.headers['x-stream-resume']).toBe('live');
  });

  test('reading 1.3: unknown query parameters are ignored', async () => {
    const service = unique();
    const stream = await api.stream({ service, environment: 'prod', status: 'failure', limit: 'x' });
    const event = await api.append({ service, environment: 'staging' });
    expect(eventsOf(await stream.take(1))).toEqual([event]);
  });

  test('readings 6.1 and 6.3: a new connection is live, and its headers say so', async () => {
    const service = unique();
    await api.append({ service });
    const stream = await api.stream({ service });
    expect(stream.headers['x-stream-resume']).toBe('live');
    const event = await api.append({ service });
    await stream.take(1);
    expect(eventsOf(stream.frames)).toEqual([event]);
  });

  test('reading 6.1: a new connection never misses events posted after its response headers', async () => {
    const service = unique();
    for (let round = 0; round < 20; round += 1) {
      const stream = await api.stream({ service });
      const event = await api.append({ service });
      expect(eventsOf(await stream.take(1))).toEqual([event]);
      stream.close();
    }
  });

  test.each(feedsOf(api).flatMap(([name, feedOf]) => noUuids.map((id) => [id, name, feedOf] as const)))(
    'reading 6.3: the Last-Event-ID %j is not a UUID and is ignored by the %s stream',
    async (lastEventId, _, feedOf) => {
      const feed = feedOf(api);
      await feed.store();
      const stream = await feed.open({ 'Last-Event-ID': lastEventId });
      expect(stream.status).toBe(200);
      expect(stream.headers['x-stream-resume']).toBe('ignored');
      const live = await feed.store();
      await stream.take(1);
      expect(feed.own(stream)).toEqual([live]);
      expect(stream.frames).toHaveLength(1);
    },
  );

  testWith('control').each(noUuids)(
    'reading 6.3: the Last-Event-ID %j is ignored by the control stream',
    async (lastEventId) => {
      const stream = await new Control(api).stream({}, { 'Last-Event-ID': lastEventId });
      expect(stream.status).toBe(200);
      expect(stream.headers['x-stream-resume']).toBe('ignored');
    },
  );

  testOwnInstance('reading 6.7: on shutdown a stream ends after a whole frame', async () => {
    const { url, stop } = await api.instance();
    const service = unique();
    const wire = await api.wire(url);
    await wire.send(`GET /api/events/stream?service=${service} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await wire.until((text) => text.includes('retry: 2000\n'));
    await api.append({ service }, {}, url);
    await wire.until((text) => text.includes('data: '));
    await stop();
    await wire.closed();
    expect(wire.failure).toBeUndefined();
    expect(wire.text).toMatch(/\ndata: \{.*\}\n\n$/);
  });

  testOwnInstance.each(named(api, streamCalls))('reading 6.7: on shutdown %s ends cleanly', async (_, call) => {
    const { url, stop } = await api.instance();
    const wire = await api.wire(url);
    const headers = Object.entries(headersOf(call, api.keys)).map(([name, value]) => `${name}: ${value}\r\n`);
    await wire.send(`GET ${call.path} HTTP/1.1\r\nHost: x\r\n${headers.join('')}\r\n`);
    await wire.until((text) => text.includes('retry: 2000\n'));
    await stop();
    await wire.closed();
    expect(wire.failure).toBeUndefined();
    expect(wire.text).toMatch(/retry: 2000\n\n?$/);
  });
});
