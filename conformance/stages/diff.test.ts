import type { EnvironmentsDiff } from '@shiplog/contract';
import { expect } from 'vitest';
import { bodyOf, type EventFields, type QueryValues, withQuery } from '../support/api.ts';
import { type DatedLog, dated } from '../support/arrival.ts';
import { expectFaults } from '../support/refusals.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const several = [
  { name: 'dev' },
  { name: 'early', globs: ['uat-*'] },
  { name: 'live', globs: ['prod-*', 'dr'] },
  { name: 'empty', globs: ['nowhere'] },
];
const analytics = { granularity: 'day', promotionOrder: several } as const;

/** A success: its environment, its version and its minute before the log was opened. */
type Success = readonly [environment: string, version: string, minutesAgo: number, fields?: EventFields];

async function store(log: DatedLog, ...successes: readonly Success[]): Promise<void> {
  for (const [environment, version, minutesAgo, fields] of successes)
    await log.append({
      service: 'pay',
      environment,
      ...(version && { version }),
      happened_at: log.ago(minutesAgo),
      ...fields,
    });
}

async function diffOf(log: DatedLog, query: QueryValues) {
  return bodyOf<EnvironmentsDiff>(await log.get(withQuery('/api/environments/diff', query)));
}

/** Relation, number of releases, since, version in `from`, version in `to`, and the environments of a mixed stage. */
async function told(log: DatedLog, from: string, to: string, more: QueryValues = {}) {
  return (await diffOf(log, { from, to, ...more })).items.map((item) => [
    ...[item.relation, item.behind, item.since, item.from?.version ?? null, item.to?.version ?? null],
    item.mixed?.map(({ environment, version, sha }) => [environment, version, sha].join(' ')) ?? item.mixed,
  ]);
}

suiteOfOwnLogs('questions differences of stages', (api, { testOwnInstance }) => {
  testOwnInstance(
    'stages §2.4, §4.9: the release of a stage is that of its environments, and its latest success represents it',
    dated(
      api,
      async (log) => {
        await store(
          log,
          ['prod-eu', '1', 90],
          ['prod-us', '1', 80],
          ['dr', '1', 85],
          ['dev', '1', 95],
          ['dev', '2', 70],
        );
        const { items, ...answer } = await diffOf(log, { from: 'dev', to: 'stage:LIVE' });
        expect(answer).toMatchObject({ from: 'dev', to: 'stage:LIVE', counts: { ahead: 1 } });
        expect(items[0]).toMatchObject({ relation: 'ahead', behind: 1, since: log.ago(70), mixed: null });
        expect(items[0]?.to?.environment).toBe('prod-us');
        expect(await told(log, 'stage:live', 'stage:live')).toEqual([['same', null, null, '1', '1', null]]);
        expect(await told(log, 'stage:empty', 'dev')).toEqual([['only-to', null, null, null, '2', null]]);
        const plain = await diffOf(log, { from: 'dev', to: 'prod-eu' });
        expect(plain.items[0]).not.toHaveProperty('mixed');
      },
      { analytics },
    ),
  );

  testOwnInstance(
    'stages §4.9, §4.11: in a mixed stage the oldest release counts, by its first success in the stage',
    dated(
      api,
      async (log) => {
        await store(log, ['prod-eu', '1', 90], ['prod-eu', '2', 80], ['prod-us', '2', 75], ['prod-eu', '1', 60]);
        await store(log, ['dev', '1', 100], ['dev', '2', 95], ['dev', '3', 50]);
        const mixed = ['prod-eu 1 ', 'prod-us 2 '];
        expect(await told(log, 'dev', 'stage:live')).toEqual([['ahead', 2, log.ago(95), '3', '1', mixed]]);
        expect(await told(log, 'stage:live', 'dev')).toEqual([['behind', null, null, '1', '3', mixed]]);
        expect(await told(log, 'dev', 'stage:live', { at: log.ago(76) })).toEqual([
          ['same', null, null, '2', '2', null],
        ]);
        await store(log, ['uat-b', '2', 65], ['uat-a', '1', 66]);
        const both = ['uat-a 1 ', 'uat-b 2 ', ...mixed];
        expect(await told(log, 'stage:early', 'stage:live')).toEqual([['same', null, null, '1', '1', both]]);
      },
      { analytics },
    ),
  );

  testOwnInstance(
    'stages §4.9: an environment without a success or without a release does not count, unless none has a release',
    dated(
      api,
      async (log) => {
        await store(log, ['prod-eu', '1', 90], ['prod-us', '', 80], ['dr', '2', 70, { status: 'failure' }]);
        await store(log, ['dev', '1', 95]);
        expect(await told(log, 'dev', 'stage:live')).toEqual([['same', null, null, '1', '1', null]]);
        await store(log, ['prod-eu', '', 60, { deployment_id: 'last' }]);
        expect(await told(log, 'dev', 'stage:live')).toEqual([['diverged', null, null, '1', null, null]]);
        await store(log, ['dev', '', 50, { deployment_id: 'last' }]);
        expect(await told(log, 'dev', 'stage:live')).toEqual([['same', null, null, null, null, null]]);
      },
      { analytics },
    ),
  );

  testOwnInstance(
    'stages §4.10: releases count from their first success on either side, not from the last in from',
    dated(
      api,
      async (log) => {
        await store(log, ['dev', '1', 90], ['dev', '2', 80], ['dev', '1', 70], ['dev', '3', 60]);
        await store(log, ['prod-eu', '1', 85]);
        // Between two environments, only release 3 succeeded after the last success of release 1.
        expect((await diffOf(log, { from: 'dev', to: 'prod-eu' })).items[0]).toMatchObject({ behind: 1 });
        expect(await told(log, 'dev', 'stage:live')).toEqual([['ahead', 2, log.ago(80), '3', '1', null]]);
        // Release 2 has an earlier success in the stage, so it is not newer than release 1.
        await store(log, ['dr', '2', 99], ['dr', '1', 98]);
        expect(await told(log, 'dev', 'stage:live')).toEqual([['ahead', 1, log.ago(60), '3', '1', null]]);
        expect(await told(log, 'stage:live', 'dev')).toEqual([['behind', null, null, '1', '3', null]]);
      },
      { analytics },
    ),
  );

  testOwnInstance(
    'stages §4.8: stage: accepts a plain stage, even if an environment has this name; an unknown stage is rejected',
    dated(
      api,
      async (log) => {
        await store(log, ['dev', '1', 90], ['DEV', '2', 80], ['stage:dev', '3', 70], ['prod-eu', '1', 60]);
        expect(await told(log, 'stage:Dev', 'prod-eu')).toEqual([['same', null, null, '1', '1', ['DEV 2 ', 'dev 1 ']]]);
        const faultsOf = (from: string, to: string) => log.get(withQuery('/api/environments/diff', { from, to }));
        expectFaults(await faultsOf('stage:prod-eu', 'dev'), ['/from']);
        expectFaults(await faultsOf('dev', 'stage:'), ['/to']);
        expect(await told(log, 'Stage:dev', 'prod-eu')).toEqual([['only-to', null, null, null, '1', undefined]]);
      },
      { analytics },
    ),
  );
});
