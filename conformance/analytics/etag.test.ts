import type { Answer } from '@shiplog/testing';
import { expect } from 'vitest';
import { Figures, inOneWindow, pathOf, type ReportName, reportNames } from '../support/analytics.ts';
import { Control } from '../support/control.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

async function etagOf(log: Figures, name: ReportName, query: Record<string, string | number> = {}): Promise<string> {
  return (await log.get(name, query)).headers.etag ?? '';
}

suiteOfOwnLogs('analytics ETag', (api, { testOwnInstance }) => {
  testOwnInstance(
    '§4, reading 5.13: each response has a weak ETag, and a request with this ETag returns 304 and the same ETag',
    inOneWindow(api, async (log) => {
      await log.store([2, '12:00', { status: 'failure' }]);
      for (const name of reportNames) {
        // Send each query twice, because a cached response must not differ.
        for (const query of [{}, { window: '30d' }, {}, { window: '30D' }]) {
          const whole = await log.get(name, query);
          const etag = whole.headers.etag ?? '';
          expect(etag, name).toMatch(/^W\/"[^"]+"$/);
          expect(whole.headers['cache-control'], name).toBe('no-cache');
          const unchanged = await log.get(name, query, { 'If-None-Match': etag });
          expect([name, unchanged.status, unchanged.text]).toEqual([name, 304, '']);
          expect(unchanged.headers.etag, name).toBe(etag);
          expect(unchanged.headers['cache-control'], name).toBe('no-cache');
          expect(await etagOf(log, name, query), name).toBe(etag);
        }
      }
    }),
  );

  const forms: readonly (readonly [form: string, status: number, of: (etag: string) => string | string[]])[] = [
    ['the ETag', 304, (etag) => etag],
    ['its strong form', 304, (etag) => etag.replace('W/', '')],
    ['*', 304, () => '*'],
    ['a list with the ETag first', 304, (etag) => `${etag}, "a"`],
    ['a list with the ETag last', 304, (etag) => `"a", W/"b",${etag}`],
    ['two lines', 304, (etag) => ['"a"', etag]],
    ['another tag', 200, () => 'W/"other"'],
    ['an empty value', 200, () => ''],
    ['the tag without quotes', 200, (etag) => etag.replace('W/', '').replaceAll('"', '')],
    ['a list of other ETags', 200, () => '"a", "b", W/"*"'],
    ['an asterisk in quotes', 200, () => '"*"'],
  ];

  testOwnInstance(
    'reading 4.4, RFC 9110: If-None-Match with any form of the ETag returns 304, and with another tag returns 200',
    inOneWindow(api, async (log) => {
      // The first request computes the response; the second may get it from the cache.
      const [first, second] = [await log.get('incidents', {}, { 'If-None-Match': '*' }), await log.get('incidents')];
      expect(first.status).toBe(304);
      expect(first.headers.etag).toBe(second.headers.etag);
      const etag = second.headers.etag ?? '';
      for (const [form, status, of] of forms) {
        for (const name of ['incidents', 'incidents'] as const) {
          const answer = await log.get(name, {}, { 'If-None-Match': of(etag) });
          expect([form, answer.status, answer.headers.etag]).toEqual([form, status, etag]);
        }
      }
    }),
  );

  testOwnInstance(
    'readings 1.9 and 4.4: HEAD returns the ETag and 304',
    inOneWindow(api, async (log) => {
      for (const name of reportNames) {
        const etag = await etagOf(log, name);
        const head = await log.send({ method: 'HEAD', path: pathOf(name) });
        expect(head.status, name).toBe(200);
        expect(head.text).toBe('');
        expect(head.headers.etag, name).toBe(etag);
        const headers = { 'If-None-Match': etag };
        const known = await log.send({ method: 'HEAD', path: pathOf(name), headers });
        expect(known.status, name).toBe(304);
        expect(known.headers.etag, name).toBe(etag);
      }
    }),
  );

  testOwnInstance(
    'reading 5.13: an event that changes a response changes its ETag',
    inOneWindow(api, async (log) => {
      const slot = { deployment_id: 'd', service: 's', environment: 'prod', parent_deployments: ['p'] };
      await log.store([0, '00:00', { ...slot, deployment_id: 'p' }]);
      const before = new Map<ReportName, string>();
      for (const name of reportNames) before.set(name, await etagOf(log, name));
      await log.store([3, '12:00', { ...slot, status: 'failure' }], [3, '13:00', { ...slot, status: 'success' }]);
      for (const name of reportNames) {
        const known = before.get(name) ?? '';
        const answer = await log.get(name, {}, { 'If-None-Match': known });
        expect(answer.status, name).toBe(200);
        expect(answer.headers.etag, name).not.toBe(known);
      }
    }),
  );

  testOwnInstance(
    'reading 5.13: an event that does not change a response does not change its ETag',
    inOneWindow(api, async (log) => {
      const before = new Map<ReportName, string>();
      for (const name of reportNames) before.set(name, await etagOf(log, name));
      await log.store([8, '00:00'], [0, '23:59', { status: 'failure' }]);
      for (const name of reportNames) {
        const known = before.get(name) ?? '';
        const answer = await log.get(name, {}, { 'If-None-Match': known });
        expect(answer.status, name).toBe(304);
        expect(answer.headers.etag, name).toBe(known);
      }
      await log.store([4, '12:00', { status: 'queued', environment: 'elsewhere' }]);
      expect((await log.get('frequency', {}, { 'If-None-Match': before.get('frequency') ?? '' })).status).toBe(304);
      expect((await log.get('heatmap', {}, { 'If-None-Match': before.get('heatmap') ?? '' })).status).toBe(200);
    }),
  );

  testOwnInstance(
    'reading 5.13: the ETag covers the whole body: different windows have different ETags, but aliases of one window have the same ETag',
    inOneWindow(api, async (log) => {
      for (const name of reportNames) {
        const etags = [];
        for (const window of ['7d', '14d', '30d']) etags.push(await etagOf(log, name, { window }));
        expect(new Set(etags).size, name).toBe(3);
        expect(await etagOf(log, name)).toBe(etags[0]);
        expect(await etagOf(log, name, { window: 'x' })).toBe(etags[0]);
        const other = await log.get(name, { window: '14d' }, { 'If-None-Match': etags[0] ?? '' });
        expect(other.status, name).toBe(200);
      }
      const all = [];
      for (const name of reportNames) all.push(await etagOf(log, name));
      expect(new Set(all).size).toBe(reportNames.length);
    }),
  );

  testOwnInstance.each(['top-deployers', 'incidents'] as const)(
    'reading 5.13: responses of %s with lists of different lengths have different ETags',
    async (name) => {
      await inOneWindow(api, async (log) => {
        for (const actor of ['a', 'b']) await log.store([2, '12:00', { actor, status: 'failure' }]);
        const [one, two] = [await etagOf(log, name, { limit: 1 }), await etagOf(log, name, { limit: 2 })];
        expect(one).not.toBe(two);
        expect((await log.get(name, { limit: 1 }, { 'If-None-Match': two })).status).toBe(200);
        expect((await log.get(name, { limit: 2 }, { 'If-None-Match': two })).status).toBe(304);
        expect((await log.get(name, { limit: 3 }, { 'If-None-Match': two })).status).toBe(304);
        expect((await log.get(name, {}, { 'If-None-Match': two })).status).toBe(304);
      })();
    },
  );

  testOwnInstance(
    '§1 rule 7, reading 4.4: all instances return the same ETag, and each sees events from the others immediately',
    inOneWindow(api, async (log) => {
      const other = await log.beside();
      const slot = { deployment_id: 'd', service: 's', environment: 'prod', parent_deployments: ['p'] };
      await log.store([0, '00:00', { ...slot, deployment_id: 'p' }], [2, '12:00', { ...slot, status: 'failure' }]);
      for (const name of reportNames) {
        const etag = await etagOf(log, name);
        expect(await etagOf(other, name), name).toBe(etag);
        expect((await other.get(name, {}, { 'If-None-Match': etag })).status, name).toBe(304);
      }
      const before = await other.get('incidents');
      await log.store([2, '13:00', { ...slot, status: 'success' }]);
      const after = await other.get('incidents', {}, { 'If-None-Match': before.headers.etag ?? '' });
      expect(after.status).toBe(200);
      expect(after.json).toMatchObject({ incidents: [{ duration_minutes: 60 }] });
    }),
  );

  testOwnInstance(
    '§3, reading 5.13: after a reset, every response and ETag equals that of an empty log',
    inOneWindow(api, async () => {
      const control = await Control.onOwnLog(api);
      const log = await Figures.open(api, {}, control.databaseUrl);
      const empty = new Map<ReportName, Answer>();
      for (const name of reportNames) empty.set(name, await log.get(name));
      const slot = { deployment_id: 'd', service: 's', environment: 'prod', parent_deployments: ['p'] };
      await log.store([0, '00:00', { ...slot, deployment_id: 'p' }]);
      await log.store([2, '12:00', { ...slot, status: 'failure' }], [2, '13:00', { ...slot, status: 'success' }]);
      for (const name of reportNames) expect((await log.get(name)).text, name).not.toBe(empty.get(name)?.text);
      await control.reset();
      for (const name of reportNames) {
        const answer = await log.get(name);
        expect(answer.text, name).toBe(empty.get(name)?.text);
        expect(answer.headers.etag, name).toBe(empty.get(name)?.headers.etag);
      }
    }),
  );
});
