import { expect, test } from 'vitest';
import { bodyOf, unique } from '../support/api.ts';
import { Changes, hence, OwnDay, type Page } from '../support/changes.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('questions: the order of changes', (api) => {
  const changes = new Changes(api);
  /** Stores a single row for each minute, each of a separate change. */
  const single = async (day: OwnDay, ...minutes: readonly number[]) => {
    const ids: string[] = [];
    for (const at of minutes)
      ids.push(...(await day.store({}, [at, 'success'])).map(({ deployment_id }) => deployment_id));
    return ids;
  };
  const idsOf = (items: readonly { readonly deployment_id: string }[]) =>
    items.map(({ deployment_id }) => deployment_id);

  test('§1.3, §5.5: changes are in the order of their last rows, newest first, then greater id first', async () => {
    const day = new OwnDay(api);
    const long = { deployment_id: unique('deployment'), service: unique() };
    await day.store(long, [0, 'queued']);
    const [b, a, c, d] = await single(day, 10, 5, 10, 10);
    await day.store(long, [8, 'success']);
    const { items } = await changes.read(day.range(0, 30));
    expect(idsOf(items)).toEqual([d, c, b, long.deployment_id, a]);
  });

  test('§5.5: rows one microsecond apart are in order', async () => {
    const day = new OwnDay(api);
    const events = await api.appendAll([2, 0, 1].map((micros) => ({ happened_at: day.at(10, micros) })));
    const { items } = await changes.read(day.range(0, 30));
    expect(idsOf(items)).toEqual([events[0], events[2], events[1]].map((event) => event?.deployment_id));
  });

  test.each([1, 2, 3, 7])(
    'questions §1.3: pages of %d are contiguous, and a full last page has no cursor',
    async (limit) => {
      const day = new OwnDay(api);
      const ids = await single(day, 1, 1, 1, 2, 2, 3, 4);
      const pages = await changes.walk({ ...day.range(0, 30), limit });
      expect(pages).toHaveLength(Math.ceil(7 / limit));
      expect(pages.flatMap(({ items }) => idsOf(items))).toEqual(ids.toReversed());
    },
  );

  test('questions §1.3: a page has 100 items by default', async () => {
    const day = new OwnDay(api);
    await single(day, ...Array.from({ length: 101 }, (_, index) => index));
    const first = await changes.read(day.range(0, 200));
    expect([first.items.length, typeof first.next_cursor]).toEqual([100, 'string']);
    expect((await changes.read({ ...day.range(0, 200), limit: 500 })).items).toHaveLength(101);
  });

  test('§5.2: a cursor continues in the range of its first page if from and to are not sent', async () => {
    const day = new OwnDay(api);
    const ids = await single(day, 1, 2, 3, 4, 5);
    const first = await changes.read({ from: day.at(2), to: day.at(5), limit: 1 });
    const seen = [...first.items];
    let cursor = first.next_cursor;
    while (cursor !== null) {
      const page = await changes.read({ cursor, limit: 1 });
      expect(page).toMatchObject({ from: first.from, to: first.to, counts: first.counts });
      seen.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(idsOf(seen)).toEqual([ids[3], ids[2], ids[1]]);
  });

  test('§5.2: a cursor keeps the default range of its first page, and one of net too', async () => {
    const service = unique();
    for (const environment of ['a', 'b', 'c']) await api.append({ service, environment, happened_at: hence(-5) });
    for (const query of [{}, { net: 'true' }]) {
      const first = await changes.read({ services: service, limit: 1, ...query });
      const next = { services: service, limit: 1, ...query, cursor: first.next_cursor ?? '' };
      const second = await changes.read(next);
      expect(second).toMatchObject({ from: first.from, to: first.to, counts: first.counts });
      expect(second.items).toHaveLength(1);
      for (const end of ['from', 'to'] as const) {
        const missing = end === 'from' ? '/to' : '/from';
        expectFaults(await changes.get({ ...next, [end]: first[end] }), [missing]);
      }
    }
  });

  test('§5.2, §5.9: net with a cursor continues in the range of its first page', async () => {
    const day = new OwnDay(api);
    const service = unique();
    for (const environment of ['a', 'b', 'c']) await day.store({ service, environment }, [10, 'success']);
    const first = await changes.readNet({ ...day.range(0, 30), limit: 2 });
    const second = await changes.readNet({ cursor: first.next_cursor ?? '', limit: 2 });
    expect([...first.items, ...second.items].map(({ environment }) => environment)).toEqual(['a', 'b', 'c']);
    expect(second).toMatchObject({ from: first.from, to: first.to, next_cursor: null });
  });

  test('§5.5: while rows arrive, no change is listed twice, and one without a new row is not missed', async () => {
    const day = new OwnDay(api);
    const deployments = Array.from({ length: 9 }, (_, index) => ({
      deployment_id: `${unique('deployment')}-${index}`,
      service: unique(),
    }));
    for (const [index, deployment] of deployments.entries()) await day.store(deployment, [index, 'in-progress']);
    const id = (index: number) => deployments[index]?.deployment_id;
    const query = { ...day.range(-50, 100), limit: 2 };
    const behind = unique('behind');
    const moves: (() => Promise<unknown>)[] = [
      // A change of this page and one of a later page get a newer last row.
      () =>
        Promise.all([
          day.store(deployments[8] ?? {}, [30, 'success']),
          day.store(deployments[2] ?? {}, [31, 'success']),
        ]),
      // New changes, before the position and after it, and rows that are not the last of their change.
      () => Promise.all([single(day, 40), day.store({ deployment_id: behind, service: behind }, [-10, 'failure'])]),
      () =>
        Promise.all([
          day.store(deployments[7] ?? {}, [-20, 'queued']),
          day.store(deployments[0] ?? {}, [-20, 'queued']),
        ]),
    ];
    const pages = await changes.walk(query, async () => void (await moves.shift()?.()));
    const seen = idsOf(pages.flatMap(({ items }) => items));
    expect(seen).toEqual([id(8), id(7), id(6), id(5), id(4), id(3), id(1), id(0), behind]);
    const fresh = await changes.read({ ...query, limit: 500 });
    expect(idsOf(fresh.items).slice(1, 3), 'on a new first page').toEqual([id(2), id(8)]);
  });

  test('§5.5: a cursor is still a position after its row has moved or another row has its time', async () => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    const [a] = await single(day, 10);
    await day.store(deployment, [20, 'in-progress']);
    const first = await changes.read({ ...day.range(0, 30), limit: 1 });
    await day.store(deployment, [21, 'success']);
    const [b] = await single(day, 20);
    const query = { ...day.range(0, 30), limit: 1, cursor: first.next_cursor ?? '' };
    // The new row has the time of the cursor and a greater id, so it is before the cursor.
    expect(idsOf((await changes.read(query)).items)).toEqual([a]);
    expect(idsOf((await changes.read(day.range(0, 30))).items)).toEqual([deployment.deployment_id, b, a]);
  });

  test('§5.5: a cursor of net without net, or the reverse, is refused', async () => {
    const day = new OwnDay(api);
    await single(day, 1, 2);
    const range = day.range(0, 30);
    const [plain, net] = [await changes.read({ ...range, limit: 1 }), await changes.readNet({ ...range, limit: 1 })];
    expectFaults(await changes.get({ ...range, cursor: net.next_cursor ?? '' }), ['/cursor']);
    expectFaults(await changes.get({ ...range, cursor: net.next_cursor ?? '', net: 'false' }), ['/cursor']);
    expectFaults(await changes.get({ ...range, cursor: plain.next_cursor ?? '', net: 'true' }), ['/cursor']);
    expect((await changes.get({ ...range, cursor: plain.next_cursor ?? '', net: 'false' })).status).toBe(200);
  });
});

