import type { ComponentEventRecord } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { eventsOf, unique } from '../support/api.ts';
import { aReport, Control } from '../support/control.ts';
import { expectFaults } from '../support/refusals.ts';
import { nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const deliveryMaxMs = 5000;

suite('control: component stream', (api, { testOwnInstance }) => {
  const control = new Control(api);

  test('§6 rule 1, reading 6.5: a frame has id, event and data, byte for byte', async () => {
    const stream = await control.componentStream();
    const records = [
      await control.record(),
      await control.record(
        { detail: 'a\nb\r\nc\u2028\u0085é😀', event_type: 'x\n\nid: y' },
        { 'X-Correlation-Id': 'é' },
      ),
      await control.record({ payload: { text: 'data: x\n\nid: y' } }),
    ];
    await stream.take(records.length);
    expect(stream.text).not.toContain('\r');
    const [head = '', ...frames] = stream.text.split(/(?<=\n)(?=id: )/);
    expect(head).toMatch(/^retry: 2000\n\n?$/);
    expect(frames).toHaveLength(records.length);
    for (const [index, frame] of frames.entries()) {
      const [, id, data] = /^id: ([^\n]*)\nevent: component\ndata: ([^\n]*)\n\n$/.exec(frame) ?? [];
      expect(id, frame).toBe(records[index]?.id);
      expect(JSON.parse(data ?? 'null'), frame).toEqual(records[index]);
    }
  });

  test('§6 rule 1: the stream has one frame per accepted report, whatever its type and state, and none for rejected reports', async () => {
    const stream = await control.componentStream();
    const stored: ComponentEventRecord[] = [];
    for (const [event_type, state] of [
      ['status', 'running'],
      ['heartbeat', 'idle'],
      ['error', 'error'],
      ['reset-ack', 'paused'],
      ['rate-limit', 'running'],
      ['made-up', 'idle'],
    ]) {
      expectFaults(await control.report(aReport({ event_type, state: 'gone' })), ['/state']);
      await control.report(aReport({ event_type, state }), { 'X-Api-Key': 'wrong' });
      stored.push(await control.record({ event_type, state }));
    }
    await stream.take(stored.length);
    expect(eventsOf<ComponentEventRecord>(stream.frames)).toEqual(stored);
  });

  test('§6 rule 5: correlation_id is null unless the report had one', async () => {
    const stream = await control.componentStream();
    await control.record();
    await control.record({}, { 'X-Correlation-Id': 'run' });
    const [without, named] = eventsOf<ComponentEventRecord>(await stream.take(2));
    expect(without).toHaveProperty('correlation_id', null);
    expect(named?.correlation_id).toBe('run');
  });

  test('§6 rule 2: a new connection gets no history, whatever query it sends', async () => {
    const [earlier, component] = [await control.record(), unique('component')];
    for (const query of [
      '',
      `?last_event_id=${nil}`,
      `?component=${component}`,
      `?component_id=${component}&service=x&service=y`,
    ]) {
      const stream = await control.componentStream({}, query);
      expect(stream.status).toBe(200);
      expect(stream.headers['x-stream-resume']).toBe('live');
      const live = await control.record();
      expect(eventsOf(await stream.take(1)), query).toEqual([live]);
      expect(stream.ids).not.toContain(earlier.id);
      stream.close();
    }
  });

  test('§4: the stream needs no key and ignores a wrong one', async () => {
    for (const headers of [{}, { 'X-Api-Key': 'wrong', 'X-Control-API-Key': 'wrong' }]) {
      expect((await control.componentStream(headers)).status).toBe(200);
    }
  });

  test('§1 rule 9: a report reaches a connected client within 5 seconds', async () => {
    const stream = await control.componentStream();
    await control.report();
    const answeredAt = performance.now();
    await stream.take(1);
    expect(performance.now() - answeredAt).toBeLessThan(deliveryMaxMs);
  });

  test('readings 6.1 and 6.2: reports posted after the response headers are never missed, even by many concurrent clients', async () => {
    const posts = 12;
    for (let round = 0; round < 10; round += 1) {
      const component = unique('component');
      const stream = await control.componentStream();
      const headers = { 'X-Component-Id': component };
      await Promise.all(Array.from({ length: posts }, (_, n) => control.report(aReport({ detail: `${n}` }), headers)));
      await stream.take(posts);
      const { items } = await control.list({ component_id: component });
      expect(eventsOf(stream.frames)).toEqual(items.reverse());
      stream.close();
    }
  });

  test('reading 6.2: clients that reconnect repeatedly while reports are posted get each report once', async () => {
    const component = unique('component');
    const from = await control.record();
    const headers = { 'X-Component-Id': component };
    let writing = true;
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) expect((await control.report(aReport(), headers)).status).toBe(204);
    });
    const readers = Array.from({ length: 5 }, async (_, reader) => {
      const seen: string[] = [];
      while (seen.length < 150) {
        const stream = await control.componentStream({ 'Last-Event-ID': seen.at(-1) ?? from.id });
        await stream.until(({ frames }) => frames.length >= 10 + reader);
        stream.close();
        seen.push(...stream.ids);
      }
      return seen;
    });
    const seen = await Promise.all(readers).finally(() => {
      writing = false;
    });
    await Promise.all(writers);
    const all = await control.componentStream({ 'Last-Event-ID': from.id });
    await all.take(Math.max(...seen.map((ids) => ids.length)));
    expect([...all.ids].sort()).toEqual(all.ids);
    for (const ids of seen) expect(ids).toEqual(all.ids.slice(0, ids.length));
  });

  testOwnInstance('§1 rules 7 and 9: a report reaches the clients of every instance', async () => {
    const { url } = await api.instance();
    const streams = [
      await control.componentStream(),
      await api.openStream('/api/control/events/stream', {}, url),
      await api.openStream('/api/control/events/stream', { 'Last-Event-ID': (await control.record()).id }, url),
    ];
    // The marker event of the third stream also arrives on the first two streams.
    for (const stream of streams.slice(0, 2)) await stream.take(1);
    const record = await control.record();
    const answeredAt = performance.now();
    for (const stream of streams) {
      await stream.until(({ ids }) => ids.includes(record.id));
      expect(eventsOf(stream.frames).at(-1)).toEqual(record);
    }
    expect(performance.now() - answeredAt).toBeLessThan(deliveryMaxMs);
  });
});
