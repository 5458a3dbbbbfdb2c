import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentsDiff } from '@shiplog/contract';
import { minute, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, type EventFields, type QueryValues, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const path = '/api/environments/diff';
const none = { same: 0, ahead: 0, behind: 0, diverged: 0, 'only-from': 0, 'only-to': 0 };

/** A success: its environment, its release and its minute. */
type Success = readonly [environment: 'stage' | 'prod', version: string | undefined, at: number, fields?: EventFields];

suite('questions: differences between environments', (api, { testOwnInstance }) => {
  /** Stores the events in two new environments and returns the difference between them. */
  async function scene(...successes: readonly Success[]) {
    const [service, stage, prod] = [unique(), unique('stage'), unique('prod')];
    for (const [place, version, at, fields] of successes) {
      const environment = place === 'stage' ? stage : prod;
      await api.append({ service, environment, ...(version && { version }), happened_at: minute(at), ...fields });
    }
    const diff = async (query: QueryValues = {}) =>
      bodyOf<EnvironmentsDiff>(await api.get(path, { from: stage, to: prod, ...query }));
    const back = async () => bodyOf<EnvironmentsDiff>(await api.get(path, { from: prod, to: stage }));
    return { service, stage, prod, diff, back };
  }

  const relations = async (...successes: readonly Success[]) => {
    const { diff, back } = await scene(...successes);
    return [await diff(), await back()].map(({ items }) =>
      items.map(({ relation, behind, since }) => [relation, behind, since]),
    );
  };

  test('§8: for a side that is ahead, the item has the number of releases that succeeded there since, and the time of the first', async () => {
    const [there, back] = await relations(
      ['prod', '1', 1],
      ['stage', '1', 0],
      ['stage', '2', 3],
      ['stage', '3', 4],
      ['stage', '2', 5],
      ['stage', '4', 6, { status: 'failure' }],
    );
    expect(there).toEqual([['ahead', 2, minute(3)]]);
    expect(back).toEqual([['behind', null, null]]);
  });

  test("§8: releases are counted from the last success of the other side's release, not its first", async () => {
    const [there] = await relations(
      ['stage', '1', 1],
      ['stage', '2', 2],
      ['stage', '1', 3],
      ['stage', '3', 4],
      ['prod', '1', 5],
    );
    expect(there).toEqual([['ahead', 1, minute(4)]]);
  });

  test('§12.8: successes without a version or sha never count', async () => {
    const [there] = await relations(['stage', '1', 1], ['stage', undefined, 2], ['stage', '2', 3], ['prod', '1', 2]);
    expect(there).toEqual([['ahead', 1, minute(3)]]);
  });

  test('§8: the relation says whether the sides match, have diverged, or one has no success', async () => {
    expect(await relations(['stage', '1', 1], ['prod', '1', 2])).toEqual([
      [['same', null, null]],
      [['same', null, null]],
    ]);
    expect(await relations(['stage', '1', 1], ['prod', '2', 2])).toEqual([
      [['diverged', null, null]],
      [['diverged', null, null]],
    ]);
    expect(await relations(['stage', '1', 1], ['prod', '1', 2, { status: 'failure' }])).toEqual([
      [['only-from', null, null]],
      [['only-to', null, null]],
    ]);
    expect(await relations(['stage', '1', 1, { status: 'in-progress' }])).toEqual([[], []]);
  });

  test('§8: releases are compared by version or, without a version, by sha; a version never equals a sha', async () => {
    const sha = { sha: 'abcd' };
    expect((await relations(['stage', undefined, 1, sha], ['prod', undefined, 2, sha]))[0]).toEqual([
      ['same', null, null],
    ]);
    expect((await relations(['stage', undefined, 1, sha], ['prod', 'abcd', 2]))[0]).toEqual([['diverged', null, null]]);
    expect((await relations(['stage', '1', 1, sha], ['prod', '2', 2, sha]))[0]).toEqual([['diverged', null, null]]);
  });

  test('§12.8: if both releases succeeded on the other side, the one with the later first success is ahead', async () => {
    const rollback: Success[] = [
      ['stage', '1', 1],
      ['stage', '2', 2],
      ['prod', '1', 3],
      ['prod', '2', 4],
      ['stage', '1', 5],
    ];
    expect(await relations(...rollback)).toEqual([[['behind', null, null]], [['ahead', 1, minute(4)]]]);
    const tied = rollback.map(([place, version, at]): Success => [place, version, at === 2 ? 1 : at]);
    expect(await relations(...tied)).toEqual([[['behind', null, null]], [['ahead', 1, minute(4)]]]);
  });

  test('§12.8: last successes without a release are the same only if they belong to one deployment', async () => {
    const [one, other] = [{ deployment_id: unique() }, { deployment_id: unique() }];
    const relation = async (...successes: Success[]) => (await relations(...successes)).flat(2)[0];
    expect(await relation(['stage', undefined, 1, one], ['prod', undefined, 2, one])).toBe('same');
    expect(await relation(['stage', undefined, 1, one], ['prod', undefined, 2, other])).toBe('diverged');
    expect(await relation(['stage', '1', 1, one], ['prod', undefined, 2, one])).toBe('same');
    expect(await relation(['stage', '1', 0], ['stage', undefined, 1, one], ['prod', '1', 2, other])).toBe('diverged');
  });

  test('§8: items have the last success of each side, and counts has the number of items per relation', async () => {
    const { service, stage, prod, diff } = await scene(['stage', '1', 1], ['prod', '1', 2]);
    const late = await api.append({ service, environment: prod, version: '0', happened_at: minute(1) });
    const other = `${service}-b`;
    const alone = await api.append({ service: other, environment: stage, version: '1' });
    const said = await diff();
    expect(said).toMatchObject({ from: stage, to: prod, at: null });
    expect(said.items).toMatchObject([
      { service, relation: 'same', from: { environment: stage }, to: { version: '1', happened_at: minute(2) } },
      { service: other, relation: 'only-from', from: alone, to: null },
    ]);
    expect(said.items[0]?.to?.id).not.toBe(late.id);
    expect(said.counts).toEqual({ ...none, same: 1, 'only-from': 1 });
    expect(said).not.toHaveProperty('scope');
  });

  test('§8: at includes the rows up to that time, and a date means its UTC midnight', async () => {
    const { diff } = await scene(['stage', '1', 1], ['prod', '1', 2], ['stage', '2', 3]);
    const relation = async (at: string) => (await diff({ at })).items[0]?.relation;
    expect(await relation(minute(0))).toBeUndefined();
    expect(await relation(minute(1))).toBe('only-from');
    expect(await relation(minute(2))).toBe('same');
    expect(await relation(minute(3))).toBe('ahead');
    expect(await relation('2999-01-01')).toBe('ahead');
    expect((await diff({ at: '2026-05-04' })).at).toBe('2026-05-04T00:00:00Z');
  });

  test('§12.7: a future time includes all rows, even those dated after it', async () => {
    const hence = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const ahead = { happened_at: hence(120) };
    const { diff } = await scene(['stage', '1', 1], ['prod', '1', 2], ['stage', '2', 3, ahead]);
    const relation = async (at: string) => (await diff({ at })).items[0]?.relation;
    expect(await relation(hence(60))).toBe('ahead');
    expect(await relation(hence(-1))).toBe('same');
  });

  test('§8, §12.2: services restrict the difference, and the response has the scope', async () => {
    const { service, stage, prod, diff } = await scene(['stage', '1', 1]);
    await api.append({ service: `${service}-b`, environment: prod });
    const said = await diff({ services: '*-b' });
    expect(said.items.map((item) => item.service)).toEqual([`${service}-b`]);
    expect(said.scope).toEqual({ services: ['*-b'], environments: [] });
    expect(said.counts).toEqual({ ...none, 'only-to': 1 });
    const nothing = await api.send({ path: `${path}?from=${stage}&to=${prod}&services=%00` });
    expect(nothing.json).toMatchObject({ items: [], scope: { services: [], environments: [] } });
  });

  testOwnInstance(
    '§11.3, §12.8: teams select their services, and a team that is not in the catalog is rejected',
    async () => {
      const catalogFile = join(await testFolder(), 'catalog.yaml');
      await writeFile(catalogFile, 'services: [{ name: pay-*, team: payments }]');
      const { url } = await api.instance({ ownLog: true, config: { catalogFile } });
      for (const service of ['pay-api', 'other', 'shop']) await api.append({ service, environment: 'dev' }, {}, url);
      const read = (query: string) => api.send({ path: `${path}?from=dev&to=prod&${query}` }, url);
      const said = bodyOf<EnvironmentsDiff>(await read('teams=payments&services=oth*'));
      expect(said.items.map(({ service }) => service)).toEqual(['other', 'pay-api']);
      expect(said.scope).toEqual({ services: ['oth*'], environments: [], teams: ['payments'] });
      expectFaults(await read('teams=nobody'), ['/teams']);
    },
  );

  test('§8: an unknown environment has no success, and an environment is the same as itself', async () => {
    const { stage, diff } = await scene(['stage', '1', 1], ['stage', undefined, 2]);
    expect((await diff({ to: stage })).counts).toEqual({ ...none, same: 1 });
    for (const [names, said] of [
      ['from=%00&to=%ff', { from: '\0', to: '\ufffd' }],
      ['from=no+where&to=%zz', { from: 'no where', to: '%zz' }],
    ] as const) {
      expect((await api.send({ path: `${path}?${names}` })).json).toMatchObject({ ...said, items: [], counts: none });
    }
  });

  test('§1.1: the ETag is weak, and a request with it returns 304 until the difference changes', async () => {
    const { service, stage, prod } = await scene(['stage', '1', 1]);
    const query = { from: stage, to: prod };
    const { headers } = await api.get(path, query);
    expect(headers.etag).toMatch(/^W\//);
    const again = () => api.get(path, query, { 'If-None-Match': headers.etag ?? '' });
    expect((await again()).status).toBe(304);
    await api.append({ service, environment: prod, version: '1' });
    expect((await again()).status).toBe(200);
  });

  test.each([
    ['', ['/from', '/to']],
    ['from=a', ['/to']],
    ['from=&to=b', ['/from']],
    ['from=a&from=b&to=c', ['/from']],
    ['from=a&to=b&at=', ['/at']],
    ['from=a&to=b&at=now', ['/at']],
    ['from=a&to=b&services=', ['/services']],
    ['from=a&to=b&services=x%5C', ['/services']],
  ])('§1.1, §8: ?%s is rejected with its pointer', async (query, pointers) => {
    expectFaults(await api.send({ path: `${path}?${query}` }), pointers);
  });
});