suite('questions: changes ahead of the clock', (api, { testOwnInstance }) => {
  const changes = new Changes(api);
  const idsOf = (items: readonly { readonly deployment_id: string }[]) =>
    items.map(({ deployment_id }) => deployment_id);

  test('§1.3, §5.6: a change more than 5 minutes ahead is in ahead and not in items, in the same order', async () => {
    const service = unique();
    const store = async (minutes: number) => (await api.append({ service, happened_at: hence(minutes) })).deployment_id;
    const [soon, far, past, later] = [await store(3), await store(600), await store(-3), await store(60)];
    const query = { services: service, from: hence(-60), to: hence(1000) };
    const page = await changes.read(query);
    expect({ ahead: idsOf(page.ahead), items: idsOf(page.items) }).toEqual({
      ahead: [far, later],
      items: [soon, past],
    });
    expect(page.counts).toMatchObject({ changes: 4, by_state: { success: 4 } });
    expect(page.next_cursor).toBeNull();
  });

  test('§5.6: the last row decides, even for a change that began in the range long before', async () => {
    const day = new OwnDay(api, 'ahead');
    const service = unique();
    const deployment = { service, deployment_id: unique('deployment') };
    await day.store(deployment, [10, 'in-progress']);
    await day.store({ service }, [11, 'failure']);
    const query = { ...day.range(0, 30), services: service };
    expect((await changes.read(query)).ahead).toEqual([]);
    const last = await api.append({ ...deployment, happened_at: hence(60) });
    const { ahead, items, counts } = await changes.read(query);
    expect(ahead).toMatchObject([{ event_id: last.id, ended_at: last.happened_at, state: 'success' }]);
    expect(items).toHaveLength(1);
    expect(counts).toMatchObject({ changes: 2, by_state: { success: 1, failure: 1 } });
  });

  test('§5.6: ahead depends on scope and state, not on limit, and is empty on later pages and with net', async () => {
    const service = unique();
    const places = ['dev', 'prod'];
    for (const environment of places) {
      for (const minutes of [60, 70]) await api.append({ service, environment, happened_at: hence(minutes) });
      for (const minutes of [-1, -2]) await api.append({ service, environment, happened_at: hence(minutes) });
      await api.append({ service, environment, status: 'failure', happened_at: hence(80) });
    }
    const query = { services: service, environments: 'prod', from: hence(-60), to: hence(100), limit: 1 };
    const first = await changes.read({ ...query, state: 'success' });
    expect(first.ahead.map(({ state, environment }) => [state, environment])).toEqual([
      ['success', 'prod'],
      ['success', 'prod'],
    ]);
    expect(first.counts).toMatchObject({ changes: 5, by_state: { success: 4, failure: 1 } });
    const second = await changes.read({ ...query, state: 'success', cursor: first.next_cursor ?? '' });
    expect(second).toMatchObject({ ahead: [], counts: first.counts, next_cursor: null });
    expect(second.items).toHaveLength(1);
    const net = await changes.readNet(query);
    expect(net).toMatchObject({ ahead: [], counts: first.counts, items: [{ changes: 5, failed: 1 }] });
  });

  test('§5.6: only the first 100 are listed; those beyond are counted but are on no page', async () => {
    const service = unique();
    const from = hence(-60);
    for (let n = 0; n < 103; n += 1) await api.append({ service, happened_at: hence(60 + n) });
    const past = await api.append({ service, happened_at: hence(-1) });
    const pages = await changes.walk({ services: service, from, to: hence(1000), limit: 500 });
    const [page] = pages;
    expect(pages).toHaveLength(1);
    expect(page?.ahead).toHaveLength(100);
    const times = page?.ahead.map(({ started_at }) => started_at) ?? [];
    expect(times).toEqual(times.toSorted().toReversed());
    expect(idsOf(page?.items ?? [])).toEqual([past.deployment_id]);
    expect(page?.counts.changes).toBe(104);
    const few = await changes.read({ services: service, from, to: hence(1000), limit: 1 });
    expect(few.ahead).toHaveLength(100);
  });

  test('§5.6: with only changes ahead, items is empty and there is no cursor', async () => {
    const service = unique();
    await api.append({ service, happened_at: hence(60) });
    const query = { services: service, from: hence(30), to: hence(100), limit: 1 };
    expect(await changes.read(query)).toMatchObject({ items: [], ahead: [{ service }], next_cursor: null });
  });

  testOwnInstance(
    '§5.6, §5.12: a change that the clock reaches moves from ahead to the items, with another ETag',
    async () => {
      // The first response must come while the change is still ahead, which on a busy machine takes a second attempt.
      for (const seconds of [2, 10, 40]) {
        const service = unique();
        const near = await api.append({ service, happened_at: hence(5 + seconds / 60) });
        const [one, two] = [
          await api.append({ service, happened_at: hence(-1) }),
          await api.append({ service, happened_at: hence(-2) }),
        ];
        const query = { services: service, from: hence(-60), to: hence(60), limit: 1 };
        const answer = await changes.get(query);
        const first = bodyOf<Page>(answer);
        if (first.ahead.length === 0) continue;
        expect(idsOf([...first.ahead, ...first.items])).toEqual([near.deployment_id, one.deployment_id]);
        const tag = { 'If-None-Match': answer.headers.etag ?? '' };
        await expect.poll(async () => (await changes.get(query, tag)).status, { timeout: 55_000 }).toBe(200);
        const reached = await changes.read(query);
        expect({ ahead: reached.ahead, items: idsOf(reached.items) }).toEqual({
          ahead: [],
          items: [near.deployment_id],
        });
        expect(reached.counts).toEqual(first.counts);
        const second = await changes.read({ ...query, cursor: first.next_cursor ?? '' });
        expect(idsOf(second.items), 'its position is before the cursor').toEqual([two.deployment_id]);
        expect(second.next_cursor).toBeNull();
        return;
      }
      throw new Error('no such response within 40 seconds');
    },
  );
});
