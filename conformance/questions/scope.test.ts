import { expect, test } from 'vitest';
import { inOneWindow, pathOf, reportNames } from '../support/analytics.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const long = 'x'.repeat(129);

suite('analytics scope', (api, { testOwnInstance }) => {
  test.each([
    ['services=', '/services'],
    ['services=a&services=', '/services'],
    ['services=a%5C', '/services'],
    [`services=${long}`, '/services'],
    [`${'services=a&'.repeat(101)}`, '/services'],
    [`${'services=%ff&'.repeat(101)}`, '/services'],
    ['environments=', '/environments'],
    ['environments=%5C%5C%5C', '/environments'],
  ])('§2.1, §12.2: every figure rejects %s with its pointer', async (query, pointer) => {
    for (const name of reportNames) expectFaults(await api.send({ path: `${pathOf(name)}?${query}` }), [pointer]);
  });

  test('§12.2: an empty glob and a trailing backslash are each reported once', async () => {
    const { errors = [] } = expectRefusal(await api.get(pathOf('dora'), { services: '' }), 'validation');
    expect(errors).toEqual([{ pointer: '/services', message: 'must not be empty' }]);
  });

  test('§2.2: a response with a scope has the globs as sent and empty lists for missing ones; other responses have no scope', async () => {
    for (const name of reportNames) {
      const { json } = await api.send({ path: `${pathOf(name)}?services=pay-*&services=%5C*&services=%3F%C3%A9` });
      expect(json).toMatchObject({ scope: { services: ['pay-*', '\\*', '?é'], environments: [] } });
      const other = await api.send({ path: `${pathOf(name)}?environments=prod` });
      expect(other.json).toMatchObject({ scope: { services: [], environments: ['prod'] } });
      expect((await api.get(pathOf(name))).json).not.toHaveProperty('scope');
    }
  });

  test('§12.2: NUL and invalid percent-encoding match nothing', async () => {
    await api.append();
    for (const value of ['%00', 'a%00', '%zz', '%ff']) {
      const { json } = await api.send({ path: `${pathOf('heatmap')}?window=7d&services=${value}` });
      expect(json).toMatchObject({ cells: [] });
    }
  });

  testOwnInstance(
    '§2.3: a row counts if its full service and environment names each match a glob, case-sensitively',
    inOneWindow(api, async (log) => {
      const names = ['pay', 'pay-api', 'pay_api', 'Pay-api', 'p*', '\u{1f6a2}'];
      for (const service of names) await log.append({ service, environment: 'prod', happened_at: log.at(2, '10:00') });
      const count = async (query: string) => {
        const { json } = await log.send({ path: `${pathOf('heatmap')}?${query}` });
        const { cells } = json as { cells: { count: number }[] };
        return cells.reduce((sum, cell) => sum + cell.count, 0);
      };
      expect(await count('services=pay')).toBe(1);
      expect(await count('services=pay*')).toBe(3);
      expect(await count('services=pay%3Fapi')).toBe(2);
      expect(await count('services=p%5C*')).toBe(1);
      expect(await count('services=%3F')).toBe(1);
      expect(await count('services=*&environments=PROD')).toBe(0);
      expect(await count('services=pay-api&services=Pay-api&environments=p*')).toBe(2);
      expect(await count('services=%25')).toBe(0);
    }),
  );

  testOwnInstance(
    '§12.2: the funnel has the stages whose configured names match, and each conversion refers to the next of these stages',
    inOneWindow(api, async (log) => {
      for (const environment of ['dev', 'staging', 'prod']) {
        await log.append({ deployment_id: 'one', environment, happened_at: log.at(2, '10:00') });
      }
      await log.append({ deployment_id: 'two', environment: 'dev', happened_at: log.at(2, '10:00') });
      const { json } = await log.send({ path: `${pathOf('promotion-funnel')}?environments=dev&environments=prod` });
      expect(json).toMatchObject({
        stages: [
          { environment: 'dev', count: 2, conversion: 0.5 },
          { environment: 'prod', count: 1, conversion: null },
        ],
      });
    }),
  );

  testOwnInstance(
    '§2.3: the lead time includes parents outside the scope',
    inOneWindow(api, async (log) => {
      const [service, other] = ['pay', 'library'];
      await log.append({ deployment_id: 'first', service: other, environment: 'dev', happened_at: log.at(2, '10:00') });
      const promoted = { deployment_id: 'last', parent_deployments: ['first'], happened_at: log.at(2, '13:00') };
      await log.append({ ...promoted, service, environment: 'prod' });
      expect(await log.read('dora', { services: 'pay' })).toMatchObject({ lead_time: { value: 3 } });
      expect(await log.read('dora', { services: 'library' })).toMatchObject({ lead_time: { value: null } });
    }),
  );
});
