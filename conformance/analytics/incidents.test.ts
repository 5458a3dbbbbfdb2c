import { expect } from 'vitest';
import { type Figures, inOneWindow, type Placed } from '../support/analytics.ts';
import { allStatuses } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const failure = { status: 'failure' } as const;
const success = { status: 'success' } as const;

/** Events of one slot, which has no other events. */
function inSlot(service: string, ...events: readonly Placed[]): Placed[] {
  return events.map(([day, time, fields]) => [day, time, { service, environment: 'prod', ...fields }]);
}

suiteOfOwnLogs('analytics incidents', (api, { testOwnInstance }) => {
  const incidentsOf = async (log: Figures, query = {}) => (await log.read('incidents', query)).incidents;
  const minutesOf = async (log: Figures) => (await incidentsOf(log)).map((incident) => incident.duration_minutes);

  testOwnInstance(
    'aggregation rule 6, reading 5.3: a failure and the next success in its slot form an incident, and an open incident has nulls',
    inOneWindow(api, async (log) => {
      await log.store(...inSlot('shop', [2, '12:00', failure], [2, '13:30', success]));
      await log.store(...inSlot('pay', [1, '12:00', success], [1, '13:00', failure]));
      expect(await log.read('incidents')).toEqual({
        incidents: [
          {
            service: 'pay',
            environment: 'prod',
            failed_at: log.at(1, '13:00'),
            restored_at: null,
            duration_minutes: null,
            severity: 'critical',
          },
          {
            service: 'shop',
            environment: 'prod',
            failed_at: log.at(2, '12:00'),
            restored_at: log.at(2, '13:30'),
            duration_minutes: 90,
            severity: 'medium',
          },
        ],
      });
    }),
  );

  testOwnInstance(
    'reading 5.12: more failures belong to the same incident, the next success closes it, and a later failure opens another one',
    inOneWindow(api, async (log) => {
      await log.store(
        ...inSlot(
          'shop',
          [2, '12:00', failure],
          [2, '12:10', failure],
          [2, '12:20', failure],
          [2, '12:50', success],
          [2, '13:00', success],
          [3, '12:00', failure],
          [3, '12:05', success],
        ),
      );
      expect(await incidentsOf(log)).toMatchObject([
        { failed_at: log.at(2, '12:00'), restored_at: log.at(2, '12:50'), duration_minutes: 50 },
        { failed_at: log.at(3, '12:00'), restored_at: log.at(3, '12:05'), duration_minutes: 5 },
      ]);
    }),
  );

  testOwnInstance(
    '§1 rule 3: incidents do not depend on the order in which the events of a slot arrive',
    inOneWindow(api, async (log) => {
      await log.store(
        ...inSlot('shop', [2, '13:00', success], [2, '12:30', failure], [2, '12:40', success], [2, '12:00', failure]),
      );
      expect(await incidentsOf(log)).toMatchObject([{ failed_at: log.at(2, '12:00'), duration_minutes: 40 }]);
      await log.store(...inSlot('shop', [2, '12:10', success]));
      expect(await minutesOf(log)).toEqual([10, 10]);
    }),
  );

  testOwnInstance(
    'aggregation rule 6: a success in another service or environment does not close an incident',
    inOneWindow(api, async (log) => {
      const slot = { service: 'shop', environment: 'prod', deployment_id: 'd' };
      await log.store([2, '12:00', { ...slot, ...failure }]);
      await log.store([2, '12:10', { ...slot, ...success, service: 'pay' }]);
      await log.store([2, '12:20', { ...slot, ...success, environment: 'dev' }]);
      await log.store([2, '12:30', { ...slot, ...success, environment: 'PROD' }]);
      expect(await minutesOf(log)).toEqual([null]);
      await log.store([2, '12:40', { ...slot, ...success, deployment_id: 'another' }]);
      expect(await minutesOf(log)).toEqual([40]);
    }),
  );

  testOwnInstance(
    'aggregation rule 6: statuses other than failure and success neither open nor close an incident',
    inOneWindow(api, async (log) => {
      for (const status of allStatuses.filter((each) => each !== 'failure' && each !== 'success')) {
        await log.store(...inSlot('quiet', [2, '11:00', { status }]));
        await log.store(...inSlot('shop', [2, '11:00', { status }], [2, '12:30', { status }]));
      }
      await log.store(...inSlot('shop', [2, '12:00', failure], [2, '13:00', success]));
      expect(await incidentsOf(log)).toMatchObject([{ service: 'shop', duration_minutes: 60 }]);
    }),
  );

  testOwnInstance(
    'reading 5.12: a success after the window closes an incident',
    inOneWindow(api, async (log) => {
      await log.store(...inSlot('shop', [7, '23:00', failure], [8, '01:00', success]));
      await log.store(...inSlot('pay', [7, '23:00', failure], [8, '00:30', failure], [20, '23:00', success]));
      expect(await incidentsOf(log)).toMatchObject([
        { service: 'pay', restored_at: log.at(20, '23:00'), duration_minutes: 13 * 1440 },
        { service: 'shop', restored_at: log.at(8, '01:00'), duration_minutes: 120 },
      ]);
    }),
  );

  testOwnInstance(
    'reading 5.12: the first failure in the window opens an incident, even if an earlier incident was still open',
    inOneWindow(api, async (log) => {
      await log.store(...inSlot('shop', [0, '12:00', failure], [1, '00:00', failure], [1, '00:20', success]));
      // A success alone doesn't close an incident, and failures before or after the window don't count.
      await log.store(...inSlot('pay', [0, '12:00', failure], [1, '12:00', success]));
      await log.store(...inSlot('mail', [8, '00:00', failure], [8, '12:00', success]));
      const week = [{ service: 'shop', failed_at: log.at(1, '00:00'), duration_minutes: 20 }];
      expect(await incidentsOf(log)).toMatchObject(week);
      expect(await incidentsOf(log, { window: '14d' })).toMatchObject([
        { service: 'pay', failed_at: log.at(0, '12:00'), duration_minutes: 1440 },
        { service: 'shop', failed_at: log.at(0, '12:00'), duration_minutes: 740 },
      ]);
    }),
  );

  testOwnInstance(
    'reading 5.12: rows with equal times are ordered by id',
    inOneWindow(api, async (log) => {
      await log.store(...inSlot('closed', [2, '12:00', failure], [2, '12:00', success]));
      await log.store(...inSlot('open', [2, '12:00', success], [2, '12:00', failure]));
      await log.store(
        ...inSlot('twice', [3, '12:00', failure], [3, '12:00', success], [3, '12:00', failure], [3, '12:00', success]),
      );
      expect(await incidentsOf(log)).toMatchObject([
        { service: 'open', restored_at: null, severity: 'critical' },
        { service: 'twice', duration_minutes: 0 },
        { service: 'twice', duration_minutes: 0, severity: 'low' },
        { service: 'closed', restored_at: log.at(2, '12:00'), duration_minutes: 0, severity: 'low' },
      ]);
    }),
  );

  testOwnInstance(
    'aggregation rule 6, reading 5.12: open incidents are listed first, newest first, then closed ones, longest first',
    inOneWindow(api, async (log) => {
      await log.store(...inSlot('open early', [1, '12:00', failure]));
      await log.store(...inSlot('open late', [7, '12:00', failure]));
      await log.store(...inSlot('open between', [4, '12:00', failure]));
      await log.store(...inSlot('two hours', [2, '12:00', failure], [2, '14:00', success]));
      await log.store(...inSlot('a day', [1, '12:00', failure], [2, '12:00', success]));
      await log.store(...inSlot('a minute', [6, '12:00', failure], [6, '12:01', success]));
      const due = ['open late', 'open between', 'open early', 'a day', 'two hours', 'a minute'];
      expect((await incidentsOf(log)).map(({ service }) => service)).toEqual(due);
      expect((await incidentsOf(log, { limit: 4 })).map(({ service }) => service)).toEqual(due.slice(0, 4));
    }),
  );

  testOwnInstance(
    'reading 5.12: incidents with equal durations are ordered by failed_at, newest first, then by service and environment',
    inOneWindow(api, async (log) => {
      const slots = [
        ['b', 'x', 2],
        ['ä', 'x', 1],
        ['a', 'y', 1],
        ['\u{1f600}', 'x', 1],
        ['\uff5e', 'x', 1],
        ['a', 'Z', 1],
        ['B', 'z', 1],
      ] as const;
      for (const [service, environment, day] of slots) {
        await log.store([day, '12:00', { service, environment, ...failure }]);
      }
      const due = [
        ['b', 'x'],
        ['B', 'z'],
        ['a', 'Z'],
        ['a', 'y'],
        ['ä', 'x'],
        ['\uff5e', 'x'],
        ['\u{1f600}', 'x'],
      ];
      const slotsOf = async () => (await incidentsOf(log)).map(({ service, environment }) => [service, environment]);
      expect(await slotsOf()).toEqual(due);
      for (const [service, environment, day] of slots) {
        await log.store([day, '12:05', { service, environment, ...success }]);
      }
      expect(await slotsOf()).toEqual(due);
    }),
  );

  testOwnInstance(
    'reading 5.12: the limit cuts off incidents at the end of the list',
    inOneWindow(api, async (log) => {
      const environments = Array.from({ length: 30 }, (_, index) => String.fromCharCode(65 + ((index * 7) % 30)));
      for (const environment of environments) {
        await log.store([2, '12:00', { service: 's', environment, ...failure }]);
      }
      const due = [...environments].sort();
      for (const limit of [1, 4, 17, 100]) {
        const said = (await incidentsOf(log, { limit })).map(({ environment }) => environment);
        expect(said).toEqual(due.slice(0, limit));
      }
    }),
  );

  testOwnInstance(
    'reading 5.12: an incident is medium after one hour, high after four hours and critical after one day',
    inOneWindow(api, async (log) => {
      const ends = [
        [2, '13:00', 'low'],
        [2, '13:00:00.000001', 'medium'],
        [2, '16:00', 'medium'],
        [2, '16:00:00.000001', 'high'],
        [3, '12:00', 'high'],
        [3, '12:00:00.000001', 'critical'],
      ] as const;
      for (const [day, time] of ends) {
        await log.store(...inSlot(`${day} ${time}`, [2, '12:00', failure], [day, time, success]));
      }
      const found = (await incidentsOf(log)).map(({ service, severity }) => [service, severity]);
      expect(new Map(found as [string, string][])).toEqual(
        new Map(ends.map(([day, time, severity]) => [`${day} ${time}`, severity])),
      );
    }),
  );

  testOwnInstance(
    'readings 5.3 and 3.3: times keep their microseconds, and durations are not rounded',
    inOneWindow(api, async (log) => {
      await log.store(...inSlot('shop', [2, '12:00:00.25', failure], [2, '12:01:30.625', success]));
      await log.store(...inSlot('pay', [2, '12:00:00.000001', failure]));
      const [pay, shop] = await incidentsOf(log);
      expect(shop?.duration_minutes).toBeCloseTo(90.375 / 60, 12);
      expect(shop).toMatchObject({ failed_at: log.at(2, '12:00:00.25'), restored_at: log.at(2, '12:01:30.625') });
      expect(pay?.failed_at).toBe(log.at(2, '12:00:00.000001'));
    }),
  );
});
