import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFolder, testFolder, until } from '@shiplog/testing';
import { beforeAll, expect, test } from 'vitest';
import { pathOf, reportNames } from '../support/analytics.ts';
import { type Api, bodyOf } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const path = '/api/catalog';
const nothing = { team: null, owner: null, repository: null, runbook: null, tags: [] };

const file = `
services:
  - { name: pay-*, team: payments, owner: Ann, repository: "https://git/pay", runbook: "https://wiki/pay", tags: [money] }
  - { name: "*-api", team: platform }
  - { name: nobody-has-this, team: idle }
presets:
  - { name: Payments, view: board, query: "teams=payments" }
`;

const unchanged = fileFolder();
beforeAll(() => writeFile(unchanged('catalog.yaml'), file));

/** A lent instance with the catalog and one row of each service. */
async function catalogued(api: Api, services?: string[]) {
  return filled(api, await api.lentInstance({ catalogFile: unchanged('catalog.yaml') }), services);
}

/** An instance with a catalog file that the test may change, and its path. */
async function changeable(api: Api) {
  const catalogFile = join(await testFolder(), 'catalog.yaml');
  await writeFile(catalogFile, file);
  const instance = await api.instance({ ownLog: true, config: { catalogFile }, times: { catalogPollMs: 20 } });
  return { catalogFile, ...(await filled(api, instance)) };
}

async function filled(api: Api, { url }: { url: string }, services = ['pay-api', 'shop-api', 'other']) {
  for (const service of services) await api.append({ service, environment: 'prod', happened_at: yesterday() }, {}, url);
  const count = async (query: string) => {
    const { cells } = bodyOf<{ cells: { count: number }[] }>(
      await api.send({ path: `${pathOf('heatmap')}?${query}` }, url),
    );
    return cells.reduce((sum, cell) => sum + cell.count, 0);
  };
  return { url, count };
}

function yesterday(): string {
  return `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`;
}

suite('questions catalog', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§11.2: the catalog lists every service in the log, sorted by code point, with null for unknown values',
    async () => {
      const { url } = await catalogued(api);
      expect(bodyOf(await api.send({ path }, url))).toEqual({
        items: [
          { service: 'other', ...nothing },
          {
            service: 'pay-api',
            team: 'payments',
            owner: 'Ann',
            repository: 'https://git/pay',
            runbook: 'https://wiki/pay',
            tags: ['money'],
          },
          { service: 'shop-api', ...nothing, team: 'platform' },
        ],
        presets: [{ name: 'Payments', view: 'board', query: 'teams=payments' }],
      });
    },
  );

  test('§11: without a catalog file, all values of a service are null and every team is unknown', async () => {
    const { service } = await api.append();
    const { items, presets } = bodyOf<{ items: object[]; presets: object[] }>(await api.send({ path }));
    expect(items).toContainEqual({ service, ...nothing });
    expect(presets).toEqual([]);
    expectFaults(await api.send({ path: `${pathOf('heatmap')}?teams=payments` }), ['/teams']);
  });

  testOwnInstance(
    '§11.2, §1.1: the catalog has a weak ETag, and a request with it returns 304 until a service is added or the file changes',
    async () => {
      const { url, catalogFile } = await changeable(api);
      const { headers } = await api.send({ path }, url);
      const known = () => api.send({ path, headers: { 'if-none-match': String(headers.etag) } }, url);
      expect(headers.etag).toMatch(/^W\//);
      expect((await known()).status).toBe(304);
      await api.append({ service: 'later' }, {}, url);
      expect((await known()).status).toBe(200);
      const { headers: later } = await api.send({ path }, url);
      await writeFile(catalogFile, file.replace('Ann', 'Bob'));
      await until(
        async () => (await api.send({ path, headers: { 'if-none-match': String(later.etag) } }, url)).status === 200,
      );
    },
  );

  testOwnInstance("§11.3: a scope includes its teams' services and the services that match its globs", async () => {
    const { count } = await catalogued(api, ['pay-api', 'pay-web', 'shop-api', 'other', 'Other']);
    expect(await count('teams=payments')).toBe(2);
    expect(await count('teams=platform')).toBe(1);
    expect(await count('teams=payments&teams=platform')).toBe(3);
    expect(await count('teams=payments&services=other')).toBe(3);
    expect(await count('teams=payments&services=%3Fther&services=pay-*')).toBe(4);
    expect(await count('teams=payments&environments=dev')).toBe(0);
  });

  testOwnInstance('§12.2: a team in the file without services in the log adds nothing to a scope', async () => {
    const { count } = await catalogued(api);
    expect(await count('teams=idle')).toBe(0);
    expect(await count('teams=idle&services=other')).toBe(1);
  });

  testOwnInstance(
    '§11.3, §12.2: an unknown team or more than 100 teams are rejected with the pointer /teams',
    async () => {
      const { url } = await catalogued(api);
      for (const query of [
        'teams=Payments',
        'teams=payments&teams=x',
        'teams=',
        'teams=pay*',
        'teams=a&'.repeat(101),
      ]) {
        for (const name of [...reportNames.map(pathOf), '/api/analytics/stages', '/api/quality']) {
          expectFaults(await api.send({ path: `${name}?${query}` }, url), ['/teams']);
        }
      }
      expect((await api.send({ path: `${pathOf('heatmap')}?${'teams=payments&'.repeat(100)}` }, url)).status).toBe(200);
    },
  );

  testOwnInstance('§12.2: scope has the teams as sent, and no teams member if none were sent', async () => {
    const { url } = await catalogued(api);
    for (const name of [...reportNames.map(pathOf), '/api/analytics/stages', '/api/quality']) {
      const { json } = await api.send({ path: `${name}?teams=payments&services=o*` }, url);
      expect(json).toMatchObject({ scope: { services: ['o*'], environments: [], teams: ['payments'] } });
      const other = await api.send({ path: `${name}?services=o*` }, url);
      expect((other.json as { scope: object }).scope).not.toHaveProperty('teams');
    }
  });

  testOwnInstance(
    "§12.11: the service notices a changed catalog file, even if it was replaced by a rename, and the team's figures change",
    async () => {
      const { url, catalogFile, count } = await changeable(api);
      const { headers } = await api.send({ path: `${pathOf('heatmap')}?teams=payments` }, url);
      await writeFile(`${catalogFile}.other`, 'services: [{ name: "*", team: payments }]');
      await rename(`${catalogFile}.other`, catalogFile);
      await until(async () => (await count('teams=payments')) === 3);
      const request = {
        path: `${pathOf('heatmap')}?teams=payments`,
        headers: { 'if-none-match': String(headers.etag) },
      };
      expect((await api.send(request, url)).status).toBe(200);
    },
  );

  testOwnInstance(
    '§11.1, §11.5: if a new version of the file has an error, the last valid version stays in use and metrics show the error',
    async () => {
      const { url, catalogFile, count } = await changeable(api);
      const metric = async (pattern: RegExp) => pattern.exec((await api.send({ path: '/metrics' }, url)).text)?.[1];
      const digest = await metric(/^shiplog_catalog_info\{digest="([0-9a-f]+)"\} 1$/m);
      expect(digest).toBeDefined();
      await writeFile(catalogFile, 'services: [{ team: payments }]');
      await until(async () => (await metric(/^shiplog_catalog_faults_total (\d+)$/m)) === '1');
      expect(await count('teams=payments')).toBe(1);
      expect(await metric(/^shiplog_catalog_info\{digest="([0-9a-f]+)"\} 1$/m)).toBe(digest);
    },
  );
});
