import { expect } from 'vitest';
import { inOneWindow, type Placed } from '../support/analytics.ts';
import type { EventFields } from '../support/api.ts';
import { allStatuses } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** Returns this many equal events. */
function times(count: number, event: Placed): Placed[] {
  return Array.from({ length: count }, () => event);
}

/** The weekday of a date; Sunday is 0. */
function weekday(date: string): number {
  return ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].findIndex((name) =>
    new Date(date).toUTCString().startsWith(name),
  );
}

suiteOfOwnLogs('analytics counts', (api, { testOwnInstance }) => {
  testOwnInstance(
    'aggregation rule 1, readings 5.3 and 5.4: frequency counts terminal events per UTC day, oldest day first',
    inOneWindow(api, async (log) => {
      await log.store(
        [5, '12:00', { status: 'failure' }],
        [2, '23:59:59.999999'],
        [3, '00:00'],
        [2, '00:00', { status: 'failure' }],
        [2, '12:00', { status: 'failure' }],
      );
      for (const status of allStatuses.filter((each) => each !== 'success' && each !== 'failure')) {
        await log.store([2, '12:00', { status }], [4, '12:00', { status }]);
      }
      expect(await log.read('frequency')).toEqual({
        buckets: [
          { date: log.date(1), success: 0, failure: 0 },
          { date: log.date(2), success: 1, failure: 2 },
          { date: log.date(3), success: 1, failure: 0 },
          { date: log.date(4), success: 0, failure: 0 },
          { date: log.date(5), success: 0, failure: 1 },
          { date: log.date(6), success: 0, failure: 0 },
          { date: log.date(7), success: 0, failure: 0 },
        ],
      });
    }),
  );

  testOwnInstance(
    'reading 5.9: frequency counts rows (not deployments) of all services and environments',
    inOneWindow(api, async (log) => {
      const rows: EventFields[] = [
        { deployment_id: 'd', service: 'a', environment: 'dev', actor: 'x' },
        { deployment_id: 'd', service: 'a', environment: 'dev', actor: 'x' },
        { deployment_id: 'd', service: 'b', environment: 'elsewhere', actor: 'x' },
      ];
      for (const row of rows) await log.store([1, '12:00', row]);
      expect((await log.read('frequency')).buckets[0]).toMatchObject({ success: 3, failure: 0 });
      expect((await log.read('heatmap')).cells).toMatchObject([{ count: 3 }]);
      expect((await log.read('top-deployers')).deployers).toEqual([{ actor: 'x', count: 3 }]);
      expect((await log.read('status-distribution')).statuses[4]).toEqual({ status: 'success', count: 3 });
      expect((await log.read('dora')).deployment_frequency.value).toBe(3 / 7);
    }),
  );

  testOwnInstance(
    '§1 rule 3, reading 3.3: an event belongs to the UTC day of its happened_at, whatever offset was sent',
    inOneWindow(api, async (log) => {
      // 01:30+02:00 on day 3 is 23:30 UTC on day 2, and 22:00-03:00 on day 3 is 01:00 UTC on day 4.
      await log.append({ happened_at: log.at(3, '01:30').replace('Z', '+02:00') });
      await log.append({ happened_at: log.at(3, '22:00').replace('Z', '-03:00') });
      const { buckets } = await log.read('frequency');
      expect(buckets.map(({ success }) => success)).toEqual([0, 1, 0, 1, 0, 0, 0]);
      const { cells } = await log.read('heatmap');
      const byDay = [
        { day_of_week: weekday(log.date(2)), hour: 23, count: 1 },
        { day_of_week: weekday(log.date(4)), hour: 1, count: 1 },
      ].sort((a, b) => a.day_of_week - b.day_of_week);
      expect(cells).toEqual(byDay);
    }),
  );

  testOwnInstance(
    "aggregation rule 1, reading 5.3: a day's rate is failure ÷ terminal, unrounded, and 0 on a day without terminal events",
    inOneWindow(api, async (log) => {
      const failure = { status: 'failure' } as const;
      await log.store(...times(2, [1, '12:00']), [1, '12:00', failure]);
      await log.store([2, '12:00', failure]);
      await log.store([3, '12:00']);
      await log.store([4, '12:00', { status: 'in-progress' }], [4, '12:00', { status: 'rejected' }]);
      await log.store(...times(5, [7, '12:00', failure]), [7, '12:00'], [7, '12:00', { status: 'cancelled' }]);
      expect(await log.read('change-failure-rate')).toEqual({
        buckets: [1 / 3, 1, 0, 0, 0, 0, 5 / 6].map((rate, index) => ({ date: log.date(index + 1), rate })),
        elite_threshold: 0.15,
      });
    }),
  );

  testOwnInstance(
    '§4, readings 5.3 and 5.9: the distribution has all eight statuses in the order of their table, with 0 for missing ones',
    inOneWindow(api, async (log) => {
      for (const [index, status] of [...allStatuses].entries()) {
        if (status !== 'waiting') await log.store(...times(index + 1, [1 + (index % 7), '12:00', { status }]));
      }
      expect(await log.read('status-distribution')).toEqual({
        statuses: [
          { status: 'pending', count: 1 },
          { status: 'queued', count: 2 },
          { status: 'waiting', count: 0 },
          { status: 'in-progress', count: 4 },
          { status: 'success', count: 5 },
          { status: 'failure', count: 6 },
          { status: 'cancelled', count: 7 },
          { status: 'rejected', count: 8 },
        ],
      });
    }),
  );

  testOwnInstance(
    'aggregation rule 4, readings 5.3 and 5.9: the heatmap counts events of any status by day and then hour, without empty cells',
    inOneWindow(api, async (log) => {
      const dayOf = new Map([1, 2, 3, 4, 5, 6, 7].map((day) => [weekday(log.date(day)), day]));
      const [sunday = 0, monday = 0, saturday = 0] = [dayOf.get(0), dayOf.get(1), dayOf.get(6)];
      await log.store(
        [saturday, '23:59:59.999999', { status: 'rejected' }],
        [saturday, '00:00', { status: 'pending' }],
        [monday, '09:59', { status: 'queued' }],
        [monday, '09:00', { status: 'failure' }],
        [monday, '10:00', { status: 'in-progress' }],
        [monday, '02:00', { status: 'waiting' }],
        [sunday, '10:30', { status: 'cancelled' }],
      );
      const week = [
        { day_of_week: 0, hour: 10, count: 1 },
        { day_of_week: 1, hour: 2, count: 1 },
        { day_of_week: 1, hour: 9, count: 2 },
        { day_of_week: 1, hour: 10, count: 1 },
        { day_of_week: 6, hour: 0, count: 1 },
        { day_of_week: 6, hour: 23, count: 1 },
      ];
      expect((await log.read('heatmap')).cells).toEqual(week);
      // Events from the previous week would count in the same cells.
      await log.store([sunday - 7, '10:00'], [monday - 7, '03:00']);
      expect((await log.read('heatmap', { window: '7d' })).cells).toEqual(week);
      expect((await log.read('heatmap', { window: '14d' })).cells).toEqual([
        { day_of_week: 0, hour: 10, count: 2 },
        { day_of_week: 1, hour: 2, count: 1 },
        { day_of_week: 1, hour: 3, count: 1 },
        ...week.slice(2),
      ]);
    }),
  );

  testOwnInstance(
    'aggregation rule 5, reading 5.9: deployers are ranked by rows of all statuses; rows without an actor count as unknown',
    inOneWindow(api, async (log) => {
      for (const status of allStatuses) await log.store([2, '12:00', { status, actor: 'alice' }]);
      await log.store(...times(2, [3, '12:00']), [4, '12:00', { actor: 'unknown' }]);
      await log.store(...times(4, [5, '12:00', { actor: 'Alice', status: 'failure' }]));
      expect(await log.read('top-deployers')).toEqual({
        deployers: [
          { actor: 'alice', count: 8 },
          { actor: 'Alice', count: 4 },
          { actor: 'unknown', count: 3 },
        ],
      });
    }),
  );

  testOwnInstance(
    'reading 5.9: deployers with equal numbers of rows are ordered by code point',
    inOneWindow(api, async (log) => {
      const names = ['10', '2', 'A', 'Z', '_', 'a', 'b', 'ä', '\uff5e', '\u{1f600}'];
      for (const actor of [...names].reverse()) await log.store([1, '12:00', { actor }]);
      await log.store(...times(2, [7, '12:00', { actor: 'z' }]));
      const { deployers } = await log.read('top-deployers', { limit: 100 });
      expect(deployers.map(({ actor }) => actor)).toEqual(['z', ...names]);
      expect((await log.read('top-deployers', { limit: 3 })).deployers).toEqual([
        { actor: 'z', count: 2 },
        { actor: '10', count: 1 },
        { actor: '2', count: 1 },
      ]);
    }),
  );
});
