import type { StabilityReport, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type Figures, inOneWindow } from '../support/analytics.ts';
import { bodyOf, type EventFields, withQuery } from '../support/api.ts';
import { readEvidence, storeRows, toldItems } from '../support/evidence.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const path = '/api/analytics/stability';

/** Stores rows in one slot. Each is given by the day of the window, the time and the status. */
async function store(
  log: Figures,
  rows: readonly (readonly [day: number, time: string, status: Status, fields?: EventFields])[],
  slot: EventFields = {},
) {
  for (const [day, time, status, fields] of rows) {
    const place = { service: 'pay', environment: 'prod', ...slot };
    await log.append({ ...place, status, happened_at: log.at(day, time), ...fields });
  }
}

const one = { version: '1' };
const two = { version: '2' };

async function read(log: Figures, query: Readonly<Record<string, string>> = {}): Promise<StabilityReport> {
  return bodyOf<StabilityReport>(await log.send({ path: withQuery(path, query) }));
}

/** Reads the numbers of rollbacks and of rework. */
async function counts(log: Figures): Promise<[rollbacks: number, rework: number]> {
  const { rollbacks, rework } = await read(log);
  return [rollbacks.count, rework.count];
}

suite('analytics stability', (api, { testOwnInstance }) => {
  test('§1.1, §2.1, §3: the stability report accepts a scope and a period, like every figure', async () => {
    expectFaults(await api.get(path, { services: '' }), ['/services']);
    expectFaults(await api.get(path, { from: '2026-01-01' }), ['/to']);
    const { json } = await api.get(path, { environments: 'nowhere' });
    expect(json).toEqual({
      window: expect.any(Object),
      scope: { services: [], environments: ['nowhere'] },
      rollbacks: { count: 0, rate: null },
      rework: { count: 0, rate: null },
      slots: [],
      approximated: true,
    });
  });

  testOwnInstance(
    '§6: a success of an earlier release after another release is a rollback, and a rollback is rework',
    inOneWindow(api, async (log) => {
      await store(log, [
        [2, '10:00', 'success', one],
        [2, '11:00', 'success', two],
        [2, '12:00', 'success', one],
        [2, '13:00', 'success', one],
      ]);
      expect(await read(log)).toMatchObject({
        rollbacks: { count: 1, rate: 0.25 },
        rework: { count: 1, rate: 0.25 },
        slots: [{ service: 'pay', environment: 'prod', rollbacks: 1, rework: 1, successes: 4 }],
      });
    }),
  );

  testOwnInstance(
    '§6: releases are compared within a slot, by version or, without a version, by sha',
    inOneWindow(api, async (log) => {
      await store(log, [
        [2, '10:00', 'success', { version: '1', sha: 'a' }],
        [2, '11:00', 'success', { version: '2', sha: 'a' }],
        [2, '12:00', 'success', { version: '1', sha: 'b' }],
      ]);
      expect(await counts(log)).toEqual([1, 1]);
      await store(log, [[2, '13:00', 'success', { sha: '2' }]]);
      expect(await counts(log)).toEqual([1, 1]);
      await store(log, [[2, '14:00', 'success', two]], { environment: 'dev' });
      expect(await counts(log)).toEqual([1, 1]);
    }),
  );

  testOwnInstance(
    '§12.1, §12.6: a success without a version or sha is neither a rollback nor the previous success of another',
    inOneWindow(api, async (log) => {
      await store(log, [
        [2, '10:00', 'success', one],
        [2, '11:00', 'success', {}],
        [2, '12:00', 'success', one],
        [2, '13:00', 'success', two],
        [2, '14:00', 'success', { version: '', sha: '' }],
        [2, '15:00', 'success', one],
      ]);
      expect(await counts(log)).toEqual([1, 1]);
    }),
  );

  testOwnInstance(
    '§6, §12.6: a success within 24 h after a failure in its slot is rework if there is no success between them',
    inOneWindow(api, async (log) => {
      await store(log, [
        [2, '10:00', 'failure'],
        [3, '10:00', 'success', one],
        [3, '11:00', 'success', two],
        [4, '10:00', 'failure'],
        [5, '10:00:00.000001', 'success', { version: '3' }],
      ]);
      await store(log, [[2, '11:00', 'success']], { environment: 'dev' });
      expect(await counts(log)).toEqual([0, 1]);
    }),
  );

  testOwnInstance(
    '§12.12: a success without a release may be rework',
    inOneWindow(api, async (log) => {
      await store(log, [
        [2, '10:00', 'failure'],
        [2, '11:00', 'success'],
      ]);
      expect(await counts(log)).toEqual([0, 1]);
    }),
  );

  testOwnInstance(
    '§12.6: rows before the period are used for comparison, and rows after it are not counted',
    inOneWindow(api, async (log) => {
      await store(log, [
        [0, '10:00', 'success', one],
        [0, '11:00', 'success', two],
        [1, '10:00', 'success', one],
        [8, '00:00', 'success', two],
      ]);
      await store(
        log,
        [
          [0, '23:00', 'failure'],
          [1, '10:00', 'success'],
        ],
        { environment: 'dev' },
      );
      expect(await read(log)).toMatchObject({
        rollbacks: { count: 1, rate: 0.5 },
        rework: { count: 2, rate: 1 },
        slots: [
          { rollbacks: 1, rework: 1, successes: 1 },
          { rollbacks: 0, rework: 1, successes: 1 },
        ],
      });
    }),
  );

  testOwnInstance(
    '§6: a release is compared with the previous success and with all earlier ones in its slot, however old',
    inOneWindow(api, async (log) => {
      await store(log, [
        [-20, '10:00', 'success', one],
        [-12, '10:00', 'success', two],
        [-10, '10:00', 'success'],
        // It replaces two again. This is a rollback to a release from twenty days ago.
        [2, '10:00', 'success', one],
        // Deploying the same release again is not a rollback, and three was never deployed in this slot.
        [3, '10:00', 'success', one],
        [4, '10:00', 'success', { version: '3' }],
      ]);
      // Two was the last release in this slot, and one was deployed only in another slot.
      await store(
        log,
        [
          [-9, '10:00', 'success', two],
          [-8, '10:00', 'failure', one],
        ],
        { environment: 'dev' },
      );
      await store(
        log,
        [
          [1, '10:00', 'success', two],
          [2, '10:00', 'success', one],
        ],
        { environment: 'dev' },
      );
      expect(await read(log)).toMatchObject({
        rollbacks: { count: 1, rate: 0.2 },
        slots: [{ service: 'pay', environment: 'prod', rollbacks: 1, rework: 1, successes: 3 }],
      });
    }),
  );

  testOwnInstance(
    '§12.6: slots has at most ten slots with rework, sorted by rework (most first), rollbacks, service and environment',
    inOneWindow(api, async (log) => {
      const fix = [
        [2, '10:00', 'failure'],
        [2, '11:00', 'success', one],
      ] as const;
      const back = [
        [2, '12:00', 'success', two],
        [2, '13:00', 'success', one],
      ] as const;
      for (const service of ['b', 'a']) {
        await store(log, fix, { service, environment: 'y' });
        await store(log, fix, { service, environment: 'x' });
      }
      await store(log, [[2, '11:00', 'success', one], ...back], { service: 'z' });
      await store(log, [...fix, ...back], { service: 'worst' });
      await store(log, [[2, '11:00', 'success', one]], { service: 'calm' });
      const named = ({ slots }: StabilityReport) => slots.map((slot) => `${slot.service} ${slot.environment}`);
      expect(named(await read(log))).toEqual(['worst prod', 'z prod', 'a x', 'a y', 'b x', 'b y']);
      for (const service of ['c', 'd', 'e', 'f', 'g']) await store(log, fix, { service });
      expect((await read(log)).slots).toHaveLength(10);
      expect(named(await read(log, { services: 'b', environments: 'x' }))).toEqual(['b x']);
    }),
  );

  testOwnInstance(
    '§12.4, §12.12: the evidence of rollbacks and rework has success rows',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '08:00', { version: '1' }],
        [2, '09:00', { version: '2' }],
        [2, '10:00', { version: '1' }],
        [2, '11:00'],
        [2, '12:00', { status: 'failure' }],
        [2, '13:00'],
        [2, '14:00', { status: 'failure' }],
        [2, '15:00', { version: '2' }],
      );
      const rollbacks = await readEvidence(log, 'rollbacks');
      expect(rollbacks).toMatchObject({
        ...{ value: 2, unit: 'count', counted: 2, formula: 'rollbacks: 2 of 6 successes' },
        left_out: [
          { reason: 'no-release', count: 2 },
          { reason: 'no-rollback', count: 2 },
        ],
      });
      expect(toldItems(rollbacks, rows)).toEqual([
        ['15:00', 1, true, null, [7, 2, 1]],
        ['13:00', null, false, 'no-release', [5]],
        ['11:00', null, false, 'no-release', [3]],
        ['10:00', 1, true, null, [2, 1, 0]],
        ['09:00', null, false, 'no-rollback', [1]],
        ['08:00', null, false, 'no-rollback', [0]],
      ]);
      const rework = await readEvidence(log, 'rework');
      expect(rework).toMatchObject({ value: 3, counted: 3, left_out: [{ reason: 'no-rework', count: 3 }] });
      expect(toldItems(rework, rows)).toEqual([
        ['15:00', 1, true, null, [7, 6, 2, 1]],
        ['13:00', 1, true, null, [5, 4]],
        ['11:00', null, false, 'no-rework', [3]],
        ['10:00', 1, true, null, [2, 1, 0]],
        ['09:00', null, false, 'no-rework', [1]],
        ['08:00', null, false, 'no-rework', [0]],
      ]);
    }),
  );
});
