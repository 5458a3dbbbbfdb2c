import { expect, test } from 'vitest';
import { type Figures, inOneWindow, pathOf, rankedNames, reportNames } from '../support/analytics.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const ranked = rankedNames.map((name) => [name] as const);
const others = reportNames.filter((name) => !rankedNames.some((each) => each === name));

/** Reads the number of entries in each of the two rankings. */
async function lengths(log: Figures, query: Record<string, string | number>): Promise<number[]> {
  const { deployers } = await log.read('top-deployers', query);
  const { incidents } = await log.read('incidents', query);
  return [deployers.length, incidents.length];
}

suite('analytics limit', (api, { testOwnInstance }) => {
  describeRefused('0', '101', 'abc', '', '-1', '+5', '%205', '5%20', '1.0', '1e1', '0x10', '1,2', 'null');
  describeRefused('99999999999999999999', '%00', '%zz', '%D9%A5');

  function describeRefused(...values: readonly string[]): void {
    test.each(values)('§4, readings 1.3 and 5.13: limit=%s is rejected with the pointer /limit', async (value) => {
      for (const [name] of ranked) {
        expectFaults(await api.send({ path: `${pathOf(name)}?limit=${value}` }), ['/limit']);
        expectFaults(await api.send({ path: `${pathOf(name)}?window=30d&limit=${value}` }), ['/limit']);
      }
    });
  }

  test.each(ranked)('reading 1.3: %s rejects a repeated limit, even if the values are equal', async (name) => {
    for (const query of ['limit=5&limit=5', 'limit=5&window=7d&limit=6', 'limit=&limit=5']) {
      expectFaults(await api.send({ path: `${pathOf(name)}?${query}` }), ['/limit']);
    }
  });

  test.each(ranked)('reading 5.13: %s rejects an invalid limit whatever If-None-Match contains', async (name) => {
    expectFaults(await api.get(pathOf(name), { limit: 0 }, { 'If-None-Match': '*' }), ['/limit']);
  });

  test.each(ranked)('§4: the limit of %s is from 1 to 100, in decimal digits', async (name) => {
    for (const limit of ['1', '10', '99', '100', '007']) {
      expect((await api.get(pathOf(name), { limit })).status, limit).toBe(200);
    }
  });

  test.each(others)('reading 1.3: %s has no limit parameter and ignores one', async (name) => {
    for (const query of ['limit=0', 'limit=abc', 'limit=', 'limit=1&limit=1']) {
      expect((await api.send({ path: `${pathOf(name)}?${query}` })).status, query).toBe(200);
    }
  });

  testOwnInstance(
    '§4: a ranking has 10 entries by default and at most 100',
    inOneWindow(api, async (log) => {
      const names = Array.from({ length: 101 }, (_, index) => `name-${String(index).padStart(3, '0')}`);
      const failed = { happened_at: log.at(3, '12:00'), status: 'failure' } as const;
      await Promise.all(names.map((name) => log.append({ ...failed, actor: name, service: name })));
      expect(await lengths(log, {})).toEqual([10, 10]);
      expect(await lengths(log, { limit: 1 })).toEqual([1, 1]);
      expect(await lengths(log, { limit: 11 })).toEqual([11, 11]);
      expect(await lengths(log, { limit: 100 })).toEqual([100, 100]);
      const { deployers } = await log.read('top-deployers', { limit: 100 });
      expect(deployers.map(({ actor }) => actor)).toEqual(names.slice(0, 100));
      const { incidents } = await log.read('incidents', { limit: 100 });
      expect(incidents.map(({ service }) => service)).toEqual(names.slice(0, 100));
      await log.store([4, '12:00', { actor: 'name-100' }]);
      expect((await log.read('top-deployers', { limit: 1 })).deployers).toEqual([{ actor: 'name-100', count: 2 }]);
    }),
  );
});
