import type { AnalyticsKpi } from '@shiplog/contract';
import { expect } from 'vitest';
import { type Figures, inOneWindow, type Placed } from '../support/analytics.ts';
import { allStatuses } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

type Kpi = 'deployment_frequency' | 'change_failure_rate';

const failure = { status: 'failure' } as const;

/** Returns a number of successes and then a number of failures at noon on a day. */
function terminal(day: number, successes: number, failures: number): Placed[] {
  return [
    ...Array.from({ length: successes }, (): Placed => [day, '12:00']),
    ...Array.from({ length: failures }, (): Placed => [day, '12:00', failure]),
  ];
}

suiteOfOwnLogs('analytics KPIs', (api, { testOwnInstance }) => {
  const kpiOf = async (log: Figures, name: Kpi, window = '7d'): Promise<AnalyticsKpi> =>
    (await log.read('dora', { window }))[name];

  testOwnInstance(
    '§2 AnalyticsKpi, reading 5.5: the four KPIs have the same six members, and only lead_time is an approximation',
    inOneWindow(api, async (log) => {
      const slot = { service: 's', environment: 'prod' };
      await log.store([2, '12:00', { ...slot, ...failure, deployment_id: 'p' }]);
      await log.store([2, '13:00', { ...slot, parent_deployments: ['p'] }]);
      const nothing = [null, null, null, null, null];
      expect(await log.read('dora')).toEqual({
        deployment_frequency: {
          value: 2 / 7,
          unit: 'per_day',
          classification: 'high',
          trend_delta: -1,
          sparkline: [0, 2, 0, 0, 0, 0, 0],
          approximated: false,
        },
        lead_time: {
          value: 1,
          unit: 'hours',
          classification: 'elite',
          trend_delta: null,
          sparkline: [null, 1, ...nothing],
          approximated: true,
        },
        change_failure_rate: {
          value: 0.5,
          unit: 'ratio',
          classification: 'low',
          trend_delta: null,
          sparkline: [0, 0.5, 0, 0, 0, 0, 0],
          approximated: false,
        },
        time_to_restore: {
          value: 60,
          unit: 'minutes',
          classification: 'elite',
          trend_delta: null,
          sparkline: [null, 60, ...nothing],
          approximated: false,
        },
      });
    }),
  );

  testOwnInstance(
    'readings 5.5 and 5.7: deployment_frequency is terminal rows ÷ days, and its sparkline has the rows of each day',
    inOneWindow(api, async (log) => {
      await log.store(...terminal(1, 2, 1), ...terminal(3, 1, 0), ...terminal(7, 0, 4));
      for (const status of allStatuses.filter((each) => each !== 'success' && each !== 'failure')) {
        await log.store([5, '12:00', { status }]);
      }
      const kpi = await kpiOf(log, 'deployment_frequency');
      expect(kpi).toMatchObject({ value: 8 / 7, sparkline: [3, 0, 1, 0, 0, 0, 4] });
      const longer = await kpiOf(log, 'deployment_frequency', '30d');
      expect(longer.value).toBe(8 / 30);
      expect(longer.sparkline).toEqual([...Array.from({ length: 23 }, () => 0), ...kpi.sparkline]);
    }),
  );

  testOwnInstance.each([
    ['7d', 7, 'elite'],
    ['7d', 6, 'high'],
    ['7d', 1, 'high'],
    ['14d', 2, 'high'],
    ['14d', 1, 'medium'],
    ['30d', 5, 'high'],
    ['30d', 4, 'medium'],
    ['30d', 1, 'medium'],
    ['30d', 0, 'low'],
  ])('reading 5.5: a deployment_frequency over %s of %i rows is %s', async (window, rows, classification) => {
    await inOneWindow(api, async (log) => {
      await log.store(...terminal(4, rows, 0));
      expect(await kpiOf(log, 'deployment_frequency', window)).toMatchObject({ classification });
    })();
  });

  testOwnInstance(
    'reading 5.6: the trend of deployment_frequency compares the daily rates of the first three and the last four of seven days',
    inOneWindow(api, async (log) => {
      // 6 rows in 3 days are 2 per day.
      await log.store(...terminal(1, 2, 0), ...terminal(3, 2, 2));
      expect((await kpiOf(log, 'deployment_frequency')).trend_delta).toBe(-1);
      // 4 rows in 4 days are 1 per day, half the prior rate.
      await log.store(...terminal(4, 1, 1), ...terminal(7, 2, 0));
      expect((await kpiOf(log, 'deployment_frequency')).trend_delta).toBe(-0.5);
      // 12 rows in 4 days are 3 per day.
      await log.store(...terminal(5, 8, 0));
      expect((await kpiOf(log, 'deployment_frequency')).trend_delta).toBe(0.5);
    }),
  );

  testOwnInstance.each([
    ['7d', [3, '23:59:59.999999'], [4, '00:00']],
    ['14d', [0, '23:59:59.999999'], [1, '00:00']],
    ['30d', [-8, '23:59:59.999999'], [-7, '00:00']],
  ] as const)('reading 5.6: the prior half of %s is its first floor(days ÷ 2) days', async (window, last, first) => {
    await inOneWindow(api, async (log) => {
      // All deployments failed in the prior half, and one of two in the current half.
      await log.store([...last, failure], [...first, failure], [...first]);
      expect((await kpiOf(log, 'change_failure_rate', window)).trend_delta).toBe(-0.5);
    })();
  });

  testOwnInstance(
    'reading 5.6: trend_delta is null if a half has no value or the prior half is 0',
    inOneWindow(api, async (log) => {
      await log.store(...terminal(5, 1, 1));
      // Without rows, the frequency is 0 (no division by it is possible), and the failure rate has no value.
      expect((await kpiOf(log, 'deployment_frequency')).trend_delta).toBeNull();
      expect((await kpiOf(log, 'change_failure_rate')).trend_delta).toBeNull();
      await log.store(...terminal(2, 4, 0));
      expect((await kpiOf(log, 'deployment_frequency')).trend_delta).not.toBeNull();
      expect((await kpiOf(log, 'change_failure_rate')).trend_delta).toBeNull();
      await log.store(...terminal(2, 0, 4));
      expect((await kpiOf(log, 'change_failure_rate')).trend_delta).toBe(0);
    }),
  );

  testOwnInstance(
    'reading 5.6: the trend is -1 if the current half has no failures, and null if it has no rows',
    inOneWindow(api, async (log) => {
      await log.store(...terminal(2, 1, 1));
      expect((await kpiOf(log, 'change_failure_rate')).trend_delta).toBeNull();
      await log.store(...terminal(6, 1, 0));
      expect((await kpiOf(log, 'change_failure_rate')).trend_delta).toBe(-1);
    }),
  );

  testOwnInstance(
    'readings 5.5 and 5.7: change_failure_rate is the rate over all rows, not the mean of the daily rates',
    inOneWindow(api, async (log) => {
      await log.store(...terminal(1, 0, 1), ...terminal(4, 5, 1), [4, '12:00', { status: 'cancelled' }]);
      expect(await kpiOf(log, 'change_failure_rate')).toMatchObject({
        value: 2 / 7,
        classification: 'high',
        sparkline: [1, 0, 0, 1 / 6, 0, 0, 0],
        trend_delta: 1 / 6 - 1,
      });
    }),
  );

  testOwnInstance.each([
    [1, 0, 'elite'],
    [17, 3, 'elite'],
    [16, 3, 'high'],
    [7, 3, 'high'],
    [6, 3, 'medium'],
    [11, 9, 'medium'],
    [6, 5, 'low'],
    [1, 19, 'low'],
    [0, 1, 'low'],
  ])(
    'reading 5.5: with %i successes and %i failures, change_failure_rate is classified as %s',
    async (ok, bad, classification) => {
      await inOneWindow(api, async (log) => {
        await log.store(...terminal(4, ok, bad));
        const kpi = await kpiOf(log, 'change_failure_rate');
        expect(kpi).toMatchObject({ classification, value: bad / (ok + bad) });
      })();
    },
  );
});
