import { expect } from 'vitest';
import { inOneWindow } from '../support/analytics.ts';
import type { EventFields } from '../support/api.ts';
import { readEvidence, storeRows, toldItems } from '../support/evidence.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

const failed: EventFields = { status: 'failure' };

suiteOfOwnLogs('analytics evidence of each figure', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§12.4: the evidence of deployment frequency has all rows, and only success and failure rows count',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '10:00', { status: 'in-progress' }],
        [2, '10:10', { deployment_id: 'one' }],
        [2, '11:00', failed],
      );
      const said = await readEvidence(log, 'deployment_frequency');
      expect(said).toMatchObject({
        ...{ value: 2 / 7, unit: 'per_day', counted: 2, left_out: [{ reason: 'not-terminal', count: 1 }] },
        formula: '2 rows with success or failure ÷ 7 days = 0.286 per day',
      });
      expect(toldItems(said, rows)).toEqual([
        ['11:00', 1, true, null, [2]],
        ['10:10', 1, true, null, [1]],
        ['10:00', null, false, 'not-terminal', [0]],
      ]);
      expect(said.items[1]).toEqual({
        ...{ service: 'pay', environment: 'prod', deployment_id: 'one', at: rows[1]?.happened_at },
        ...{ value: 1, counted: true, reason: null, event_ids: [rows[1]?.id] },
      });
    }),
  );

  testOwnInstance(
    '§4.1, §12.4: in the evidence of the change failure rate, a failure has the value 1 and a success has the value 0',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '10:00', failed],
        [2, '11:00'],
        [2, '12:00'],
        [2, '13:00', { status: 'rejected' }],
      );
      const said = await readEvidence(log, 'change_failure_rate');
      expect(said).toMatchObject({
        ...{ value: 1 / 3, unit: 'ratio', counted: 3, left_out: [{ reason: 'not-terminal', count: 1 }] },
        formula: '1 failure ÷ (2 successes + 1 failure) = 0.333',
      });
      expect(toldItems(said, rows)).toEqual([
        ['13:00', null, false, 'not-terminal', [3]],
        ['12:00', 0, true, null, [2]],
        ['11:00', 0, true, null, [1]],
        ['10:00', 1, true, null, [0]],
      ]);
      expect(await readEvidence(log, 'change_failure_rate', { services: 'nobody' })).toMatchObject({ value: null });
    }),
  );

  testOwnInstance(
    '§4.3, §12.4, §12.12: the evidence of lead time has success rows, and only production rows with ancestors count',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '08:00', { deployment_id: 'a', environment: 'dev' }],
        [2, '09:00', { deployment_id: 'b', environment: 'qa', parent_deployments: ['a', 'nobody'] }],
        [2, '10:00', { parent_deployments: ['b'] }],
        [2, '11:00'],
        [2, '12:00', { parent_deployments: ['nobody'] }],
        [2, '13:00', { parent_deployments: ['later'] }],
        [2, '14:00', { deployment_id: 'later', environment: 'dev', parent_deployments: ['nobody'] }],
        [2, '15:00', { status: 'failure', parent_deployments: ['a'] }],
        [2, '16:00', { deployment_id: 'loop', parent_deployments: ['loop'] }],
      );
      const said = await readEvidence(log, 'lead_time');
      expect(said).toMatchObject({
        ...{ value: 2, unit: 'hours', counted: 1, formula: 'median of 1 lead time = 2 hours' },
        left_out: [
          { reason: 'not-production', count: 3 },
          { reason: 'no-parents', count: 1 },
          { reason: 'unknown-parent', count: 1 },
          { reason: 'not-positive', count: 2 },
        ],
      });
      expect(toldItems(said, rows)).toEqual([
        ['16:00', 0, false, 'not-positive', [8]],
        ['14:00', null, false, 'not-production', [6]],
        ['13:00', -1, false, 'not-positive', [5, 6]],
        ['12:00', null, false, 'unknown-parent', [4]],
        ['11:00', null, false, 'no-parents', [3]],
        ['10:00', 2, true, null, [2, 0]],
        ['09:00', null, false, 'not-production', [1]],
        ['08:00', null, false, 'not-production', [0]],
      ]);
    }),
  );

  testOwnInstance(
    '§12.4, §12.12: the evidence of time to restore and incidents has failures, and open ones count only as incidents',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '10:00', failed],
        [2, '10:10', failed],
        [2, '10:30'],
        [2, '11:00', failed],
        [2, '12:00', { ...failed, environment: 'dev' }],
        [2, '12:00', { ...failed, environment: 'dev' }],
        [8, '00:00'],
      );
      const items = (open: boolean) => [
        ['12:00', null, false, 'repeated-failure', [5]],
        ['12:00', null, open, 'open', [4]],
        ['11:00', (24 * 5 + 13) * 60, true, null, [3, 6]],
        ['10:10', null, false, 'repeated-failure', [1]],
        ['10:00', 30, true, null, [0, 2]],
      ];
      const restores = await readEvidence(log, 'time_to_restore');
      expect(toldItems(restores, rows)).toEqual(items(false));
      expect(restores).toMatchObject({
        ...{ value: 4005, unit: 'minutes', counted: 2, formula: 'median of 2 restored incidents = 4005 minutes' },
        left_out: [
          { reason: 'open', count: 1 },
          { reason: 'repeated-failure', count: 2 },
        ],
      });
      const incidents = await readEvidence(log, 'incidents');
      expect(toldItems(incidents, rows)).toEqual(items(true));
      expect(incidents).toMatchObject({
        ...{ value: 3, unit: 'count', counted: 3, formula: '2 restored + 1 open = 3 incidents' },
        left_out: [{ reason: 'repeated-failure', count: 2 }],
      });
    }),
  );

  testOwnInstance(
    '§12.4: limit does not shorten the evidence of incidents',
    inOneWindow(api, async (log) => {
      for (let n = 0; n < 12; n += 1) await storeRows(log, [2, '10:00', { ...failed, service: `service-${n}` }]);
      expect(await readEvidence(log, 'incidents', { limit: 5 })).toMatchObject({ value: 12, counted: 12 });
    }),
  );

  testOwnInstance(
    '§12.4: the evidence of durations has the last row of each deployment',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [0, '23:50', { deployment_id: 'a', status: 'in-progress' }],
        [1, '00:10', { deployment_id: 'a', status: 'in-progress', environment: 'dev' }],
        [1, '00:30', { deployment_id: 'a' }],
        [2, '10:00', { deployment_id: 'b' }],
        [7, '10:00', { deployment_id: 'c', status: 'queued' }],
        [8, '10:00', { deployment_id: 'c' }],
        [3, '10:00', { deployment_id: 'd' }],
        [3, '10:00', { deployment_id: 'd' }],
      );
      const said = await readEvidence(log, 'durations');
      expect(said).toMatchObject({
        ...{ value: { p50: 20, p95: 40 }, unit: 'minutes', counted: 2 },
        ...{
          left_out: [{ reason: 'single-row', count: 1 }],
          formula: 'p50 and p95 of 2 durations = 20 and 40 minutes',
        },
      });
      expect(toldItems(said, rows)).toEqual([
        ['10:00', 0, true, null, [7, 6]],
        ['10:00', null, false, 'single-row', [3]],
        ['00:30', 40, true, null, [2, 0]],
      ]);
      expect(await readEvidence(log, 'durations', { environments: 'dev' })).toMatchObject({
        value: { p50: null },
        items: [],
      });
    }),
  );

  testOwnInstance(
    '§12.4, §12.12: the evidence of the funnel has one item per deployment and stage, with all its rows, whatever the letter case',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '10:00', { deployment_id: 'a', environment: 'Prod', status: 'queued' }],
        [2, '10:10', { deployment_id: 'a', environment: 'prod' }],
        [2, '11:00', { deployment_id: 'a', environment: 'dev' }],
        [2, '12:00', { deployment_id: 'a', environment: 'elsewhere' }],
        [2, '13:00', { deployment_id: 'a', environment: 'Elsewhere' }],
        [8, '10:00', { deployment_id: 'a', environment: 'prod' }],
      );
      const said = await readEvidence(log, 'promotion_funnel');
      expect(said).toMatchObject({
        ...{ value: { dev: 1, staging: 0, qa: 0, preprod: 0, prod: 1 }, unit: 'count', counted: 2 },
        left_out: [{ reason: 'outside-ladder', count: 2 }],
        formula: 'different deployments: 1 in dev, 0 in staging, 0 in qa, 0 in preprod, 1 in prod',
      });
      expect(toldItems(said, rows)).toEqual([
        ['13:00', null, false, 'outside-ladder', [4]],
        ['12:00', null, false, 'outside-ladder', [3]],
        ['11:00', 1, true, null, [2]],
        ['10:00', 1, true, null, [0, 1]],
      ]);
      const spelled = await readEvidence(log, 'promotion_funnel', { environments: 'P*' });
      expect(toldItems(spelled, rows)).toEqual([['10:00', null, false, 'outside-ladder', [0]]]);
      expect(spelled).toMatchObject({ value: {}, counted: 0 });
    }),
  );
});
