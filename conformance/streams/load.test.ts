import type { DeploymentEvent } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type Api, eventsOf, positionOf, unique } from '../support/api.ts';
import { nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const pageMax = 500;
const writersCount = 6;

/** Posts events concurrently until there are enough, `stop` is called, or the test ends. */
function writing(api: Api, service: string, { eventsMax = Number.POSITIVE_INFINITY, url = api.baseUrl } = {}) {
  const stored: DeploymentEvent[] = [];
  let stopped = false;
  const writers = Array.from({ length: writersCount }, async () => {
    while (!stopped && stored.length < eventsMax - writersCount) {
      stored.push(await api.append({ service, happened_at: minute(stored.length % 7) }, {}, url));
    }
  });
  const stop = async () => {
    stopped = true;
    await Promise.all(writers);
    return stored.map((event) => event.id).sort();
  };
  onTestFinished(() => stop().then(() => undefined));
  return { stop };
}

suite('streams under load', (api, { testSharedLog, testUnless }) => {
  const replayTest = testUnless('replay');

  replayTest('reading 6.2: readers that reconnect repeatedly while rows are written get each row once', async () => {
    const service = unique();
    const all = await api.stream({ service });
    const writer = writing(api, service);
    const readers = Array.from({ length: 5 }, async (_, reader) => {
      const seen: string[] = [];
      while (seen.length < 150) {
        const stream = await api.stream({ service }, { 'Last-Event-ID': seen.at(-1) ?? nil });
        await stream.until(({ frames }) => frames.length >= 10 + reader);
        stream.close();
        seen.push(...stream.ids);
      }
      return seen;
    });
    const seen = await Promise.all(readers);
    const written = await writer.stop();
    for (const ids of seen) expect(ids).toEqual(written.slice(0, ids.length));
    await all.take(written.length);
    expect(all.ids).toEqual(written);
  });

  test('reading 6.1: a new connection starts after every event stored before it, even if many clients connect', async () => {
    const service = unique();
    let stopped = false;
    const others = Array.from({ length: 8 }, async () => {
      while (!stopped) await api.send({ method: 'HEAD', path: '/api/events/stream' });
    });
    onTestFinished(() => {
      stopped = true;
    });
    for (let round = 0; round < 20; round += 1) {
      await api.append({ service });
      const stream = await api.stream({ service });
      const event = await api.append({ service });
      expect(eventsOf(await stream.take(1))).toEqual([event]);
      stream.close();
    }
    stopped = true;
    await Promise.all(others);
  });

  replayTest('readings 3.4 and 6.2: live readers get ascending ids without gaps', async () => {
    const service = unique();
    const readers = await Promise.all([api.stream({ service }), api.stream(), api.stream({ service })]);
    const writer = writing(api, service);
    await readers[0].until(({ frames }) => frames.length >= 150);
    const written = await writer.stop();
    for (const reader of readers) {
      const own = () => eventsOf(reader.frames).filter((event) => event.service === service);
      await reader.until(() => reader.ids.includes(written.at(-1) ?? ''));
      expect(own().map((event) => event.id)).toEqual(written);
    }
  });

  testSharedLog(
    'reading 3.4: ids ascend across instances, and the readers of every instance get all events',
    async () => {
      const service = unique();
      const { url } = await api.instance();
      const readers = [await api.stream({ service }), await api.stream({ service }, {}, url)];
      const writers = [writing(api, service), writing(api, service, { url })];
      await Promise.all(readers.map((reader) => reader.until(({ frames }) => frames.length >= 150)));
      const written = (await Promise.all(writers.map((writer) => writer.stop()))).flat().sort();
      for (const reader of readers) {
        await reader.take(written.length);
        expect(reader.ids).toEqual(written);
      }
    },
  );

  replayTest('reading 6.2: a long replay while rows are written is complete and in order', async () => {
    const service = unique();
    await Promise.all(Array.from({ length: 1200 }, () => api.append({ service })));
    const writer = writing(api, service);
    const stream = await api.stream({ service, last_event_id: nil });
    await stream.until(({ frames }) => frames.length >= 1300);
    const written = await writer.stop();
    const last = written.at(-1) ?? '';
    await stream.until(({ ids }) => ids.includes(last));
    expect(stream.ids.length).toBe(1200 + written.length);
    expect(stream.ids).toEqual([...new Set(stream.ids)].sort());
  });

  testUnless('replay', 'streamPosition')(
    'reading 3.9: a list and a stream from its position together have every row once, even while rows are written',
    async () => {
      const service = unique();
      const writer = writing(api, service, { eventsMax: pageMax });
      const pictures = [];
      for (let round = 0; round < 10; round += 1) {
        const answer = await api.get('/api/deployments', { service, limit: pageMax });
        const listed = (answer.json as { items: DeploymentEvent[] }).items.map((event) => event.id);
        const position = answer.headers['x-stream-position'];
        const stream = await api.stream({ service, last_event_id: typeof position === 'string' ? position : nil });
        pictures.push({ listed, stream });
      }
      const written = await writer.stop();
      for (const { listed, stream } of pictures) {
        await stream.until(({ ids }) => listed.length + ids.length >= written.length);
        expect([...listed.sort(), ...stream.ids]).toEqual(written);
      }
    },
  );

  testUnless('replay', 'streamPosition')(
    'reading 3.4: no row with a smaller id appears after an id is visible',
    async () => {
      const service = unique();
      let position = (await api.append({ service })).id;
      const known = new Set([position]);
      const writer = writing(api, service);
      while (known.size < 150) {
        const answer = await api.get('/api/deployments', { service, limit: pageMax });
        for (const { id } of (answer.json as { items: DeploymentEvent[] }).items) {
          if (!known.has(id)) expect(id > position).toBe(true);
          known.add(id);
        }
        position = positionOf(answer);
      }
      await writer.stop();
    },
  );

  replayTest('reading 6.6: a stalled reader does not delay other readers and loses nothing', async () => {
    const service = unique();
    const stalled = await api.stream({ service });
    stalled.pause();
    const brisk = await api.stream({ service });
    // Far more than the buffers of a socket can hold.
    const parent_deployments = Array.from({ length: 32 }, (_, n) => '\u{1f600}'.repeat(190) + n);
    const stored: string[] = [];
    for (let batch = 0; batch < 20; batch += 1) {
      const events = await Promise.all(Array.from({ length: 20 }, () => api.append({ service, parent_deployments })));
      stored.push(...events.map((event) => event.id).sort());
      await brisk.take(stored.length);
    }
    expect(brisk.ids).toEqual(stored);
    expect(stalled.frames.length).toBeLessThan(stored.length);
    stalled.resume();
    await stalled.take(stored.length);
    expect(stalled.ids).toEqual(stored);
  });
});
