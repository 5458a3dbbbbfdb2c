import type { Answer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import {
  Changes,
  type ChangesQuery,
  changesPath,
  hence,
  histogramPath,
  OwnDay,
  pathWith,
  removeEvent,
} from '../support/changes.ts';
import { suite } from '../support/suite.ts';

const etagOf = ({ headers }: Answer) => headers.etag ?? '';

suite('questions: the responses of changes', (api, { testSharedLog, testWith }) => {
  const changes = new Changes(api);
  /** The responses of both calls, and of net, with their ETags to compare. */
  const reads = [
    (query: ChangesQuery, tag?: string) => changes.get(query, tag ? { 'If-None-Match': tag } : {}),
    (query: ChangesQuery, tag?: string) => changes.get({ ...query, net: 'true' }, tag ? { 'If-None-Match': tag } : {}),
    (query: ChangesQuery, tag?: string) => changes.histogram(query, tag ? { 'If-None-Match': tag } : {}),
  ] as const;

  test('§5.12: the ETag is weak, stays the same while the response does, and gives 304', async () => {
    const day = new OwnDay(api);
    await day.store({}, [10, 'success']);
    for (const read of reads) {
      const answer = await read(day.range(0, 30));
      expect(etagOf(answer)).toMatch(/^W\/"/);
      await new OwnDay(api).store({}, [10, 'success']);
      const again = await read(day.range(0, 30), etagOf(answer));
      expect({ status: again.status, etag: etagOf(again), text: again.text }).toEqual({
        status: 304,
        etag: etagOf(answer),
        text: '',
      });
      expect((await read(day.range(0, 30))).text).toBe(answer.text);
    }
  });

  test('§5.12: a new row in the range changes the ETag of all three', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service }, [10, 'success']);
    for (const read of reads) {
      const before = await read(day.range(0, 30));
      await day.store({ service }, [11, 'failure']);
      const after = await read(day.range(0, 30), etagOf(before));
      expect(after.status).toBe(200);
      expect(etagOf(after)).not.toBe(etagOf(before));
    }
  });

  test('§5.12: different ranges, scopes, states and pages have different ETags', async () => {
    const day = new OwnDay(api);
    for (const at of [1, 2, 3]) await day.store({}, [at, 'success']);
    const range = day.range(0, 30);
    const { next_cursor } = await changes.read({ ...range, limit: 1 });
    const queries: ChangesQuery[] = [
      range,
      { from: day.at(0), to: day.at(31) },
      { ...range, services: '*' },
      { ...range, state: 'failure' },
      { ...range, limit: 1 },
      { ...range, limit: 1, cursor: next_cursor ?? '' },
      { ...range, net: 'true' },
    ];
    const tags = await Promise.all(queries.map(async (query) => etagOf(await changes.get(query))));
    expect(new Set(tags).size).toBe(queries.length);
  });

  test('§5.12: the ETag changes if only elsewhere does', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service }, [10, 'success']);
    const query = { ...day.range(0, 30), services: service };
    const before = await changes.get(query);
    expect((await changes.get(query, { 'If-None-Match': etagOf(before) })).status).toBe(304);
    await day.store({}, [11, 'success']);
    const after = await changes.get(query, { 'If-None-Match': etagOf(before) });
    expect(after.status).toBe(200);
    const { counts, ...rest } = before.json as { counts: object };
    expect(after.json).toEqual({ ...rest, counts: { ...counts, elsewhere: 1 } });
  });

  test('§5.12: a success outside the range that changes only previous or rollback changes the ETag', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, version: '1' }, [10, 'success']);
    const tags = [etagOf(await changes.get(day.range(5, 30)))];
    for (const [at, version] of [
      [0, '2'],
      [-5, '1'],
    ] as const) {
      await day.store({ service, version }, [at, 'success']);
      tags.push(etagOf(await changes.get(day.range(5, 30))));
    }
    expect(new Set(tags).size).toBe(3);
  });

  testSharedLog('§5.12: another instance returns the same responses and the same ETags', async () => {
    const day = new OwnDay(api);
    for (const at of [1, 2, 3]) await day.store({ service: unique() }, [at, 'success']);
    const other = await api.instance();
    for (const path of [
      pathWith(changesPath, { ...day.range(0, 30), limit: 2 }),
      pathWith(changesPath, { ...day.range(0, 30), net: 'true' }),
      pathWith(histogramPath, day.range(0, 30)),
    ]) {
      const [one, two] = [await api.send({ path }), await api.send({ path }, other.url)];
      expect({ etag: etagOf(two), text: two.text }).toEqual({ etag: etagOf(one), text: one.text });
    }
  });

  testSharedLog('§5.12: an event that one instance stored is in the next response of another', async () => {
    const other = await api.instance();
    const day = new OwnDay(api);
    for (let count = 1; count <= 30; count += 1) {
      const [here, there] = count % 2 ? [api.baseUrl, other.url] : [other.url, api.baseUrl];
      await api.append({ happened_at: day.at(count) }, {}, here);
      const answer = await api.send({ path: pathWith(changesPath, day.range(0, 60)) }, there);
      expect(answer.json).toMatchObject({ counts: { changes: count } });
    }
  });

  test('§5.12: every row whose 201 came before counts in all three responses', async () => {
    const day = new OwnDay(api);
    const service = unique();
    for (let count = 1; count <= 40; count += 1) {
      const [event] = await day.store({ service, version: `${count}` }, [count, 'success']);
      const query = day.range(0, 60);
      const [page, net, histogram] = await Promise.all([
        changes.read(query),
        changes.readNet(query),
        changes.readHistogram({ ...query, buckets: 60 }),
      ]);
      expect(page.items[0]?.event_id).toBe(event?.id);
      expect(page.counts.changes).toBe(count);
      expect(net.items).toMatchObject([{ changes: count, after: { event_id: event?.id } }]);
      expect(histogram.buckets[count]?.by_state.success).toBe(1);
    }
  });

  test('§5.12: concurrent readers never miss a row that was acknowledged', async () => {
    const day = new OwnDay(api);
    let answered = 0;
    const write = async (writer: number) => {
      for (let n = 0; n < 15; n += 1) {
        await day.store({}, [writer * 20 + n, 'success']);
        answered += 1;
        const least = answered;
        expect((await changes.read({ ...day.range(0, 100), limit: 1 })).counts.changes).toBeGreaterThanOrEqual(least);
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    expect((await changes.read(day.range(0, 100))).items).toHaveLength(60);
  });

  test('§5.12: concurrent rows of one change all count', async () => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => day.store(deployment, [at, at === 19 ? 'success' : 'queued'])),
    );
    expect(await changes.readOne(day.range(0, 30))).toMatchObject({ events: 20, minutes: 19, state: 'success' });
  });

  test('§5.12: with the default range, equal ETags mean equal responses', async () => {
    const service = unique();
    await api.append({ service, happened_at: hence(-1) });
    const answers = [await changes.get({ services: service }), await changes.get({ services: service })];
    const [one, two] = answers as [Answer, Answer];
    expect(etagOf(one) === etagOf(two)).toBe(one.text === two.text);
    const again = await changes.get({ services: service }, { 'If-None-Match': etagOf(two) });
    if (again.status !== 304) expect(again.text).not.toBe(two.text);
  });

  test('questions §1.1: both calls need no key and accept HEAD; POST returns 405', async () => {
    for (const path of [changesPath, histogramPath]) {
      expect((await api.send({ method: 'HEAD', path })).status).toBe(200);
      expect((await api.send({ method: 'POST', path })).status).toBe(405);
    }
  });

  const remove = (id: string | undefined) => removeEvent(api, id);

  testWith('control')('reading 8.7: the responses are as if a removed event had never existed', async () => {
    const day = new OwnDay(api);
    const service = unique();
    const deployment = { service, deployment_id: unique('deployment') };
    const [old] = await day.store({ service, version: '1' }, [0, 'success']);
    const [between] = await day.store({ service, version: '2' }, [5, 'success']);
    await day.store(deployment, [10, 'queued']);
    const texts = async () => {
      const answers = await Promise.all(reads.map((read) => read(day.range(9, 30))));
      return answers.map(({ text, headers }) => ({ text, etag: headers.etag }));
    };
    const before = await texts();
    const [last] = await day.store(deployment, [20, 'success', { version: '1', actor: 'ann' }]);
    expect(await changes.readOne(day.range(9, 30))).toMatchObject({
      state: 'success',
      events: 2,
      minutes: 10,
      rollback: true,
      actor: 'ann',
      previous: { event_id: between?.id },
    });
    await remove(last?.id);
    expect(await texts()).toEqual(before);
    await remove(between?.id);
    expect(await changes.readOne(day.range(9, 30))).toMatchObject({ previous: { event_id: old?.id }, state: 'queued' });
    await remove(old?.id);
    expect(await changes.readOne(day.range(9, 30))).toMatchObject({ previous: null, rollback: false });
  });

  testWith('control')('reading 8.7: a change with all rows removed is gone; its first row can change', async () => {
    const day = new OwnDay(api);
    const deployment = { service: unique(), deployment_id: unique('deployment') };
    const [first, last] = await day.store(deployment, [0, 'queued', { version: '1' }], [20, 'success']);
    await remove(first?.id);
    expect(await changes.readOne(day.range(0, 30))).toMatchObject({
      version: null,
      events: 1,
      minutes: null,
      started_at: last?.happened_at,
    });
    expect((await changes.read(day.range(0, 20))).counts.changes).toBe(0);
    await remove(last?.id);
    expect(await changes.read(day.range(0, 30))).toMatchObject({ items: [], counts: { changes: 0, services: 0 } });
  });

  testWith('control')('reading 8.7: removing the row in the middle of three leaves the ends', async () => {
    const day = new OwnDay(api);
    const deployment = { service: unique(), deployment_id: unique('deployment') };
    const rows = [
      [0, 'queued'],
      [10, 'in-progress', { sha: 'aaaa' }],
      [20, 'success'],
    ] as const;
    const [, middle] = await day.store(deployment, ...rows);
    expect(await changes.readOne(day.range(0, 30))).toMatchObject({ events: 3, sha: 'aaaa' });
    await remove(middle?.id);
    expect(await changes.readOne(day.range(0, 30))).toMatchObject({ events: 2, sha: null, minutes: 20 });
  });
});
