import { expect } from 'vitest';
import { type Figures, inOneWindow } from '../support/analytics.ts';
import type { EventFields } from '../support/api.ts';
import { allStatuses } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** A row of a deployment with these parents. */
function row(deployment_id: string, fields: EventFields = {}, ...parents: readonly string[]): EventFields {
  return {
    deployment_id,
    environment: 'dev',
    ...fields,
    ...(parents.length > 0 && { parent_deployments: [...parents] }),
  };
}

/** A success in production. */
function released(deployment_id: string, ...parents: readonly string[]): EventFields {
  return row(deployment_id, { environment: 'prod' }, ...parents);
}

suiteOfOwnLogs('analytics lead time', (api, { testOwnInstance }) => {
  const leadOf = async (log: Figures, window = '7d') => (await log.read('dora', { window })).lead_time;
  const hoursOf = async (log: Figures) => (await leadOf(log)).value;

  testOwnInstance(
    'aggregation rule 7, reading 5.8: a sample is the hours from the earliest row of all ancestors to the production row',
    inOneWindow(api, async (log) => {
      await log.store([2, '09:00', row('dev')], [2, '10:00', row('qa', { environment: 'qa' }, 'dev')]);
      await log.store([2, '12:30', released('prod', 'qa')]);
      expect(await leadOf(log)).toEqual({
        value: 3.5,
        unit: 'hours',
        classification: 'elite',
        trend_delta: null,
        sparkline: [null, 3.5, null, null, null, null, null],
        approximated: true,
      });
    }),
  );

  testOwnInstance(
    'reading 5.8: there may be any number of ancestors, and the earliest row counts whichever ancestor has it',
    inOneWindow(api, async (log) => {
      // A chain of 40 deployments, each one minute later than its parent.
      for (let step = 0; step < 40; step += 1) {
        const parents = step === 0 ? [] : [`step ${step - 1}`];
        await log.store([3, `12:${String(step).padStart(2, '0')}`, row(`step ${step}`, {}, ...parents)]);
      }
      await log.store([3, '13:00', released('prod', 'step 39')]);
      expect(await hoursOf(log)).toBe(1);
      await log.store([3, '11:00', row('step 20')]);
      expect(await hoursOf(log)).toBe(2);
    }),
  );

  testOwnInstance(
    'reading 5.8: all parents of all rows in a deployment count, whatever their status and slot',
    inOneWindow(api, async (log) => {
      await log.store([3, '11:00', row('a')], [3, '12:00', released('prod', 'a', 'b', 'c')]);
      expect(await hoursOf(log)).toBe(1);
      await log.store([3, '10:00', row('b', { environment: 'elsewhere', status: 'failure' })]);
      expect(await hoursOf(log)).toBe(2);
      await log.store([3, '11:30', row('c', { status: 'queued' }, 'd')], [3, '11:40', row('c', {}, 'e')]);
      await log.store([3, '09:00', row('e', { status: 'rejected' })]);
      expect(await hoursOf(log)).toBe(3);
      await log.store([3, '08:00', row('d', { environment: 'prod', status: 'cancelled' })]);
      expect(await hoursOf(log)).toBe(4);
    }),
  );

  testOwnInstance(
    'reading 5.8: parents are looked up in the whole log, including before the window',
    inOneWindow(api, async (log) => {
      await log.store([-29, '00:00', row('a')], [0, '12:00', row('b', {}, 'a')], [1, '00:00', released('prod', 'b')]);
      expect(await hoursOf(log)).toBe(30 * 24);
    }),
  );

  testOwnInstance(
    'reading 5.8: cyclic parents do not cause an endless loop, and unknown parents are ignored',
    inOneWindow(api, async (log) => {
      await log.store([3, '10:00', row('a', {}, 'b')], [3, '11:00', row('b', {}, 'a', 'b', 'nobody')]);
      await log.store([3, '12:00', released('prod', 'b', 'nobody')]);
      expect(await hoursOf(log)).toBe(2);
      await log.store([4, '12:00', released('orphan', 'nobody', 'Prod')]);
      expect((await leadOf(log)).sparkline).toEqual([null, null, 2, null, null, null, null]);
    }),
  );

  testOwnInstance(
    'reading 5.8: rows of the production deployment itself count only if it is its own ancestor',
    inOneWindow(api, async (log) => {
      await log.store([3, '11:00', row('a')], [3, '08:00', released('prod')], [3, '12:00', released('prod', 'a')]);
      expect(await hoursOf(log)).toBe(1);
      await log.store([3, '11:30', row('a', {}, 'prod')]);
      expect(await hoursOf(log)).toBe(4);
      await log.store([4, '06:00', released('self')], [4, '07:00', released('self', 'self')]);
      expect((await leadOf(log)).sparkline[3]).toBe(1);
    }),
  );

  testOwnInstance(
    'reading 5.8: only samples above 0 count',
    inOneWindow(api, async (log) => {
      await log.store(
        [3, '12:00', row('a')],
        [3, '12:00', released('at once', 'a')],
        [3, '11:00', released('no', 'a')],
      );
      expect(await leadOf(log)).toMatchObject({ value: null, classification: 'low' });
      await log.store([3, '12:00:00.000001', released('a moment later', 'a')]);
      expect(await hoursOf(log)).toBeCloseTo(1e-6 / 3600, 15);
    }),
  );

  testOwnInstance(
    'reading 5.8: only a success in production with parents is a sample',
    inOneWindow(api, async (log) => {
      await log.store([2, '12:00', row('a')]);
      for (const status of allStatuses.filter((each) => each !== 'success')) {
        await log.store([3, '12:00', { ...released(status, 'a'), status }]);
      }
      await log.store(
        [3, '12:00', released('without')],
        [3, '12:00', { ...released('empty'), parent_deployments: [] }],
        [3, '12:00', row('elsewhere', { environment: 'preprod' }, 'a')],
        [3, '12:00', row('longer', { environment: 'prod-eu' }, 'a')],
        [0, '23:59', released('before', 'a')],
        [8, '00:00', released('after', 'a')],
      );
      expect(await hoursOf(log)).toBeNull();
      await log.store([3, '12:00', { ...released('case', 'a'), environment: 'PROD' }]);
      expect(await hoursOf(log)).toBe(24);
    }),
  );

  testOwnInstance(
    "aggregation rule 7, §8: production is the last environment of the operator's promotion order",
    inOneWindow(
      api,
      async (log) => {
        await log.store([3, '10:00', row('a')], [3, '11:00', released('not production', 'a')]);
        expect(await hoursOf(log)).toBeNull();
        await log.store([3, '12:00', row('live', { environment: 'Live' }, 'a')]);
        expect(await hoursOf(log)).toBe(2);
      },
      { promotionOrder: ['dev', 'prod', 'live'] },
    ),
  );

  testOwnInstance(
    'readings 5.5 to 5.8: each production row is one sample in its half and day, and the value is the median of the samples',
    inOneWindow(api, async (log) => {
      await log.store([-1, '00:00', row('a')], [3, '20:00', row('b')]);
      // Prior half: 72 and 96 hours on days 2 and 3. The median is 84.
      await log.store([2, '00:00', released('one', 'a')], [3, '00:00', released('two', 'a')]);
      // Current half: 4 hours on day 4, and 40 hours twice on day 5. The median is 40.
      await log.store([4, '00:00', released('three', 'b')], [5, '12:00', released('four', 'b')]);
      await log.store([5, '12:00', released('four', 'b')]);
      expect(await leadOf(log)).toMatchObject({
        value: 40,
        classification: 'high',
        trend_delta: (40 - 84) / 84,
        sparkline: [null, 72, 96, 4, 40, null, null],
      });
      await log.store([5, '12:00', released('five', 'a')]);
      // All samples: 4, 40, 40, 72, 96 and 156 hours. Day 5 has 40, 40 and 156.
      expect(await leadOf(log)).toMatchObject({ value: 56, sparkline: [null, 72, 96, 4, 40, null, null] });
      await log.store([6, '00:00', released('six', 'a')], [6, '00:00', released('seven', 'b')]);
      expect((await leadOf(log)).sparkline[5]).toBe((168 + 52) / 2);
    }),
  );

  testOwnInstance.each([
    ['24 hours', [3, '12:00'], 'elite'],
    ['more than 24 hours', [3, '11:59:59.999'], 'high'],
    ['168 hours', [-3, '12:00'], 'high'],
    ['more than 168 hours', [-3, '11:59:59.999'], 'medium'],
    ['4320 hours', [-176, '12:00'], 'medium'],
    ['more than 4320 hours', [-176, '11:59:59.999'], 'low'],
  ] as const)('reading 5.5: a lead_time of %s is classified correctly', async (_, [day, time], classification) => {
    await inOneWindow(api, async (log) => {
      await log.store([day, time, row('a')], [4, '12:00', released('prod', 'a')]);
      expect(await leadOf(log)).toMatchObject({ classification });
    })();
  });
});
