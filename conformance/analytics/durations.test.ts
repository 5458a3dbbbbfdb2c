import { expect } from 'vitest';
import { type Figures, inOneWindow } from '../support/analytics.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** Stores deployments with these durations. Each has two rows, the first at noon on day 2. */
async function storeDurations(log: Figures, minutes: readonly number[]): Promise<void> {
  const start = Date.parse(log.at(2, '12:00'));
  await Promise.all(
    minutes.map(async (duration, index) => {
      const deployment_id = `deployment ${index}`;
      await log.append({ deployment_id, happened_at: new Date(start + duration * 60_000).toISOString() });
      await log.append({ deployment_id, happened_at: new Date(start).toISOString(), status: 'in-progress' });
    }),
  );
}

suiteOfOwnLogs('analytics durations', (api, { testOwnInstance }) => {
  const countsOf = async (log: Figures) => (await log.read('duration-histogram')).bins.map(({ count }) => count);

  testOwnInstance(
    'reading 5.10: the histogram always has six bins, which include their lower bound and exclude their upper bound',
    inOneWindow(api, async (log) => {
      await storeDurations(log, [0, 5, 10, 20, 30, 60, 120, 1000]);
      expect((await log.read('duration-histogram')).bins).toEqual([
        { label: '0-10', lower_minutes: 0, upper_minutes: 10, count: 2 },
        { label: '10-20', lower_minutes: 10, upper_minutes: 20, count: 1 },
        { label: '20-30', lower_minutes: 20, upper_minutes: 30, count: 1 },
        { label: '30-60', lower_minutes: 30, upper_minutes: 60, count: 1 },
        { label: '60-120', lower_minutes: 60, upper_minutes: 120, count: 1 },
        { label: '120+', lower_minutes: 120, upper_minutes: null, count: 2 },
      ]);
    }),
  );

  testOwnInstance.each([
    ['10:00', '00:09:59.999999', [1, 1, 0, 0, 0, 0]],
    ['20:00', '00:19:59.999999', [0, 1, 1, 0, 0, 0]],
    ['30:00', '00:29:59.999999', [0, 0, 1, 1, 0, 0]],
    ['60:00', '00:59:59.999999', [0, 0, 0, 1, 1, 0]],
    ['120:00', '01:59:59.999999', [0, 0, 0, 0, 1, 1]],
  ] as const)(
    'reading 5.10: a duration of %s is in the next bin, but a duration that is one microsecond shorter is not',
    async (edge, less, counts) => {
      await inOneWindow(api, async (log) => {
        const minutes = Number(edge.split(':')[0]);
        const exact = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        await log.store([1, '00:00', { deployment_id: 'on' }], [1, exact, { deployment_id: 'on' }]);
        await log.store([1, '00:00', { deployment_id: 'below' }], [1, less, { deployment_id: 'below' }]);
        expect(await countsOf(log)).toEqual(counts);
      })();
    },
  );

  testOwnInstance(
    'aggregation rule 2: a deployment with a single row has no duration',
    inOneWindow(api, async (log) => {
      await log.store([2, '12:00'], [2, '12:30'], [3, '12:00', { status: 'failure' }]);
      const histogram = await log.read('duration-histogram');
      expect(histogram.bins.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(histogram).toMatchObject({ p50: null, p95: null });
      // Two rows with the same time have a duration of 0.
      const deployment_id = 'd';
      await log.store([4, '12:00', { deployment_id }], [4, '12:00', { deployment_id }]);
      expect(await log.read('duration-histogram')).toMatchObject({ p50: 0, p95: 0 });
      expect(await countsOf(log)).toEqual([1, 0, 0, 0, 0, 0]);
    }),
  );

  testOwnInstance(
    'aggregation rule 2: a duration is the time from the first to the last row by happened_at, in unrounded minutes',
    inOneWindow(api, async (log) => {
      const deployment_id = 'd';
      await log.store(
        [2, '12:07', { deployment_id, status: 'success' }],
        [2, '12:15:30', { deployment_id, status: 'cancelled' }],
        [2, '12:00', { deployment_id, status: 'pending' }],
        [2, '12:03', { deployment_id, status: 'in-progress' }],
      );
      const figures = { p50: 15.5, p95: 15.5, p50_minutes: 15.5, p95_minutes: 15.5 };
      expect(await log.read('duration-histogram')).toMatchObject(figures);
    }),
  );

  testOwnInstance(
    'reading 5.10: rows with one deployment_id are one deployment, even over several services, environments and days',
    inOneWindow(api, async (log) => {
      const deployment_id = 'd';
      await log.store([2, '12:00', { deployment_id, service: 'a', environment: 'dev' }]);
      await log.store([4, '12:00', { deployment_id, service: 'b', environment: 'prod' }]);
      await log.store([2, '12:00', { deployment_id: 'D', service: 'a' }], [2, '12:05', { deployment_id: 'd ' }]);
      expect(await log.read('duration-histogram')).toMatchObject({ p50: 2880, p95: 2880 });
      expect(await countsOf(log)).toEqual([0, 0, 0, 0, 0, 1]);
    }),
  );

  testOwnInstance(
    'reading 5.10: a deployment counts if its last row is in the window, even if its first row is earlier',
    inOneWindow(api, async (log) => {
      const [begun, over] = [{ deployment_id: 'begun' }, { deployment_id: 'over' }];
      const [after, alone] = [{ deployment_id: 'after' }, { deployment_id: 'alone' }];
      await log.store([0, '23:50', begun], [1, '00:10', begun]);
      expect(await log.read('duration-histogram')).toMatchObject({ p50: 20, p95: 20 });
      await log.store([0, '20:00', over], [1, '02:00', over], [7, '23:00', over], [8, '00:30', over]);
      await log.store([8, '00:00', after], [8, '00:30', after]);
      await log.store([0, '22:00', alone], [0, '23:00', alone], [3, '12:00']);
      expect(await countsOf(log)).toEqual([0, 0, 1, 0, 0, 0]);
    }),
  );

  testOwnInstance.each([
    ['the middle duration of an odd number', [50, 1, 7], 7],
    ['the mean of the middle two of an even number', [50, 1, 7, 8], 7.5],
    ['with equal durations, which count separately', [3, 3, 3, 100], 3],
    ['a single duration', [42], 42],
    ['the mean of two durations', [10, 31], 20.5],
  ])('reading 5.10: p50 is correct: %s', async (_, minutes, p50) => {
    await inOneWindow(api, async (log) => {
      await storeDurations(log, minutes);
      expect((await log.read('duration-histogram')).p50).toBe(p50);
    })();
  });

  testOwnInstance.each([
    [1, 1],
    [2, 2],
    [19, 19],
    [20, 19],
    [21, 20],
    [39, 38],
    [40, 38],
    [41, 39],
    [100, 95],
  ])('reading 5.10: p95 of the durations 1 to %i minutes is %i, the ceil(0.95 n)-th smallest', async (count, p95) => {
    await inOneWindow(api, async (log) => {
      await storeDurations(
        log,
        Array.from({ length: count }, (_, index) => count - index),
      );
      expect((await log.read('duration-histogram')).p95).toBe(p95);
    })();
  });
});
