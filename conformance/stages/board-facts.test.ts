import type { EnvironmentsDiff } from '@shiplog/contract';
import { expect } from 'vitest';
import { bodyOf, withQuery } from '../support/api.ts';
import { type DatedLog, dated } from '../support/arrival.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const promotionOrder = [
  { name: 'dev' },
  { name: 'Early', globs: ['uat-*'] },
  { name: 'live', globs: ['prod-*', 'dr'] },
];
const config = { analytics: { granularity: 'day', promotionOrder } } as const;

async function success(log: DatedLog, environment: string, version: string, minutesAgo: number): Promise<void> {
  await log.append({ service: 'pay', environment, version, happened_at: log.ago(minutesAgo) });
}

async function behindOf(log: DatedLog) {
  return (await log.facts()).places.flatMap(({ environment, behind }) =>
    behind ? [[environment, behind.of, behind.count, behind.since]] : [],
  );
}

suiteOfOwnLogs('questions board facts: stages of several environments', (api, { testOwnInstance, testSharedLog }) => {
  testOwnInstance(
    'stages §2.2, §4.12: every environment is in its stage, the others are last, and a scope changes nothing',
    dated(
      api,
      async (log) => {
        const facts = async (query = '') => {
          const { ladder, production, stages } = await log.facts(query);
          return { ladder, production, stages };
        };
        const named = { ladder: ['dev', 'Early', 'live'], production: 'live' };
        const stagesOf = (dev: string[], live: string[], others: string[]) => [
          { name: 'dev', environments: dev, production: false },
          { name: 'Early', environments: [], production: false },
          { name: 'live', environments: live, production: true },
          { name: null, environments: others, production: false },
        ];
        expect(await facts()).toEqual({ ...named, stages: stagesOf([], [], []) });
        for (const environment of ['prod-us', 'Dev', 'qa', 'DR', 'prod-eu', 'live', 'dev'])
          await log.append({ environment, status: 'queued' });
        const due = { ...named, stages: stagesOf(['Dev', 'dev'], ['DR', 'prod-eu', 'prod-us'], ['live', 'qa']) };
        expect(await facts()).toEqual(due);
        expect(await facts('environments=dev')).toEqual(due);
      },
      config,
    ),
  );

  testOwnInstance(
    'stages §4.12: plain stages have their environments too',
    dated(api, async (log) => {
      await log.append({ environment: 'PROD' });
      const { stages } = await log.facts();
      expect(stages.at(-2)).toEqual({ name: 'prod', environments: ['PROD'], production: true });
      expect(stages).toHaveLength(6);
    }),
  );

  testOwnInstance(
    'stages §2.3, §4.13: a place compares with the newest release that runs in the stage before, as the diff says unless it is mixed',
    dated(
      api,
      async (log) => {
        await success(log, 'uat-a', '1', 90);
        await success(log, 'uat-a', '2', 80);
        await success(log, 'uat-b', '1', 85);
        await success(log, 'prod-eu', '1', 70);
        await success(log, 'dr', '2', 60);
        // Two environments of one stage never compare.
        expect(await behindOf(log)).toEqual([['prod-eu', 'stage:Early', 1, log.ago(80)]]);
        await success(log, 'uat-b', '2', 50);
        const path = withQuery('/api/environments/diff', { from: 'stage:Early', to: 'prod-eu' });
        const [item] = bodyOf<EnvironmentsDiff>(await log.get(path)).items;
        expect(item).toMatchObject({ relation: 'ahead', behind: 1, since: log.ago(80), mixed: null });
        expect(await behindOf(log)).toEqual([['prod-eu', 'stage:Early', 1, log.ago(80)]]);
      },
      config,
    ),
  );

  testOwnInstance(
    'stages §4.13: if the stage before is plain, its environment is given as it is without stages',
    dated(
      api,
      async (log) => {
        await success(log, 'DEV', '1', 90);
        await success(log, 'DEV', '2', 80);
        await success(log, 'prod-us', '1', 70);
        await success(log, 'live', '1', 70);
        expect(await behindOf(log)).toEqual([['prod-us', 'DEV', 1, log.ago(80)]]);
      },
      config,
    ),
  );

  testSharedLog('stages §4.12, §4.18: the ETag covers the stages', async () => {
    const { url, databaseUrl } = await api.instance({ ownLog: true });
    const other = await api.instance({
      databaseUrl,
      config: {
        analytics: {
          granularity: 'day',
          promotionOrder: ['dev', 'staging', 'qa', 'preprod', 'prod'].map((name) =>
            name === 'prod' ? { name, globs: ['prod', 'live'] } : { name },
          ),
        },
      },
    });
    await api.append({ environment: 'live' }, {}, url);
    const { headers } = await api.send({ path: '/api/board/facts' }, url);
    const known = { path: '/api/board/facts', headers: { 'if-none-match': headers.etag ?? '' } };
    expect([(await api.send(known, url)).status, (await api.send(known, other.url)).status]).toEqual([304, 200]);
  });
});
