import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { byState, Changes, hence, histogramPath, microsOf, OwnDay, sumOf } from '../support/changes.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('questions: the histogram of changes', (api) => {
  const changes = new Changes(api);
  /** The sums of the buckets. */
  const sums = async (query: { from: string; to: string; buckets: number; services?: string }) =>
    (await changes.readHistogram(query)).buckets.map(({ by_state }) => sumOf(by_state));

  test('§2, §5.11: the response has exactly the contract members, and all buckets with all eight states', async () => {
    const day = new OwnDay(api);
    await day.store({}, [0, 'failure']);
    await day.store({}, [15, 'success']);
    await day.store({}, [29, 'success']);
    const { buckets, ...rest } = await changes.readHistogram({ ...day.range(0, 30), buckets: 3 });
    expect(rest).toEqual({ ...day.range(0, 30), scope: null });
    expect(buckets.map((bucket) => ({ ...bucket, from: microsOf(bucket.from), to: microsOf(bucket.to) }))).toEqual([
      { from: microsOf(day.at(0)), to: microsOf(day.at(10)), by_state: byState({ failure: 1 }) },
      { from: microsOf(day.at(10)), to: microsOf(day.at(20)), by_state: byState({ success: 1 }) },
      { from: microsOf(day.at(20)), to: microsOf(day.at(30)), by_state: byState({ success: 1 }) },
    ]);
  });

  test('§2: by default there are 60 buckets; 1 to 200 are allowed', async () => {
    const day = new OwnDay(api);
    expect((await changes.readHistogram(day.range(0, 30))).buckets).toHaveLength(60);
    for (const buckets of [1, 200]) {
      expect((await changes.readHistogram({ ...day.range(0, 30), buckets })).buckets).toHaveLength(buckets);
    }
  });

  test('§5.11: buckets are half open, and a row at a boundary is in the later one', async () => {
    const day = new OwnDay(api);
    await api.appendAll(
      [day.at(0), day.at(10, -1), day.at(10), day.at(20, -1), day.at(20)].map((happened_at) => ({ happened_at })),
    );
    expect(await sums({ ...day.range(0, 20), buckets: 2 })).toEqual([2, 2]);
    expect(await sums({ ...day.range(-1, 0), buckets: 2 })).toEqual([0, 0]);
    expect(await sums({ ...day.range(20, 21), buckets: 1 })).toEqual([1]);
  });

  test('§5.11: only the last row counts, and not one before from or at to and later', async () => {
    const day = new OwnDay(api);
    const deployment = () => ({ deployment_id: unique('deployment'), service: unique() });
    await day.store(deployment(), [1, 'queued'], [12, 'success']);
    await day.store(deployment(), [2, 'queued'], [20, 'failure']);
    await day.store(deployment(), [-5, 'queued'], [30, 'failure']);
    await day.store(deployment(), [-5, 'queued'], [3, 'in-progress']);
    const range = day.range(0, 20);
    const { buckets } = await changes.readHistogram({ ...range, buckets: 2 });
    expect(buckets.map(({ by_state }) => by_state)).toEqual([byState({ 'in-progress': 1 }), byState({ success: 1 })]);
    expect((await changes.read(range)).counts.changes).toBe(4);
  });

  test.each([
    [0, 0, 60_000_000, 7],
    [0, 3, 100, 7],
    [0, 1, 3, 5],
    [0, 0, 1, 200],
    [0, 5, 199, 200],
    [-1, 999_999, 86_400_000_000 * 3 + 1, 60],
  ])(
    '§5.11: boundaries are floored to microseconds: from %d min %d µs, %d µs long, %d buckets',
    async (minutes, micros, length, buckets) => {
      const day = new OwnDay(api);
      const range = { from: day.at(minutes, micros), to: day.at(minutes, micros + length) };
      const start = microsOf(range.from);
      const boundaries = Array.from(
        { length: buckets + 1 },
        (_, i) => start + (BigInt(i) * BigInt(length)) / BigInt(buckets),
      );
      const answer = await changes.readHistogram({ ...range, buckets });
      expect(answer.buckets.map(({ from }) => microsOf(from))).toEqual(boundaries.slice(0, -1));
      expect(answer.buckets.map(({ to }) => microsOf(to))).toEqual(boundaries.slice(1));
    },
  );

  test('§5.11: a bucket without a width is empty, and its instant is counted once', async () => {
    const day = new OwnDay(api);
    for (const micros of [0, 1, 2, 3]) await api.append({ happened_at: day.at(0, micros) });
    // The boundaries are 0, 0, 1, 1, 2 and 3.
    expect(await sums({ from: day.at(0), to: day.at(0, 3), buckets: 5 })).toEqual([0, 1, 0, 1, 1]);
    const one = await sums({ from: day.at(0), to: day.at(0, 1), buckets: 200 });
    expect(one).toEqual([...Array.from({ length: 199 }, () => 0), 1]);
  });

  test('§5.11: rows at floored boundaries are in the bucket that begins there', async () => {
    const day = new OwnDay(api);
    // The boundaries of 100 µs in 7 parts are 0, 14, 28, 42, 57, 71, 85 and 100.
    for (const micros of [13, 14, 56, 57, 99]) await api.append({ happened_at: day.at(0, micros) });
    expect(await sums({ from: day.at(0), to: day.at(0, 100), buckets: 7 })).toEqual([1, 1, 0, 1, 1, 0, 1]);
  });

  test('§5.11: changes ahead of the clock count too', async () => {
    const service = unique();
    const [from, to] = [hence(-60), hence(60)];
    await api.append({ service, happened_at: hence(-1) });
    await api.append({ service, happened_at: hence(40) });
    expect(await sums({ from, to, buckets: 2, services: service })).toEqual([1, 1]);
  });

  test('§2: a scope restricts the buckets', async () => {
    const day = new OwnDay(api);
    const service = unique();
    await day.store({ service, environment: 'dev' }, [1, 'success']);
    await day.store({ service, environment: 'prod' }, [1, 'failure']);
    const query = { ...day.range(0, 10), buckets: 1, environments: 'prod' };
    const answer = await changes.readHistogram(query);
    expect(answer).toMatchObject({ scope: { services: [], environments: ['prod'] } });
    expect(answer.buckets[0]?.by_state).toEqual(byState({ failure: 1 }));
  });

  test.each([
    ['buckets=0', '/buckets'],
    ['buckets=201', '/buckets'],
    ['buckets=', '/buckets'],
    ['buckets=1.5', '/buckets'],
    ['buckets=-1', '/buckets'],
    ['buckets=ten', '/buckets'],
    ['buckets=5&buckets=5', '/buckets'],
    ['services=', '/services'],
    ['environments=a%5C', '/environments'],
    ['teams=nobody-has-this-team', '/teams'],
  ])('§5.11: %s is refused with its pointer', async (query, pointer) => {
    expectFaults(await api.send({ path: `${histogramPath}?${query}` }), [pointer]);
  });

  test('§5.11: there are no states and no pages, so their parameters are ignored like unknown ones', async () => {
    const day = new OwnDay(api);
    await day.store({}, [1, 'success']);
    const query = { ...day.range(0, 10), buckets: 1 };
    const other = { ...query, state: 'failure', net: 'perhaps', limit: 0, cursor: 'x' };
    expect(await changes.readHistogram(other)).toEqual(await changes.readHistogram(query));
  });
});
