import type { EvidenceReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { inOneWindow, type Placed } from '../support/analytics.ts';
import { evidenceFigures, evidencePath, readEvidence, storeRows, toldItems } from '../support/evidence.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('analytics evidence', (api, { testOwnInstance }) => {
  test('§12.4: an unknown figure returns 404, even if there are other errors', async () => {
    for (const figure of ['x', 'dora', 'Incidents', 'deployment-frequency', '%00', 'incidents%20']) {
      expect((await api.send({ path: `/api/analytics/evidence/${figure}` })).status).toBe(404);
      expect((await api.send({ path: `/api/analytics/evidence/${figure}?limit=0` })).status).toBe(404);
    }
  });

  test.each([
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['limit=', '/limit'],
    ['counted=yes', '/counted'],
    ['counted=', '/counted'],
    ['counted=true&counted=true', '/counted'],
    ['cursor=', '/cursor'],
    ['cursor=x', '/cursor'],
    ['services=', '/services'],
    ['environments=a%5C', '/environments'],
    ['teams=nobody', '/teams'],
    ['from=2026-01-01', '/to'],
    ['to=2026-01-01', '/from'],
    ['from=2026-01-01&to=2026-01-02&window=7d', '/window'],
  ])('§1.1: %s is rejected with its pointer', async (query, pointer) => {
    for (const figure of evidenceFigures)
      expectFaults(await api.send({ path: `${evidencePath(figure)}?${query}` }), [pointer]);
  });

  test('§4.1, §12.2: every figure has consistent metadata, and scope is null if none was requested', async () => {
    for (const figure of evidenceFigures) {
      const empty = { environments: 'nowhere' };
      expect((await api.get(evidencePath(figure), empty)).json).toMatchObject({
        window: { days: 7, clamped: false },
        scope: { services: [], environments: ['nowhere'] },
        figure,
        formula: expect.any(String),
        counted: 0,
        left_out: [],
        items: [],
        next_cursor: null,
      });
      expect((await api.get(evidencePath(figure))).json).toMatchObject({ scope: null });
    }
  });

  test('§1.1: an unchanged response returns 304', async () => {
    for (const figure of evidenceFigures) {
      const { headers } = await api.get(evidencePath(figure), { environments: 'nowhere' });
      expect(headers.etag).toMatch(/^W\//);
      const again = await api.get(
        evidencePath(figure),
        { environments: 'nowhere' },
        { 'If-None-Match': `${headers.etag}` },
      );
      expect(again.status).toBe(304);
    }
  });

  testOwnInstance(
    '§4.2, §4.4, §12.4: paging and counted= change only the items, each item has a different main row, and the pages have all items',
    inOneWindow(api, async (log) => {
      const same: Placed = [2, '10:00', { status: 'in-progress' }];
      const rows = await storeRows(
        log,
        same,
        same,
        [2, '10:00'],
        [2, '10:00', { status: 'failure' }],
        [1, '00:00'],
        [8, '00:00'],
      );
      const { items: _, next_cursor: __, ...whole } = await readEvidence(log, 'deployment_frequency');
      for (const query of [{}, { counted: 'true' }, { counted: 'false' }] as const) {
        const found: string[] = [];
        let cursor: string | null = null;
        do {
          const page: EvidenceReport = await readEvidence(log, 'deployment_frequency', {
            ...{ ...query, limit: 2 },
            ...(cursor !== null && { cursor }),
          });
          const { items, next_cursor, ...said } = page;
          expect(said).toEqual(whole);
          found.push(...items.flatMap(({ event_ids }) => event_ids));
          cursor = next_cursor;
        } while (cursor !== null);
        const due = { true: [3, 2, 4], false: [1, 0], undefined: [3, 2, 1, 0, 4] }[`${query.counted}`];
        expect(found).toEqual(due?.map((index) => rows[index]?.id));
        for (const id of found) expect((await log.send({ path: `/api/deployments/${id}` })).status).toBe(200);
      }
    }),
  );

  testOwnInstance(
    '§4.4: the median of an even number of values is the exact mean of the middle two',
    inOneWindow(api, async (log) => {
      await storeRows(
        log,
        [2, '10:00', { deployment_id: 'a', environment: 'dev', status: 'in-progress' }],
        [2, '10:00:01', { deployment_id: 'a', environment: 'dev' }],
        [2, '11:00', { deployment_id: 'b', environment: 'dev', status: 'in-progress' }],
        [2, '11:00:03', { deployment_id: 'b', environment: 'dev' }],
        [2, '10:01', { parent_deployments: ['a'] }],
        [2, '11:03', { parent_deployments: ['b'] }],
        [2, '12:00', { status: 'failure' }],
        [2, '12:00:01'],
        [2, '13:00', { status: 'failure' }],
        [2, '13:00:03'],
      );
      const middle = (1 / 60 + 3 / 60) / 2;
      const percentiles = { p50: middle, p95: 3 / 60 };
      expect((await readEvidence(log, 'lead_time')).value).toBe(middle);
      expect((await readEvidence(log, 'time_to_restore')).value).toBe(middle);
      expect((await readEvidence(log, 'durations')).value).toEqual(percentiles);
      expect((await readEvidence(log, 'stages')).value).toMatchObject({ 'in-progress': percentiles });
      const dora = await log.read('dora');
      expect([dora.lead_time.value, dora.time_to_restore.value]).toEqual([middle, middle]);
    }),
  );

  testOwnInstance(
    '§2.3: rows outside the scope are not items, but an item may include such rows',
    inOneWindow(api, async (log) => {
      const rows = await storeRows(
        log,
        [2, '08:00', { deployment_id: 'a', service: 'library', environment: 'dev' }],
        [2, '10:00', { parent_deployments: ['a'] }],
        [2, '11:00', { service: 'other', parent_deployments: ['a'] }],
      );
      const said = await readEvidence(log, 'lead_time', { services: 'pay' });
      expect(said).toMatchObject({ value: 2, scope: { services: ['pay'], environments: [] } });
      expect(toldItems(said, rows)).toEqual([['10:00', 2, true, null, [1, 0]]]);
    }),
  );
});
