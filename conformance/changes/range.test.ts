import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { Changes, hence, microsOf, OwnDay } from '../support/changes.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const minuteMicros = 60_000_000n;
const dayMicros = 1440n * minuteMicros;

suite('questions: the range of changes', (api) => {
  const changes = new Changes(api);
  const found = async (query: { from: string; to: string }) =>
    (await changes.read(query)).items.map(({ deployment_id }) => deployment_id);

  test('§5.1: a single row belongs to the range if it is at or after from, and before to', async () => {
    const day = new OwnDay(api);
    const [event] = await day.store({}, [10, 'success']);
    const id = event?.deployment_id;
    expect(await found({ from: day.at(10), to: day.at(11) })).toEqual([id]);
    expect(await found({ from: day.at(10), to: day.at(10, 1) })).toEqual([id]);
    expect(await found({ from: day.at(9), to: day.at(10, 1) })).toEqual([id]);
    expect(await found({ from: day.at(9), to: day.at(10) })).toEqual([]);
    expect(await found({ from: day.at(10, 1), to: day.at(11) })).toEqual([]);
  });

  test('§1.1, §5.1: a change with several rows belongs to each range that it overlaps, with both its ends', async () => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    await day.store(deployment, [10, 'in-progress'], [20, 'success']);
    const belongs = async (from: string, to: string) => (await found({ from, to })).length === 1;
    expect(await belongs(day.at(0), day.at(30))).toBe(true);
    expect(await belongs(day.at(12), day.at(13)), 'no row in the range').toBe(true);
    expect(await belongs(day.at(20), day.at(21)), 'last row at from').toBe(true);
    expect(await belongs(day.at(20, 1), day.at(21)), 'last row before from').toBe(false);
    expect(await belongs(day.at(5), day.at(10)), 'first row at to').toBe(false);
    expect(await belongs(day.at(5), day.at(10, 1)), 'first row before to').toBe(true);
  });

  test('§5.1: a deployment whose last row is before from does not belong, even if it is still running', async () => {
    const day = new OwnDay(api);
    await day.store({}, [10, 'in-progress']);
    expect(await found(day.range(11, 30))).toEqual([]);
    expect(await found(day.range(10, 30))).toHaveLength(1);
  });

  test('§5.1: digits beyond the sixth are cut off, in the range and in the row', async () => {
    const day = new OwnDay(api);
    const plus = (text: string, digits: string) => text.replace('Z', `${digits}Z`);
    const [event] = await day.store({}, [10, 'success', { happened_at: plus(day.at(10, 5), '999') }]);
    expect(event?.happened_at).toBe(day.at(10, 5));
    expect(await found({ from: plus(day.at(10, 5), '9999'), to: day.at(11) })).toHaveLength(1);
    expect(await found({ from: day.at(9), to: plus(day.at(10, 5), '9') })).toEqual([]);
    const { from, to } = await changes.read({ from: plus(day.at(9, 1), '9'), to: plus(day.at(10, 2), '0001') });
    expect({ from, to }).toEqual({ from: day.at(9, 1), to: day.at(10, 2) });
  });

  test('§5.1: times that are equal after the cut are an empty range', async () => {
    const [from, to] = ['1500-01-01T00:00:00.0000001Z', '1500-01-01T00:00:00.0000009Z'];
    expectFaults(await changes.get({ from, to }), ['/from']);
  });

  test('§5.12: from and to are returned in UTC with the digits that were sent; a date is its midnight', async () => {
    const query = { from: '1500-03-01T11:12:02.50+02:00', to: '1500-03-02' };
    const expected = { from: '1500-03-01T09:12:02.50Z', to: '1500-03-02T00:00:00Z' };
    expect(await changes.read(query)).toMatchObject(expected);
    expect(await changes.readNet(query)).toMatchObject(expected);
    expect(await changes.readHistogram(query)).toMatchObject(expected);
  });

  test('§5.1: nothing is clamped, 400 days are allowed, and to has no upper limit', async () => {
    expect(await changes.read({ from: '9999-01-01', to: '9999-12-31T23:59:59.999999Z' })).toMatchObject({
      from: '9999-01-01T00:00:00Z',
      to: '9999-12-31T23:59:59.999999Z',
    });
    const from = '1500-01-01T00:00:00Z';
    const to = new Date(Date.parse(from) + 400 * 86_400_000).toISOString();
    expect(await changes.read({ from, to })).toMatchObject({ from, to });
    const beyond = to.replace('.000Z', '.000001Z');
    expectFaults(await changes.get({ from, to: beyond }), ['/from']);
    expectFaults(await changes.histogram({ from, to: beyond }), ['/from']);
  });

  test.each([
    ['from=2026-05-04', '/to'],
    ['to=2026-05-04', '/from'],
    ['from=2026-05-05&to=2026-05-04', '/from'],
    ['from=2026-05-04&to=2026-05-04T00:00:00Z', '/from'],
    ['from=&to=2026-05-04', '/from'],
    ['from=2026-05-04&to=', '/to'],
    ['from=now&to=2026-05-04', '/from'],
    ['from=2026-05-04&to=2026-02-30', '/to'],
    ['from=2026-05-04T10:00:00&to=2026-05-05', '/from'],
    ['from=2026-05-04&to=2026-05-05T10:00:00', '/to'],
    ['from=2026-05-01&from=2026-05-02&to=2026-05-04', '/from'],
    ['from=2026-05-01&to=2026-05-04&to=2026-05-04', '/to'],
  ])('§5.1, §5.11: both calls refuse %s with its pointer', async (query, pointer) => {
    for (const path of ['/api/changes', '/api/changes/histogram']) {
      expectFaults(await api.send({ path: `${path}?${query}` }), [pointer]);
    }
    expectFaults(await api.send({ path: `/api/changes?net=true&${query}` }), [pointer]);
  });

  test('§5.2, §5.11: by default, to is the first full minute after the request and from is 24 hours before', async () => {
    const reads = [() => changes.read(), () => changes.readNet({}), () => changes.readHistogram()];
    for (const read of reads) {
      const before = BigInt(Date.now()) * 1000n;
      const { from, to } = await read();
      const after = BigInt(Date.now()) * 1000n;
      expect(microsOf(to) % minuteMicros).toBe(0n);
      expect(microsOf(to)).toBeGreaterThan(before);
      expect(microsOf(to)).toBeLessThanOrEqual(after + minuteMicros);
      expect(microsOf(to) - microsOf(from)).toBe(dayMicros);
    }
  });

  test('§5.2: the default range contains a row dated now and none dated 25 hours ago', async () => {
    const service = unique();
    const now = await api.append({ service, happened_at: hence(0) });
    await api.append({ service, happened_at: hence(-25 * 60) });
    const almost = await api.append({ service, happened_at: hence(-23 * 60) });
    const { items, counts } = await changes.read({ services: service });
    expect(items.map(({ event_id }) => event_id)).toEqual([now.id, almost.id]);
    expect(counts.changes).toBe(2);
  });

  test('§1.1: rows dated after now belong to a range like any others', async () => {
    const service = unique();
    const [past, future] = [hence(-60), hence(48 * 60)];
    await api.append({ service, happened_at: future });
    expect((await changes.read({ services: service, from: past, to: hence(47 * 60) })).ahead).toEqual([]);
    expect((await changes.read({ services: service, from: past, to: hence(49 * 60) })).ahead).toHaveLength(1);
  });
});
