import { expect } from 'vitest';
import { type Figures, inOneWindow } from '../support/analytics.ts';
import { allStatuses } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** Stores an event for each deployment that reached an environment. */
async function reach(log: Figures, environments: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [environment, deployments] of Object.entries(environments)) {
    for (const deployment_id of deployments) await log.store([3, '12:00', { environment, deployment_id }]);
  }
}

suiteOfOwnLogs('analytics funnel', (api, { testOwnInstance }) => {
  testOwnInstance(
    'aggregation rule 3, reading 5.11: the stages follow the promotion order, and conversion is the count of the next stage ÷ this count',
    inOneWindow(api, async (log) => {
      await reach(log, { prod: ['a'], dev: ['a', 'b', 'c', 'd'], staging: ['a', 'b', 'c'], qa: ['a', 'b'] });
      await reach(log, { preprod: ['a', 'b', 'c', 'd', 'e'] });
      expect(await log.read('promotion-funnel')).toEqual({
        stages: [
          { environment: 'dev', count: 4, conversion: 0.75 },
          { environment: 'staging', count: 3, conversion: 2 / 3 },
          // The ratio can exceed 1, because a deployment can skip stages.
          { environment: 'qa', count: 2, conversion: 2.5 },
          { environment: 'preprod', count: 5, conversion: 0.2 },
          { environment: 'prod', count: 1, conversion: null },
        ],
      });
    }),
  );

  testOwnInstance(
    'reading 5.11: a stage without deployments has no conversion, and the previous stage has a conversion of 0',
    inOneWindow(api, async (log) => {
      await reach(log, { dev: ['a'], qa: ['a'] });
      expect((await log.read('promotion-funnel')).stages).toEqual([
        { environment: 'dev', count: 1, conversion: 0 },
        { environment: 'staging', count: 0, conversion: null },
        { environment: 'qa', count: 1, conversion: 0 },
        { environment: 'preprod', count: 0, conversion: null },
        { environment: 'prod', count: 0, conversion: null },
      ]);
    }),
  );

  testOwnInstance(
    'reading 5.11: a deployment counts once per stage, with rows of any status and service',
    inOneWindow(api, async (log) => {
      for (const status of allStatuses) {
        await log.store([2, '12:00', { environment: 'dev', deployment_id: 'many', status }]);
        await log.store([2, '12:00', { environment: 'staging', deployment_id: status, status }]);
      }
      await log.store([5, '12:00', { environment: 'dev', deployment_id: 'many', service: 'another' }]);
      const { stages } = await log.read('promotion-funnel');
      expect(stages.slice(0, 2)).toEqual([
        { environment: 'dev', count: 1, conversion: 8 },
        { environment: 'staging', count: 8, conversion: 0 },
      ]);
    }),
  );

  testOwnInstance(
    'reading 5.11: environment names are case-insensitive, and other environments are not stages',
    inOneWindow(api, async (log) => {
      await reach(log, { dev: ['a', 'b'], DEV: ['b', 'c'], Dev: ['c'], PrOd: ['a'] });
      await reach(log, { develop: ['x'], 'dev ': ['x'], 'prod-eu': ['x'], production: ['x'], QS: ['x'] });
      const { stages } = await log.read('promotion-funnel');
      expect(stages.map(({ environment, count }) => [environment, count])).toEqual([
        ['dev', 3],
        ['staging', 0],
        ['qa', 0],
        ['preprod', 0],
        ['prod', 1],
      ]);
    }),
  );

  testOwnInstance(
    '§8, reading 5.11: the operator sets the promotion order; other environments are not stages',
    inOneWindow(
      api,
      async (log) => {
        await reach(log, { dev: ['a'], Edge: ['a', 'b'], prod: ['a'] });
        expect((await log.read('promotion-funnel')).stages).toEqual([
          { environment: 'PROD', count: 1, conversion: 2 },
          { environment: 'edge', count: 2, conversion: null },
        ]);
      },
      { promotionOrder: ['PROD', 'edge'] },
    ),
  );

  testOwnInstance(
    'aggregation rule 3: a deployment counts for a stage only if it reached the stage in the window',
    inOneWindow(api, async (log) => {
      await log.store(
        [0, '23:59', { environment: 'dev', deployment_id: 'a' }],
        [1, '00:00', { environment: 'staging', deployment_id: 'a' }],
        [8, '00:00', { environment: 'prod', deployment_id: 'a' }],
      );
      const counts = async (window: string) =>
        (await log.read('promotion-funnel', { window })).stages.map(({ count }) => count);
      expect(await counts('7d')).toEqual([0, 1, 0, 0, 0]);
      expect(await counts('14d')).toEqual([1, 1, 0, 0, 0]);
    }),
  );
});
