import type { ControlStreamEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { eventsOf, unique } from '../support/api.ts';
import { Control, holdLog, typesOf } from '../support/control.ts';
import { expectFaults } from '../support/refusals.ts';
import { greatestId, nil, uuid7 } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const deliveryMaxMs = 5000;
/** Waits for a component that never acks, so the reset does not proceed. */
const draining = { ackTimeoutSeconds: 3600, expectedComponents: ['nobody'] };
const whole = ['reset-initiated', 'reset-started', 'reset-completed'];

suite('control: stream', (api, { testOwnInstance }) => {
  testOwnInstance('§6 rule 1, reading 6.5: a frame has event, id and data, byte for byte', async () => {
    const control = await Control.onOwnLog(api);
    const stream = await control.stream();
    await control.startReset();
    await stream.take(3);
    const [head = '', ...frames] = stream.text.split(/(?<=\n)(?=event: )/);
    expect(head).toMatch(/^retry: 2000\n\n?$/);
    expect(frames).toHaveLength(3);
    for (const frame of frames) {
      const [, name, id, data] = /^event: ([^\n]*)\nid: ([^\n]*)\ndata: (\{[^\n]*\})\n\n$/.exec(frame) ?? [];
      expect(JSON.parse(data ?? 'null'), frame).toMatchObject({ id, type: name });
    }
  });

  testOwnInstance('§6: a reset sends three frames with ids and a common correlation', async () => {
    const control = await Control.onOwnLog(api);
    const stream = await control.stream();
    const { correlation_id } = await control.startReset();
    const frames = eventsOf<ControlStreamEvent>(await stream.take(3));
    expect(typesOf(frames)).toEqual(whole);
    for (const frame of frames) {
      expect(Object.keys(frame).sort()).toEqual(['component', 'correlation_id', 'id', 'occurred_at', 'type']);
      expect(frame).toMatchObject({ component: '*', correlation_id, occurred_at: expect.stringMatching(/Z$/) });
      expect(frame.id).toMatch(uuid7);
    }
    const ids = frames.map((frame) => frame.id);
    expect(ids[0]).toBe(correlation_id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const times = frames.map((frame) => Date.parse(frame.occurred_at));
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  testOwnInstance('§6: every reset has its own frames and process id', async () => {
    const control = await Control.onOwnLog(api);
    const frames = [...(await control.reset()), ...(await control.reset())];
    const ids = frames.map((frame) => frame.id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(frames.map((frame) => frame.correlation_id)).toEqual([0, 0, 0, 3, 3, 3].map((n) => ids[n]));
  });

  testOwnInstance('§4, reading 6.7: the frames of a reset pass every component filter', async () => {
    const control = await Control.onOwnLog(api);
    const streams = [];
    for (const query of [
      { component: unique('component') },
      { component: '*' },
      { component: 'demo-driver', type: 'x' },
      'component=',
      'component=%00',
      'component=%zz',
      'colour=red',
    ]) {
      streams.push(await control.stream(query));
    }
    await control.startReset();
    for (const stream of streams) {
      expect(stream.status).toBe(200);
      expect(typesOf(eventsOf<ControlStreamEvent>(await stream.take(3)))).toEqual(whole);
    }
    const replayed = await control.stream({ component: 'other' }, { 'Last-Event-ID': nil });
    expect(typesOf(eventsOf<ControlStreamEvent>(await replayed.take(3)))).toEqual(whole);
  });

  test('reading 1.3: a repeated component parameter is rejected', async () => {
    const headers = { 'X-Control-API-Key': api.keys.control };
    expectFaults(await api.send({ path: '/api/control/stream?component=a&component=b', headers }), ['/component']);
  });

  testOwnInstance('§6 rule 3: Last-Event-ID replays every later frame, and continues live', async () => {
    const control = await Control.onOwnLog(api);
    const first = await control.reset();
    const second = await control.reset();
    const stored = [...first, ...second];
    for (const [n, lastEventId] of [nil, ...stored.map((frame) => frame.id)].entries()) {
      const stream = await control.stream({}, { 'Last-Event-ID': lastEventId });
      expect(stream.headers['x-stream-resume']).toBe('replay');
      expect(eventsOf(await stream.take(6 - n))).toEqual(stored.slice(n));
      stream.close();
    }
    const resumed = await control.stream({}, { 'Last-Event-ID': first[1]?.id ?? '' });
    const beyond = await control.stream({}, { 'Last-Event-ID': greatestId });
    const third = await control.reset();
    expect(eventsOf(await resumed.take(7))).toEqual([...stored.slice(2), ...third]);
    expect(eventsOf(await beyond.take(3))).toEqual(third);
  });

  testOwnInstance('reading 6.1: a new connection gets no history while no reset is in progress', async () => {
    const control = await Control.onOwnLog(api);
    const earlier = await control.reset();
    const streams = [
      await control.stream(),
      await control.stream({}, { 'Last-Event-ID': 'x' }),
      await control.stream(`last_event_id=${nil}`),
    ];
    expect(streams.map((stream) => stream.headers['x-stream-resume'])).toEqual(['live', 'ignored', 'live']);
    const later = await control.reset();
    for (const stream of streams) expect(eventsOf(await stream.take(3))).toEqual(later);
    expect(later[0]?.id).not.toBe(earlier[0]?.id);
  });

  testOwnInstance('reading 6.1: a new connection gets reset-initiated while components drain', async () => {
    const prompt = await Control.onOwnLog(api);
    await prompt.reset();
    const control = await prompt.beside(draining);
    const { correlation_id } = await control.startReset();
    for (const [instance, query, headers, resume] of [
      [control, {}, {}, 'live'],
      [prompt, { component: 'demo-driver' }, {}, 'live'],
      [prompt, {}, { 'Last-Event-ID': 'x' }, 'ignored'],
      [control, { component: 'demo-driver' }, { 'Last-Event-ID': '' }, 'ignored'],
    ] as const) {
      const stream = await instance.stream(query, headers);
      expect(stream.headers['x-stream-resume']).toBe(resume);
      const [frame] = eventsOf<ControlStreamEvent>(await stream.take(1));
      expect(frame).toMatchObject({ id: correlation_id, type: 'reset-initiated' });
      expect(stream.frames).toHaveLength(1);
    }
  });

  testOwnInstance(
    'reading 6.1: a new connection gets the first two frames while the log is being cleared, and then the remaining frames',
    async () => {
      const control = await Control.onOwnLog(api);
      const other = await control.beside();
      const before = await control.reset();
      const lock = await holdLog(control.databaseUrl);
      const observer = await control.stream();
      await control.startReset();
      const frames = eventsOf<ControlStreamEvent>(await observer.take(2));
      const late = [
        await control.stream(),
        await other.stream({ component: 'demo-driver' }, { 'Last-Event-ID': 'no uuid' }),
      ];
      for (const stream of late) expect(eventsOf(await stream.take(2))).toEqual(frames);
      const resumed = await control.stream({}, { 'Last-Event-ID': frames[0]?.id ?? '' });
      expect(eventsOf(await resumed.take(1))).toEqual(frames.slice(1));
      const older = await control.stream({}, { 'Last-Event-ID': before[2]?.id ?? '' });
      expect(eventsOf(await older.take(2))).toEqual(frames);
      await lock.query('commit');
      const all = eventsOf<ControlStreamEvent>(await observer.take(3));
      expect(typesOf(all)).toEqual(whole);
      for (const stream of late) expect(eventsOf(await stream.take(3))).toEqual(all);
      expect(eventsOf(await resumed.take(2))).toEqual(all.slice(1));
    },
  );

  testOwnInstance('§1 rules 7 and 9: a frame reaches the clients of every instance within 5 seconds', async () => {
    const control = await Control.onOwnLog(api, draining);
    const streams = [await control.stream(), await (await control.beside()).stream()];
    const { correlation_id } = await control.startReset();
    const answeredAt = performance.now();
    for (const stream of streams) expect((await stream.take(1))[0]?.id).toBe(correlation_id);
    expect(performance.now() - answeredAt).toBeLessThan(deliveryMaxMs);
  });
});
