import type { Release, ReleaseDetail, ReleasePage } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, type EventFields, unique } from '../support/api.ts';
import { suite } from '../support/suite.ts';

/** A success in prod. */
type Success = readonly [version: string | undefined, at: number, fields?: EventFields];

suite('questions board facts: until when a release ran', (api) => {
  /** Stores the events in a new service. Both calls must agree about the release. */
  async function scene(...successes: readonly Success[]) {
    const service = unique();
    const add = async ([version, at, fields]: Success) =>
      api.append({ service, environment: 'prod', ...(version && { version }), happened_at: minute(at), ...fields });
    for (const success of successes) await add(success);
    const placesOf = async (version: string): Promise<Release['places']> => {
      const { places } = bodyOf<ReleaseDetail>(await api.get(`/api/releases/${service}/${version}`));
      const { items } = bodyOf<ReleasePage>(await api.get('/api/releases', { service }));
      expect(items.find((item) => (item.version ?? item.sha) === version)?.places).toEqual(places);
      return places;
    };
    return { add, placesOf, until: async (version: string) => (await placesOf(version)).prod?.until };
  }

  test('§3.10: until is null while the release runs, and then the time of the next success', async () => {
    const { until, add } = await scene(['1', 1], ['1', 2]);
    expect(await until('1')).toBeNull();
    await add(['2', 3, { status: 'failure' }]);
    await add(['2', 4, { status: 'in-progress' }]);
    expect(await until('1')).toBeNull();
    await add(['2', 5]);
    await add(['3', 6]);
    expect([await until('1'), await until('2'), await until('3')]).toEqual([minute(5), minute(6), null]);
  });

  test('§3.10: a success without a release, or with only a sha, ends a release too', async () => {
    const { until } = await scene(['1', 1], [undefined, 2], ['2', 3], [undefined, 4, { sha: 'abcd' }], ['3', 5]);
    expect([await until('1'), await until('2'), await until('abcd')]).toEqual([minute(2), minute(4), minute(5)]);
  });

  test('§3.10: the last success of a release counts, so a restored release is considered running until its later end', async () => {
    const { until, add } = await scene(['1', 1], ['2', 2], ['1', 3]);
    expect([await until('1'), await until('2')]).toEqual([null, minute(3)]);
    await add(['3', 4]);
    expect([await until('1'), await until('2')]).toEqual([minute(4), minute(3)]);
  });

  test('§3.10: until is null where the release never succeeded', async () => {
    const { placesOf, add } = await scene(['1', 1, { status: 'failure' }], ['2', 2]);
    await add(['1', 1, { environment: 'dev' }]);
    await add(['2', 9, { environment: 'dev' }]);
    expect(await placesOf('1')).toMatchObject({ prod: { until: null }, dev: { until: minute(9) } });
  });

  test('§3.10: successes are ordered by happened_at and then id, whenever they arrive', async () => {
    const { until, add } = await scene(['1', 1], ['3', 5]);
    expect(await until('1')).toBe(minute(5));
    await add(['2', 3]);
    expect([await until('1'), await until('2')]).toEqual([minute(3), minute(5)]);
    await add(['0', 0]);
    await add(['4', 5]);
    expect([await until('0'), await until('3'), await until('4')]).toEqual([minute(1), minute(5), null]);
  });

  test('§3.10: until has the digits of the event', async () => {
    const { until } = await scene(['1', 1], ['2', 2, { happened_at: '2026-05-04T12:00:00.120+01:00' }]);
    expect(await until('1')).toBe('2026-05-04T11:00:00.120Z');
  });
});
