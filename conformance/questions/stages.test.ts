import type { StagesReport, Status } from '@shiplog/contract';
import { expect } from 'vitest';
import { type Figures, inOneWindow } from '../support/analytics.ts';
import { bodyOf, withQuery } from '../support/api.ts';
import { readEvidence, storeRows, toldItems } from '../support/evidence.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const path = '/api/analytics/stages';

/** Stores rows of one deployment on the second day of the window. */
async function store(
  log: Figures,
  deployment_id: string,
  rows: readonly (readonly [time: string, status: Status])[],
  environment = 'prod',
) {
  for (const [time, status] of rows) {
    await log.append({ deployment_id, service: 'pay', environment, status, happened_at: log.at(2, time) });
  }
}

async function read(log: Figures, query: Readonly<Record<string, string>> = {}): Promise<StagesReport> {
  return bodyOf<StagesReport>(await log.send({ path: withQuery(path, query) }));
}

suiteOfOwnLogs('analytics stages', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§5: a status lasts from its first row to the next row with another status',
    inOneWindow(api, async (log) => {
      await store(log, 'one', [
        ['10:00', 'pending'],
        ['10:02', 'pending'],
        ['10:05', 'in-progress'],
        ['10:15', 'success'],
      ]);
      const { stages } = await read(log);
      expect(stages).toEqual([
        { status: 'pending', count: 1, p50: 5, p95: 5, total_minutes: 5 },
        { status: 'queued', count: 0, p50: null, p95: null, total_minutes: 0 },
        { status: 'waiting', count: 0, p50: null, p95: null, total_minutes: 0 },
        { status: 'in-progress', count: 1, p50: 10, p95: 10, total_minutes: 10 },
      ]);
    }),
  );

  testOwnInstance(
    '§12.5: each uninterrupted run of a status is a sample, even with zero minutes, but a run without a later row is not',
    inOneWindow(api, async (log) => {
      await store(log, 'one', [
        ['10:00', 'queued'],
        ['10:00', 'waiting'],
        ['10:06', 'queued'],
        ['10:10', 'in-progress'],
      ]);
      const { stages } = await read(log);
      expect(stages.map(({ status, count, total_minutes }) => [status, count, total_minutes])).toEqual([
        ['pending', 0, 0],
        ['queued', 2, 4],
        ['waiting', 1, 6],
        ['in-progress', 0, 0],
      ]);
    }),
  );

  testOwnInstance(
    '§12.5: a sample belongs to the period of its first row, wherever its end is in the log',
    inOneWindow(api, async (log) => {
      await store(log, 'one', [
        ['23:50', 'in-progress'],
        ['10:00', 'queued'],
      ]);
      await log.append({ deployment_id: 'one', service: 'pay', environment: 'prod', happened_at: log.at(3, '00:10') });
      const second = { from: log.at(2, '00:00'), to: log.at(3, '00:00') };
      expect((await read(log, second)).stages[3]).toMatchObject({ count: 1, p50: 20 });
      const third = { from: log.at(3, '00:00'), to: log.at(4, '00:00') };
      expect((await read(log, third)).stages[3]).toMatchObject({ count: 0 });
    }),
  );

  testOwnInstance(
    '§5: a deployment in two slots counts separately in each, and slowest has slots with at least three samples',
    inOneWindow(api, async (log) => {
      for (const [index, minutes] of ['05', '10', '20'].entries()) {
        await store(log, `run-${index}`, [
          ['10:00', 'in-progress'],
          [`10:${minutes}`, 'success'],
        ]);
        if (index === 0) continue;
        await store(
          log,
          `run-${index}`,
          [
            ['11:00', 'in-progress'],
            ['12:00', 'failure'],
          ],
          'dev',
        );
      }
      const { slowest, stages } = await read(log);
      expect(stages[3]).toMatchObject({ count: 5 });
      expect(slowest).toEqual([
        { service: 'pay', environment: 'prod', status: 'in-progress', count: 3, p50: 10, p95: 20 },
      ]);
      expect((await read(log, { environments: 'dev' })).stages[3]).toMatchObject({ count: 2, p50: 60 });
    }),
  );

  testOwnInstance(
    '§12.4, §12.12: the evidence of stages has the first row of each status run that has ended, with its status',
    inOneWindow(api, async (log) => {
      const one = { deployment_id: 'one' };
      const rows = await storeRows(
        log,
        [2, '10:00', { ...one, status: 'queued' }],
        [2, '10:01', { ...one, status: 'queued' }],
        [2, '10:05', { ...one, status: 'in-progress' }],
        [2, '10:06', { ...one, status: 'cancelled' }],
        [2, '10:08', { ...one, status: 'rejected' }],
        [2, '11:00', { ...one, status: 'queued' }],
      );
      const said = await readEvidence(log, 'stages');
      const none = { p50: null, p95: null };
      expect(said).toMatchObject({
        value: { pending: none, queued: { p50: 5, p95: 5 }, waiting: none, 'in-progress': { p50: 1, p95: 1 } },
        ...{ unit: 'minutes', counted: 2, left_out: [{ reason: 'open', count: 1 }] },
        formula: expect.stringContaining('p50 and p95 of 1 run of queued = 5 and 5 minutes'),
      });
      expect(toldItems(said, rows)).toEqual([
        ['11:00', null, false, 'open', [5]],
        ['10:05', 1, true, null, [2, 3]],
        ['10:00', 5, true, null, [0, 2]],
      ]);
      expect(said.items.map(({ status }) => status)).toEqual(['queued', 'in-progress', 'queued']);
    }),
  );
});
