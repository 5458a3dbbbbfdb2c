import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, unique } from '../support/api.ts';
import {
  byState,
  Changes,
  type ChangesQuery,
  changesPath,
  histogramPath,
  OwnDay,
  pathWith,
  sumOf,
} from '../support/changes.ts';
import { expectFaults } from '../support/refusals.ts';
import { allStatuses } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

suite('questions: counts, scope and state of changes', (api, { testOwnInstance }) => {
  const changes = new Changes(api);
  /** One change of each state in service x, and two more in service y, one of them in dev. */
  const aDay = async () => {
    const day = new OwnDay(api);
    const [x, y] = [unique('x'), unique('y')];
    for (const [at, status] of allStatuses.entries())
      await day.store({ service: x, environment: 'prod' }, [at, status]);
    await day.store({ service: y, environment: 'prod' }, [20, 'failure']);
    await day.store({ service: y, environment: 'dev' }, [21, 'success']);
    return { day, x, y, range: day.range(0, 30) };
  };

  test('§1.4, §5.8: counts have all eight states and the services, and elsewhere is 0 without a scope', async () => {
    const { range } = await aDay();
    const counts = {
      changes: 10,
      services: 2,
      by_state: { ...byState(), ...Object.fromEntries(allStatuses.map((state) => [state, 1])), success: 2, failure: 2 },
      elsewhere: 0,
    };
    const page = await changes.read(range);
    expect(page.counts).toEqual(counts);
    expect(Object.keys(page.counts.by_state).sort()).toEqual([...allStatuses].sort());
    expect(sumOf(page.counts.by_state)).toBe(page.counts.changes);
    expect(page.scope).toBeNull();
  });

  test('§5.8: an empty range has all counts, as 0', async () => {
    const day = new OwnDay(api);
    const counts = { changes: 0, services: 0, by_state: byState(), elsewhere: 0 };
    const empty = { ...day.range(0, 30), scope: null, counts, ahead: [], items: [], next_cursor: null };
    expect(await changes.read(day.range(0, 30))).toEqual(empty);
    expect(await changes.readNet(day.range(0, 30))).toEqual(empty);
  });

  test('§1.4, §5.8: counts are the same on every page, with and without state and net', async () => {
    const { range, x } = await aDay();
    for (const scope of [{}, { services: x }]) {
      const { counts } = await changes.read({ ...range, ...scope });
      const variants: ChangesQuery[] = [
        { state: 'failure' },
        { state: ['queued', 'success'] },
        { net: 'true' },
        { net: 'false' },
      ];
      for (const variant of [{}, ...variants]) {
        const pages = await changes.walk({ ...range, ...scope, ...variant, limit: 1 });
        for (const page of pages) expect(page.counts).toEqual(counts);
      }
    }
  });

  test('§5.8: services counts the distinct services, and elsewhere the changes of the range outside the scope', async () => {
    const { range, x, y } = await aDay();
    const counts = async (scope: ChangesQuery) => {
      const { changes: count, services, elsewhere } = (await changes.read({ ...range, ...scope })).counts;
      return [count, services, elsewhere];
    };
    expect(await counts({ services: x })).toEqual([8, 1, 2]);
    expect(await counts({ services: [x, y] })).toEqual([10, 2, 0]);
    expect(await counts({ environments: 'prod' })).toEqual([9, 2, 1]);
    expect(await counts({ services: y, environments: 'prod' })).toEqual([1, 1, 9]);
    expect(await counts({ services: 'nothing-like-it' })).toEqual([0, 0, 10]);
    expect(await counts({ services: '*' })).toEqual([10, 2, 0]);
  });

  test('§5.9: a scope is about the place of the change; another place of its deployment is outside', async () => {
    const day = new OwnDay(api);
    const deployment = { deployment_id: unique('deployment'), service: unique() };
    await day.store({ ...deployment, environment: 'dev' }, [1, 'success']);
    await day.store({ ...deployment, environment: 'prod' }, [2, 'failure']);
    const { items, counts } = await changes.read({ ...day.range(0, 30), environments: 'dev' });
    expect(items).toMatchObject([{ environment: 'dev', state: 'success', events: 1 }]);
    expect(counts).toEqual({ changes: 1, services: 1, by_state: byState({ success: 1 }), elsewhere: 1 });
  });

  test('§5.9: scope has the globs as sent, [] for what was not sent, and is null without a scope', async () => {
    const day = new OwnDay(api);
    const range = day.range(0, 30);
    const reads = [changes.read, changes.readNet, changes.readHistogram].map((read) => read.bind(changes));
    for (const read of reads) {
      expect((await read(range)).scope).toBeNull();
      const services = ['pay-*', '\\*', '?é'];
      expect((await read({ ...range, services })).scope).toEqual({ services, environments: [] });
      expect((await read({ ...range, environments: 'prod' })).scope).toEqual({ services: [], environments: ['prod'] });
    }
  });

  test('questions §2.1, §12.2: a glob matches the whole name, case-sensitively, and NUL matches nothing', async () => {
    const day = new OwnDay(api);
    for (const service of ['pay', 'pay-api', 'Pay-api', 'p*', '\u{1f6a2}'])
      await day.store({ service }, [1, 'success']);
    const count = async (glob: string) => {
      const { counts, items } = await changes.read({ ...day.range(0, 30), services: glob });
      expect(items).toHaveLength(counts.changes);
      expect(counts.elsewhere).toBe(5 - counts.changes);
      return counts.changes;
    };
    expect(await count('pay')).toBe(1);
    expect(await count('pay*')).toBe(2);
    expect(await count('?ay-api')).toBe(2);
    expect(await count('p\\*')).toBe(1);
    expect(await count('?')).toBe(1);
    expect(await count('PAY')).toBe(0);
    expect(await count('pay\0')).toBe(0);
    const broken = await api.send({ path: `${pathWith(changesPath, day.range(0, 30))}&services=%ff` });
    expect(bodyOf<{ counts: object }>(broken).counts).toMatchObject({ changes: 0, elsewhere: 5 });
  });

  testOwnInstance('questions §11.3: teams add their services, and one that the catalog lacks is refused', async () => {
    const catalogFile = join(await testFolder(), 'catalog.yaml');
    await writeFile(catalogFile, 'services:\n  - { name: pay-*, team: payments }\n  - { name: nobody, team: idle }\n');
    const { url } = await api.instance({ ownLog: true, config: { catalogFile } });
    const happened_at = '1500-01-01T12:00:00Z';
    for (const service of ['pay-api', 'pay-web', 'shop', 'other']) await api.append({ service, happened_at }, {}, url);
    const read = async (query: ChangesQuery) =>
      bodyOf<{ scope: object; counts: { changes: number; elsewhere: number } }>(
        await api.send({ path: pathWith(changesPath, { from: '1500-01-01', to: '1500-01-02', ...query }) }, url),
      );
    const payments = await read({ teams: 'payments' });
    expect(payments.scope).toEqual({ services: [], environments: [], teams: ['payments'] });
    expect(payments.counts).toMatchObject({ changes: 2, elsewhere: 2 });
    expect((await read({ teams: 'payments', services: 'sho*' })).counts).toMatchObject({ changes: 3, elsewhere: 1 });
    expect((await read({ teams: 'idle' })).counts).toMatchObject({ changes: 0, elsewhere: 4 });
    for (const path of [changesPath, histogramPath]) {
      expectFaults(await api.send({ path: pathWith(path, { teams: 'nobody' }) }, url), ['/teams']);
    }
  });

  test('§5.7: states are alternatives and filter only the items', async () => {
    const { range, x } = await aDay();
    const states = async (state: string | readonly string[]) => {
      const pages = await changes.walk({ ...range, services: x, state, limit: 1 });
      return pages.flatMap(({ items }) => items.map((item) => item.state));
    };
    for (const state of allStatuses) expect(await states(state)).toEqual([state]);
    expect(await states(['pending', 'rejected', 'failure'])).toEqual(['rejected', 'failure', 'pending']);
    expect(await states(['success', 'success'])).toEqual(['success']);
    expect(await states(allStatuses)).toEqual(allStatuses.toReversed());
  });

  test('§5.7: the state is that of the last row, even one after the range', async () => {
    const day = new OwnDay(api);
    await day.store({ deployment_id: unique('deployment'), service: unique() }, [10, 'in-progress'], [50, 'failure']);
    const count = async (state: string) => (await changes.read({ ...day.range(0, 30), state })).items.length;
    expect([await count('in-progress'), await count('failure')]).toEqual([0, 1]);
  });

  test.each([
    ['state=', '/state'],
    ['state=done', '/state'],
    ['state=Success', '/state'],
    ['state=success&state=', '/state'],
    ['state=success&state=done', '/state'],
    ['state=success&net=true', '/state'],
    ['net=', '/net'],
    ['net=1', '/net'],
    ['net=TRUE', '/net'],
    ['net=yes', '/net'],
    ['net=true&net=true', '/net'],
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['limit=', '/limit'],
    ['limit=ten', '/limit'],
    ['net=true&limit=501', '/limit'],
    ['cursor=', '/cursor'],
    ['cursor=nonsense', '/cursor'],
    ['net=true&cursor=nonsense', '/cursor'],
    ['services=', '/services'],
    ['services=a%5C', '/services'],
    [`services=${'x'.repeat(129)}`, '/services'],
    ['services=a&'.repeat(101), '/services'],
    ['environments=', '/environments'],
    ['environments=a%5C', '/environments'],
    ['teams=', '/teams'],
    ['teams=nobody-has-this-team', '/teams'],
  ])('questions §1.1, §5.7, §5.10: %s is refused with its pointer', async (query, pointer) => {
    expectFaults(await api.send({ path: `${changesPath}?${query}` }), [pointer]);
  });

  test('§5.7: a state with net=false is not an error', async () => {
    const { range } = await aDay();
    expect((await changes.read({ ...range, state: 'failure', net: 'false' })).items).toHaveLength(2);
  });
});
