import { expect } from 'vitest';
import { inOneWindow } from '../support/analytics.ts';
import { withQuery } from '../support/api.ts';
import { readEvidence, storeRows, toldItems } from '../support/evidence.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** `production` is also the name of an environment that no stage has. */
const promotionOrder = [
  'dev',
  { name: 'early', globs: ['UAT-*', 'st?ging'] },
  { name: 'production', globs: ['prod-*'] },
];

suiteOfOwnLogs('analytics stages of several environments', (api, { testOwnInstance, testSharedLog }) => {
  testOwnInstance(
    'stages §4.4: a deployment counts once in a stage, however many of its environments it reached',
    inOneWindow(
      api,
      async (log) => {
        const rows = await storeRows(
          log,
          [2, '08:00', { deployment_id: 'a', environment: 'dev' }],
          [2, '09:00', { deployment_id: 'a', environment: 'uat-one' }],
          [2, '10:00', { deployment_id: 'a', environment: 'UAT-two', status: 'queued' }],
          [2, '11:00', { deployment_id: 'b', environment: 'prod-eu' }],
          [2, '12:00', { deployment_id: 'b', environment: 'prod-us' }],
          [2, '13:00', { deployment_id: 'b', environment: 'production' }],
        );
        expect((await log.read('promotion-funnel')).stages).toEqual([
          { environment: 'dev', count: 1, conversion: 1 },
          { environment: 'early', count: 1, conversion: 1 },
          { environment: 'production', count: 1, conversion: null },
        ]);
        const evidence = await readEvidence(log, 'promotion_funnel');
        expect(evidence.value).toEqual({ dev: 1, early: 1, production: 1 });
        expect(toldItems(evidence, rows)).toEqual([
          ['13:00', null, false, 'outside-ladder', [5]],
          ['11:00', 1, true, null, [3, 4]],
          ['09:00', 1, true, null, [1, 2]],
          ['08:00', 1, true, null, [0]],
        ]);
        expect(evidence.items.map(({ environment }) => environment)).toEqual([
          ...['production', 'prod-eu', 'uat-one', 'dev'],
        ]);
      },
      { promotionOrder },
    ),
  );

  testOwnInstance(
    'stages §4.4, §4.7: a scope includes a stage of several environments if one of them matches; stage: is part of a glob',
    inOneWindow(
      api,
      async (log) => {
        await storeRows(log, [-9, '08:00', { environment: 'uat-one' }], [2, '09:00', { environment: 'prod-eu' }]);
        await storeRows(log, [2, '09:00', { environment: 'stage:production', deployment_id: 'odd' }]);
        const namesIn = async (environments: string) =>
          (await log.read('promotion-funnel', { environments })).stages.map(({ environment }) => environment);
        expect(await namesIn('uat-*')).toEqual(['early']);
        expect(await namesIn('prod-e?')).toEqual(['production']);
        expect(await namesIn('production')).toEqual([]);
        expect(await namesIn('dev')).toEqual(['dev']);
        expect(await namesIn('stage:production')).toEqual([]);
        const odd = await readEvidence(log, 'promotion_funnel', { environments: 'stage:production' });
        expect(odd.items.map((item) => [item.deployment_id, item.environment, item.reason])).toEqual([
          ['odd', 'stage:production', 'outside-ladder'],
        ]);
      },
      { promotionOrder },
    ),
  );

  testOwnInstance(
    'stages §4.5: a success in each environment of the last stage is a sample of the lead time',
    inOneWindow(
      api,
      async (log) => {
        const rows = await storeRows(
          log,
          [2, '08:00', { deployment_id: 'a', environment: 'dev' }],
          [2, '10:00', { deployment_id: 'b', environment: 'prod-eu', parent_deployments: ['a'] }],
          [2, '14:00', { deployment_id: 'b', environment: 'prod-us', parent_deployments: ['a'] }],
          [2, '20:00', { deployment_id: 'b', environment: 'production', parent_deployments: ['a'] }],
          [2, '21:00', { deployment_id: 'b', environment: 'uat-one', parent_deployments: ['a'] }],
        );
        expect((await log.read('dora')).lead_time.value).toBe(4);
        expect(toldItems(await readEvidence(log, 'lead_time'), rows)).toEqual([
          ['21:00', null, false, 'not-production', [4]],
          ['20:00', null, false, 'not-production', [3]],
          ['14:00', 6, true, null, [2, 0]],
          ['10:00', 2, true, null, [1, 0]],
          ['08:00', null, false, 'not-production', [0]],
        ]);
      },
      { promotionOrder },
    ),
  );

  testSharedLog(
    'stages §4.18: the ETag of one instance does not give 304 on an instance with other stages',
    inOneWindow(api, async (plain) => {
      await storeRows(plain, [2, '09:00', { environment: 'dev' }], [2, '09:00', { environment: 'prod-eu' }]);
      const staged = await plain.beside({ promotionOrder });
      const same = await plain.beside();
      for (const name of ['promotion-funnel', 'evidence/promotion_funnel']) {
        const path = withQuery(`/api/analytics/${name}`, {});
        const { headers } = await plain.send({ path });
        const known = { path, headers: { 'if-none-match': headers.etag ?? '' } };
        expect([(await same.send(known)).status, (await staged.send(known)).status]).toEqual([304, 200]);
      }
    }),
  );
});
