import type { AnalyticsWindow } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type Figures, inOneWindow, pathOf, reportNames } from '../support/analytics.ts';
import { bodyOf } from '../support/api.ts';
import { suite } from '../support/suite.ts';

const dayMs = 86_400_000;

/** Every analytics response of the log, by name. */
async function readAll(log: Figures): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of reportNames) answers[name] = await log.read(name);
  return answers;
}

/** The start of each UTC day or hour between two times. */
function beginnings(before: number, after: number, unitMs: number): string[] {
  return [before, after].map((ms) => instant(Math.floor(ms / unitMs) * unitMs));
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

suite('analytics window', (api, { testOwnInstance }) => {
  const windowOf = async (path: string) => bodyOf<{ window: AnalyticsWindow }>(await api.send({ path })).window;

  test.each(reportNames)('reading 5.2: the response of %s contains the window', async (name) => {
    const window = await windowOf(`${pathOf(name)}?window=14d`);
    expect(Object.keys(window).sort()).toEqual(['clamped', 'days', 'from', 'retention_days', 'to']);
    expect(window).toMatchObject({ days: 14, clamped: false });
    expect(Date.parse(window.to) - Date.parse(window.from)).toBe(14 * dayMs);
    expect(window.retention_days).toBeGreaterThanOrEqual(90);
  });

  test.each([
    ['?window=7d', 7],
    ['?window=14d', 14],
    ['?window=30d', 30],
    ['?window=7D', 7],
    ['?window=14D', 7],
    ['?window=30D', 7],
    ['?window=%33%30%64', 30],
    ['?x=1&window=30d&limit=5', 30],
    ['', 7],
    ['?window', 7],
    ['?window=', 7],
    ['?window=30', 7],
    ['?window=30d%20', 7],
    ['?window=%2030d', 7],
    ['?window=030d', 7],
    ['?window=1d', 7],
    ['?window=8d', 7],
    ['?window=60d', 7],
    ['?window=30d,14d', 7],
    ['?window=P30D', 7],
    ['?window=%00', 7],
    ['?window=30d%00', 7],
    ['?window=%zz', 7],
    ['?window=%ff', 7],
    ['?Window=30d', 7],
    ['?window=30d&window=30d', 7],
    ['?window=30d&window=14d', 7],
    ['?window=&window=30d', 7],
  ])('§4, reading 5.1: window=%s means %i days', async (query, days) => {
    for (const name of reportNames) {
      expect((await windowOf(pathOf(name) + query)).days, name).toBe(days);
    }
  });

  testOwnInstance.each([
    ['day', dayMs],
    ['hour', dayMs / 24],
  ] as const)(
    'reading 5.1: a window ends at the start of the current UTC %s and is days × 24 h long',
    async (granularity, unitMs) => {
      const before = Date.now();
      await inOneWindow(
        api,
        async (log) => {
          for (const days of [7, 14, 30]) {
            const { from, to, ...rest } = await log.readWindow({ window: `${days}d` });
            expect(beginnings(before, Date.now(), unitMs)).toContain(to);
            expect(from).toBe(instant(Date.parse(to) - days * dayMs));
            expect(rest).toEqual({ days, retention_days: 365, clamped: false });
          }
        },
        { granularity },
      )();
    },
  );

  testOwnInstance(
    'reading 5.1: the window includes its start and excludes its end',
    inOneWindow(api, async (log) => {
      const empty = await readAll(log);
      const whole = { deployment_id: 'd', service: 's', environment: 'prod', actor: 'a', parent_deployments: ['p'] };
      const other = { ...whole, deployment_id: 'o' };
      await log.store(
        [0, '23:59', { ...other, status: 'success' }],
        [0, '23:59:59.999999', { ...other, status: 'failure' }],
        [8, '00:00', { ...other, status: 'failure' }],
        [8, '00:00', { ...other, status: 'success' }],
        [9, '00:00', { ...other, status: 'success' }],
        [0, '00:00', { ...whole, deployment_id: 'p', environment: 'dev' }],
      );
      expect(await readAll(log)).toEqual(empty);
      await log.store([1, '00:00', { ...whole, status: 'failure' }]);
      await log.store([7, '23:59:59.999999', { ...whole, status: 'success' }]);
      const { buckets } = await log.read('frequency');
      expect(buckets[0]).toEqual({ date: log.date(1), success: 0, failure: 1 });
      expect(buckets[6]).toEqual({ date: log.date(7), success: 1, failure: 0 });
      expect((await log.read('change-failure-rate')).buckets[0]?.rate).toBe(1);
      expect((await log.read('heatmap')).cells).toHaveLength(2);
      expect((await log.read('top-deployers')).deployers).toEqual([{ actor: 'a', count: 2 }]);
      expect((await log.read('promotion-funnel')).stages[4]?.count).toBe(1);
      const { statuses } = await log.read('status-distribution');
      expect(statuses.reduce((sum, { count }) => sum + count, 0)).toBe(2);
      // Seven days minus one microsecond.
      expect((await log.read('duration-histogram')).p50).toBeCloseTo(7 * 1440 - 1 / 60e6, 8);
      expect((await log.read('incidents')).incidents).toMatchObject([
        { failed_at: log.at(1, '00:00'), restored_at: log.at(7, '23:59:59.999999') },
      ]);
      const { deployment_frequency, lead_time } = await log.read('dora');
      expect(deployment_frequency.value).toBe(2 / 7);
      expect(lead_time.value).toBeCloseTo(8 * 24 - 1 / 3600e6, 8);
    }),
  );

  testOwnInstance(
    'reading 5.1: a longer window starts earlier and has the same end',
    inOneWindow(api, async (log) => {
      // 30 days reach back to day -22, 14 days to day -6.
      await log.store([1, '00:00'], [0, '12:00'], [-6, '00:00'], [-7, '23:59:59.999'], [-22, '00:00'], [-23, '23:59']);
      for (const [days, rows] of [
        [7, 1],
        [14, 3],
        [30, 5],
      ] as const) {
        const { buckets } = await log.read('frequency', { window: `${days}d` });
        expect(buckets.map(({ date }) => date)).toEqual(
          Array.from({ length: days }, (_, index) => log.date(8 - days + index)),
        );
        expect(buckets.reduce((sum, { success }) => sum + success, 0)).toBe(rows);
        expect(buckets[0]?.success).toBe(1);
        const { deployment_frequency } = await log.read('dora', { window: `${days}d` });
        expect(deployment_frequency.sparkline).toEqual(buckets.map(({ success }) => success));
      }
    }),
  );

  testOwnInstance(
    'reading 5.4: with hourly granularity, a list of days has an entry for each day that the window overlaps',
    inOneWindow(
      api,
      async (log) => {
        const { from, to } = log.window;
        const touched = new Set(Array.from({ length: 7 * 24 }, (_, index) => log.hour(index).slice(0, 10)));
        await log.append({ happened_at: instant(Date.parse(from) - 1) });
        await log.append({ happened_at: from, status: 'failure' });
        await log.append({ happened_at: instant(Date.parse(to) - 1) });
        await log.append({ happened_at: to });
        const { buckets } = await log.read('frequency');
        expect(buckets.map(({ date }) => date)).toEqual([...touched].sort());
        expect(buckets[0]).toMatchObject({ success: 0, failure: 1 });
        expect(buckets.at(-1)).toMatchObject({ success: 1, failure: 0 });
        expect((await log.read('change-failure-rate')).buckets).toHaveLength(touched.size);
        const { scope: _, ...kpis } = await log.read('dora');
        for (const { sparkline } of Object.values(kpis)) expect(sparkline).toHaveLength(touched.size);
        // The rate is two rows in seven days, although the window overlaps eight calendar days.
        expect(kpis.deployment_frequency.value).toBe(2 / 7);
      },
      { granularity: 'hour' },
    ),
  );

  testOwnInstance(
    'reading 5.6: with hourly granularity, the second half starts 3 × 24 h after the window begins, in the middle of a day',
    inOneWindow(
      api,
      async (log) => {
        for (const hours of [0, 10, 71]) await log.append({ happened_at: log.hour(hours) });
        for (const hours of [72, 167]) await log.append({ happened_at: log.hour(hours) });
        // Three rows in three days, then two in four.
        expect((await log.read('dora')).deployment_frequency.trend_delta).toBe(-0.5);
      },
      { granularity: 'hour' },
    ),
  );

  testOwnInstance(
    'aggregation rule 8: a window longer than the retention is shortened to the retention, and the response says so',
    inOneWindow(
      api,
      async (log) => {
        expect(await log.readWindow({ window: '7d' })).toMatchObject({ days: 7, retention_days: 10, clamped: false });
        for (const window of ['14d', '30d']) {
          expect(await log.readWindow({ window })).toEqual({
            days: 10,
            from: log.at(-2, '00:00'),
            to: log.at(8, '00:00'),
            retention_days: 10,
            clamped: true,
          });
        }
        await log.store([1, '12:00'], [2, '12:00'], [3, '12:00'], [7, '12:00']);
        expect((await log.read('frequency', { window: '30d' })).buckets).toHaveLength(10);
        const { deployment_frequency } = await log.read('dora', { window: '30d' });
        // Days -2 to 2 have two rows, and days 3 to 7 have two rows.
        expect(deployment_frequency).toMatchObject({ value: 0.4, trend_delta: 0 });
        expect(deployment_frequency.sparkline).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0, 1]);
      },
      { retentionDays: 10 },
    ),
  );

  testOwnInstance(
    'aggregation rule 8: a window as long as the retention is not shortened',
    inOneWindow(
      api,
      async (log) => {
        expect(await log.readWindow({ window: '14d' })).toMatchObject({ days: 14, retention_days: 14, clamped: false });
        expect(await log.readWindow({ window: '30d' })).toMatchObject({ days: 14, retention_days: 14, clamped: true });
      },
      { retentionDays: 14 },
    ),
  );
});
