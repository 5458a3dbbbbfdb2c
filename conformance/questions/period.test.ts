import type { AnalyticsWindow, DoraReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type Figures, inOneWindow, pathOf, reportNames } from '../support/analytics.ts';
import { bodyOf, withQuery } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const dayMs = 86_400_000;

/** The time this many days after the start of the current UTC day, by the test's clock. */
function day(days: number): string {
  return new Date((Math.floor(Date.now() / dayMs) + days) * dayMs).toISOString();
}

suite('analytics period', (api, { testOwnInstance }) => {
  const faults = async (query: string, ...pointers: string[]) => {
    for (const name of reportNames) expectFaults(await api.send({ path: `${pathOf(name)}?${query}` }), pointers);
  };

  test("§12.1: from and to require each other and can't be combined with window", async () => {
    await faults('from=2026-01-01', '/to');
    await faults('to=2026-01-01', '/from');
    await faults(`from=${day(-2)}&to=${day(-1)}&window=7d`, '/window');
    await faults(`from=${day(-2)}&window=nonsense`, '/to', '/window');
    await faults(`from=${day(3)}&to=${day(2)}`, '/from', '/to');
    await faults(`from=${day(-400)}&to=${day(2)}`, '/from', '/to');
  });

  test('§1.1: an invalid time is rejected with its pointer', async () => {
    await faults(`from=yesterday&to=${day(-1)}`, '/from');
    await faults(`from=${day(-1)}&to=2026-02-30`, '/to');
    await faults(`from=&to=`, '/from', '/to');
    await faults(`from=${day(-3)}&from=${day(-2)}&to=${day(-1)}`, '/from');
  });

  test('§3.1, §12.1: a period is not empty, has at most 400 days and does not end after the current day', async () => {
    await faults(`from=${day(-1)}&to=${day(-1)}`, '/from');
    await faults(`from=${day(-1)}&to=${day(-2)}`, '/from');
    await faults(`from=${day(-401)}&to=${day(0)}`, '/from');
    await faults(`from=${day(-1)}&to=${day(3)}`, '/to');
    expect((await api.get(pathOf('dora'), { from: day(-399), to: day(1) })).status).toBe(200);
  });

  test('§12.3: a period that ends before the retention is rejected, and a period that begins before it is clamped', async () => {
    await faults(`from=${day(-398)}&to=${day(-370)}`, '/from');
    const { window } = bodyOf<{ window: AnalyticsWindow }>(
      await api.get(pathOf('frequency'), { from: day(-390), to: day(-360) }),
    );
    expect(window).toMatchObject({ days: 5, from: day(-365).replace('.000Z', 'Z'), clamped: true });
  });

  test('§3.1: the window of a period has the resolved times and the number of UTC days that it overlaps', async () => {
    const window = async (from: string, to: string) =>
      bodyOf<{ window: AnalyticsWindow }>(await api.get(pathOf('heatmap'), { from, to })).window;
    expect(await window(day(-2).slice(0, 10), day(-1).slice(0, 10))).toMatchObject({
      days: 1,
      from: `${day(-2).slice(0, 10)}T00:00:00Z`,
      to: `${day(-1).slice(0, 10)}T00:00:00Z`,
      clamped: false,
    });
    const begin = day(-2).replace('00:00:00.000Z', '23:59:59.999999Z');
    expect(await window(begin, day(-1).replace('00.000Z', '00.000001Z'))).toMatchObject({ days: 2, from: begin });
  });

  testOwnInstance(
    '§3.1: a period that includes today includes its start and excludes its end, to the microsecond',
    async () => {
      const log = await openLog();
      const from = day(0).replace('.000Z', '.000001Z');
      const to = day(0).replace('00.000Z', '00.5Z');
      for (const happened_at of [day(0), from, to]) await log.append({ happened_at });
      expect(await log.read('status-distribution', { from, to })).toMatchObject({
        statuses: expect.arrayContaining([{ status: 'success', count: 1 }]),
      });
    },
  );

  testOwnInstance(
    '§3.2: with compare=previous, previous has each value for the preceding period of the same length',
    inOneWindow(api, async (log) => {
      // The log begins before the previous period.
      await log.store([1, '10:00', { status: 'queued' }]);
      await log.store([3, '10:00'], [3, '11:00', { status: 'failure' }], [5, '10:00'], [5, '12:00']);
      const query = { from: log.at(4, '00:00'), to: log.at(6, '00:00'), compare: 'previous' };
      const dora = await log.read('dora', query);
      expect(dora.deployment_frequency).toMatchObject({ value: 1, previous: 1 });
      expect(dora.change_failure_rate).toMatchObject({ value: 0, previous: 0.5 });
      expect(dora.lead_time).toMatchObject({ value: null, previous: null });
      const plain = await log.read('dora', { from: query.from, to: query.to });
      for (const key of Object.values(plain)) expect(key).not.toHaveProperty('previous');
    }),
  );

  testOwnInstance(
    '§12.3: compare=previous also works with a window, and previous is null if its period begins before the clamp',
    inOneWindow(
      api,
      async (log) => {
        await log.store([0, '10:00'], [3, '10:00']);
        const of = async (window: string) => (await log.read('dora', { window, compare: 'previous' })) as DoraReport;
        expect((await of('7d')).deployment_frequency).toMatchObject({ value: 1 / 7, previous: 1 / 7 });
        expect((await of('30d')).deployment_frequency).toMatchObject({ previous: 0 });
      },
      { retentionDays: 90 },
    ),
  );

  testOwnInstance(
    '§3.3: for a period that begins before the log, the response has the covered part and no previous values',
    inOneWindow(api, async (log) => {
      const query = { from: log.at(2, '00:00'), to: log.at(6, '00:00') };
      const read = async (more: object = {}) => bodyOf<DoraReport>(await log.get('dora', { ...query, ...more }));
      const whole = { covered_from: query.from, covered_days: 4 };
      expect(await read()).toMatchObject({ window: whole, deployment_frequency: { value: 0, per_covered_day: 0 } });
      await log.store([4, '10:00'], [4, '11:00', { status: 'failure' }]);
      const part = { days: 4, covered_from: log.at(4, '10:00'), covered_days: 2 };
      const frequency = { value: 0.5, per_covered_day: 1, previous: null };
      expect(await read({ compare: 'previous' })).toMatchObject({ window: part, deployment_frequency: frequency });
      const evidence = await log.send({ path: withQuery('/api/analytics/evidence/incidents', query) });
      expect(bodyOf<DoraReport>(evidence)).toMatchObject({ window: part });
      expect((await log.get('dora', { window: '7d' })).text).not.toContain('covered');
      // A late row of another slot moves the start of the log, although it is outside the scope.
      const scoped = () => read({ services: 'none', compare: 'previous' });
      expect(await scoped()).toMatchObject({ window: part, deployment_frequency: { previous: null } });
      await log.store([0, '12:00']);
      expect(await scoped()).toMatchObject({ window: whole, deployment_frequency: { previous: null } });
      await log.store([-3, '12:00']);
      expect(await scoped()).toMatchObject({ window: whole, deployment_frequency: { previous: 0 } });
      const before = { from: log.at(-6, '00:00'), to: log.at(-4, '00:00') };
      expect(await read(before)).toMatchObject({
        window: { covered_days: 0 },
        deployment_frequency: { per_covered_day: null },
      });
    }),
  );

  test('§1.1: compare accepts only previous', async () => {
    for (const value of ['', 'next', 'Previous']) {
      expectFaults(await api.get(pathOf('dora'), { compare: value }), ['/compare']);
    }
  });

  test('§1.1: a response for a period has an ETag, and a request with it returns 304', async () => {
    const query = { from: day(-2), to: day(-1), services: 'nobody' };
    const { headers } = await api.get(pathOf('dora'), query);
    expect((await api.get(pathOf('dora'), query, { 'If-None-Match': headers.etag ?? '' })).status).toBe(304);
  });

  function openLog(): Promise<Figures> {
    return new Promise((resolve, reject) => {
      inOneWindow(api, async (log) => resolve(log))().catch(reject);
    });
  }
});
