import { expect } from 'vitest';
import { type Figures, inOneWindow, type Placed } from '../support/analytics.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** An incident in a separate slot. */
function incident(service: string, failed: readonly [number, string], restored?: readonly [number, string]): Placed[] {
  const slot = { service, environment: 'staging' };
  return [
    [...failed, { ...slot, status: 'failure' }],
    ...(restored ? [[...restored, { ...slot, status: 'success' }] as const] : []),
  ];
}

suiteOfOwnLogs('analytics time to restore', (api, { testOwnInstance }) => {
  const restoreOf = async (log: Figures) => (await log.read('dora')).time_to_restore;

  testOwnInstance(
    'reading 5.5: time_to_restore is the median of the resolved incidents (the mean of the middle two for an even number)',
    inOneWindow(api, async (log) => {
      expect(await restoreOf(log)).toMatchObject({ value: null, classification: 'elite' });
      await log.store(...incident('open', [1, '12:00']));
      expect(await restoreOf(log)).toMatchObject({ value: null, classification: 'low' });
      for (const [service, restored, median] of [
        ['a', '12:30', 30],
        ['b', '14:00', 75],
        ['c', '12:10', 30],
        ['d', '12:31:30', 30.75],
      ] as const) {
        await log.store(...incident(service, [2, '12:00'], [2, restored]));
        expect((await restoreOf(log)).value).toBe(median);
      }
    }),
  );

  testOwnInstance(
    'readings 5.6 and 5.7: a restore belongs to the half and day of its failed_at',
    inOneWindow(api, async (log) => {
      await log.store(...incident('a', [3, '23:00'], [4, '01:00']));
      await log.store(...incident('b', [3, '12:00'], [3, '13:00']));
      await log.store(...incident('c', [4, '00:00'], [4, '00:30']));
      await log.store(...incident('d', [7, '23:30'], [8, '00:30']));
      await log.store(...incident('e', [6, '12:00']));
      expect(await restoreOf(log)).toEqual({
        value: 60,
        unit: 'minutes',
        classification: 'elite',
        // The median falls from 90 to 45.
        trend_delta: -0.5,
        sparkline: [null, null, 90, 30, null, null, 60],
        approximated: false,
      });
    }),
  );

  testOwnInstance(
    'reading 5.12: further failures of an incident, rows outside the window and successes without a failure have no effect',
    inOneWindow(api, async (log) => {
      await log.store(
        [2, '12:00', { service: 's', status: 'failure' }],
        [2, '12:50', { service: 's', status: 'failure' }],
        [2, '13:00', { service: 's' }],
        [2, '14:00', { service: 's' }],
        ...incident('before', [0, '23:00'], [1, '23:00']),
        ...incident('after', [8, '00:00'], [8, '12:00']),
      );
      const { value, sparkline } = await restoreOf(log);
      expect(value).toBe(60);
      expect(sparkline).toEqual([null, 60, null, null, null, null, null]);
    }),
  );

  testOwnInstance(
    'reading 5.6: the trend of time_to_restore is null if a half has no restored incident or the prior median is 0',
    inOneWindow(api, async (log) => {
      const deltaOf = async () => (await restoreOf(log)).trend_delta;
      await log.store(...incident('a', [1, '12:00'], [1, '12:00']), ...incident('open', [5, '12:00']));
      expect(await deltaOf()).toBeNull();
      await log.store(...incident('b', [5, '12:00'], [5, '12:30']));
      expect(await deltaOf()).toBeNull();
      await log.store(...incident('c', [2, '12:00'], [2, '12:20']));
      // The median rises from 10 (the mean of 0 and 20) to 30.
      expect(await deltaOf()).toBe(2);
    }),
  );

  testOwnInstance.each([
    [2, '01:00', 'elite'],
    [2, '01:00:00.001', 'high'],
    [3, '00:00', 'high'],
    [3, '00:00:00.001', 'medium'],
    [9, '00:00', 'medium'],
    [9, '00:00:00.001', 'low'],
  ] as const)('reading 5.5: a restore from day 2 to day %i, %s is %s', async (day, time, classification) => {
    await inOneWindow(api, async (log) => {
      await log.store(...incident('s', [2, '00:00'], [day, time]));
      expect(await restoreOf(log)).toMatchObject({ classification });
    })();
  });
});
