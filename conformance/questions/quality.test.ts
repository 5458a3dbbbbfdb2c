import { expect, test } from 'vitest';
import { type DatedLog, dated } from '../support/arrival.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const place = { service: 'pay', environment: 'prod' };
const day = 24 * 60;
const none = {
  future: 0,
  late: 0,
  stuck: 0,
  'unknown-parent': 0,
  duplicate: 0,
  'look-alike': 0,
  silent: 0,
  unversioned: 0,
};

suite('questions quality', (api, { testOwnInstance }) => {
  test.each([
    ['kind=worse', '/kind'],
    ['kind=late&kind=', '/kind'],
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['cursor=nothing', '/cursor'],
    ['services=', '/services'],
    ['environments=a%5C', '/environments'],
    ['teams=nobody', '/teams'],
  ])('§1.1, §1.3: %s is rejected with its pointer', async (query, pointer) => {
    expectFaults(await api.send({ path: `/api/quality?${query}` }), [pointer]);
  });

  testOwnInstance(
    '§10, §12.10: an empty log has no reporters, no findings, and a count of 0 for each of the eight kinds',
    dated(api, async (log) => {
      const report = await log.read();
      expect(report).toEqual({
        generated_at: expect.stringMatching(/Z$/),
        emitters: [],
        findings: [],
        counts: none,
        next_cursor: null,
      });
    }),
  );

  testOwnInstance(
    '§10.1, §12.10: every reporter has an entry, as do rows without one; rows are counted and ordered by arrival',
    dated(api, async (log) => {
      for (const minutesAgo of [day + 1, day - 1, 70, 40, 10]) await log.append({}, { minutesAgo, reporter: 'b/x' });
      await log.append({ happened_at: log.ago(3 * day) }, { minutesAgo: 5 });
      await log.append({ happened_at: log.ago(0) }, { minutesAgo: 2 * day, reporter: 'a/x' });
      expect((await log.read()).emitters).toEqual([
        { reporter: 'a/x', rows_24h: 0, last_at: at(log, 2 * day), usual_interval_minutes: null, silent: false },
        { reporter: 'b/x', rows_24h: 4, last_at: at(log, 10), usual_interval_minutes: 30, silent: false },
        { reporter: null, rows_24h: 1, last_at: at(log, 5), usual_interval_minutes: null, silent: false },
      ]);
    }),
  );

  testOwnInstance(
    '§12.10: the usual interval is the median of the last 100 intervals, or null if there are fewer than three',
    dated(api, async (log) => {
      const usual = async () => (await log.read()).emitters.map((emitter) => emitter.usual_interval_minutes);
      for (const minutesAgo of [1000, 900, 880]) await log.append({}, { minutesAgo, reporter: 'a/x' });
      expect(await usual()).toEqual([null]);
      await log.append({}, { minutesAgo: 850, reporter: 'a/x' });
      expect(await usual()).toEqual([30]);
      await log.append({}, { minutesAgo: 830, reporter: 'a/x' });
      expect(await usual()).toEqual([25]);
      // The last hundred intervals are fifty of 4 minutes and fifty of 2 minutes.
      for (let at = 0; at < 50; at += 1) await log.append({}, { minutesAgo: 826 - at * 4, reporter: 'a/x' });
      for (let at = 0; at < 50; at += 1) await log.append({}, { minutesAgo: 628 - at * 2, reporter: 'a/x' });
      expect(await usual()).toEqual([3]);
    }),
  );

  testOwnInstance(
    '§10.1, §10.2: a reporter is silent if its last row is older than both five usual intervals and 24 h',
    dated(api, async (log) => {
      const store = async (reporter: string, last: number, interval: number) => {
        for (const back of [3, 2, 1, 0]) await log.append({}, { minutesAgo: last + back * interval, reporter });
      };
      await store('quick/today', day - 1, 10);
      await store('slow/x', 5 * 400 - 1, 400);
      await log.append({}, { minutesAgo: 100 * day, reporter: 'once/x' });
      const { emitters } = await log.read();
      expect(emitters.filter(({ silent }) => silent)).toEqual([]);
      await store('quick/gone', day + 1, 10);
      await store('slow/gone', 5 * 400 + 1, 400);
      const report = await log.read();
      expect(report.emitters.filter(({ silent }) => silent).map(({ reporter }) => reporter)).toEqual([
        'quick/gone',
        'slow/gone',
      ]);
      expect(report.findings.filter(({ kind }) => kind === 'silent')).toEqual(
        ['quick/gone', 'slow/gone'].map((reporter) => ({
          kind: 'silent',
          service: null,
          environment: null,
          count: 1,
          event_id: null,
          detail: expect.stringContaining(`"${reporter}"`),
        })),
      );
    }),
  );

  testOwnInstance(
    '§10, §12.2: findings depend on the scope, but reporters and parents come from the complete log',
    dated(api, async (log) => {
      for (const service of ['pay', 'shop']) {
        for (const environment of ['dev', 'prod']) {
          await log.append({ service, environment, happened_at: log.ago(-30) }, { reporter: 'a/x' });
        }
      }
      const whole = await log.read();
      expect(whole.counts.future).toBe(4);
      expect(whole).not.toHaveProperty('scope');
      const part = await log.read('services=p*&environments=prod');
      expect(part.findings).toMatchObject([{ kind: 'future', service: 'pay', environment: 'prod' }]);
      expect(part).toMatchObject({
        scope: { services: ['p*'], environments: ['prod'] },
        counts: { ...none, future: 1 },
        emitters: whole.emitters,
      });
    }),
  );

  testOwnInstance(
    '§12.10, §1.3: findings are ordered by kind and then by count, pages are contiguous, and counts include all pages',
    dated(api, async (log) => {
      for (const [service, rows] of Object.entries({ a: 1, b: 3, c: 2 })) {
        for (let row = 0; row < rows; row += 1) {
          await log.append({ service, environment: 'prod', deployment_id: 'one', happened_at: log.ago(-30 - row) });
        }
      }
      const { findings, counts } = await log.read();
      const told = findings.map(({ kind, service, count }) => [kind, service, count]);
      expect(told).toEqual([
        ['future', 'b', 3],
        ['future', 'c', 2],
        ['future', 'a', 1],
        ['duplicate', 'b', 2],
        ['duplicate', 'c', 1],
      ]);
      expect(counts).toEqual({ ...none, future: 3, duplicate: 2 });
      const paged: typeof findings = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await log.read(`limit=2${cursor && `&cursor=${cursor}`}`);
        expect(page.findings.length).toBeLessThanOrEqual(2);
        expect(page.counts).toEqual(counts);
        paged.push(...page.findings);
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(findings);
      const some = await log.read('kind=duplicate&kind=late&limit=1');
      expect(some.findings).toMatchObject([{ kind: 'duplicate', service: 'b' }]);
      expect(some.counts).toEqual(counts);
      const rest = await log.read(`kind=duplicate&limit=1&cursor=${some.next_cursor}`);
      expect(rest).toMatchObject({ findings: [{ service: 'c' }], next_cursor: null });
    }),
  );

  testOwnInstance(
    '§1.1: the ETag is weak, and a request with it returns 304 while only generated_at changes',
    dated(api, async (log) => {
      await log.append({ ...place });
      const { headers } = await log.send();
      expect(headers.etag).toMatch(/^W\//);
      const known = { 'if-none-match': String(headers.etag) };
      expect((await log.send('', known)).status).toBe(304);
      await log.append({ ...place });
      expect((await log.send('', known)).status).toBe(200);
    }),
  );
});

function at(log: DatedLog, minutes: number): string {
  return new Date(log.openedMs - minutes * 60_000).toISOString();
}
