import type { ChangesHistogram, ChangesPage } from '@shiplog/contract';
import { expect } from 'vitest';
import { bodyOf } from '../support/api.ts';
import { type DatedLog, dated } from '../support/arrival.ts';
import { pathWith, sumOf } from '../support/changes.ts';
import { expectFaults } from '../support/refusals.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** The name of an environment of the stage live, taken as a glob, would match prod-early. */
const promotionOrder = [
  { name: 'dev' },
  { name: 'prod-early' },
  { name: 'live', globs: ['prod*'] },
  { name: 'none', globs: ['nowhere'] },
];
const config = { analytics: { granularity: 'day', promotionOrder } } as const;

const read = async (log: DatedLog, ...environments: string[]) =>
  bodyOf<ChangesPage>(await log.get(pathWith('/api/changes', { environments })));

suiteOfOwnLogs('questions changes of stages', (api, { testOwnInstance }) => {
  testOwnInstance(
    'changes §1, stages §4.8: stage:<name> stands for the environments of the stage, and is repeated as sent',
    dated(
      api,
      async (log) => {
        for (const environment of ['dev', 'prod*', 'PROD-us', 'prod-eu', 'prod-early', 'stage:live'])
          await log.append({ environment, happened_at: log.ago(5) });
        const page = await read(log, 'stage:LIVE');
        expect(page.scope).toEqual({ services: [], environments: ['stage:LIVE'] });
        expect(page.items.map((item) => 'environment' in item && item.environment).sort()).toEqual([
          ...['PROD-us', 'prod*', 'prod-eu'],
        ]);
        expect(page.counts).toMatchObject({ changes: 3, elsewhere: 3 });
        expect((await read(log, 'stage:live', 'd*')).counts).toMatchObject({ changes: 4, elsewhere: 2 });
        expect((await read(log, 'stage:none')).counts).toMatchObject({ changes: 0, elsewhere: 6 });
        const path = pathWith('/api/changes/histogram', { environments: 'stage:live' });
        const { buckets } = bodyOf<ChangesHistogram>(await log.get(path));
        expect(buckets.reduce((sum, { by_state }) => sum + sumOf(by_state), 0)).toBe(3);
      },
      config,
    ),
  );

  testOwnInstance(
    'stages §4.8: an unknown stage is rejected',
    dated(
      api,
      async (log) => {
        for (const call of ['/api/changes', '/api/changes/histogram']) {
          const answer = await log.get(pathWith(call, { environments: ['dev', 'stage:nowhere'] }));
          expectFaults(answer, ['/environments/1']);
        }
      },
      config,
    ),
  );
});
