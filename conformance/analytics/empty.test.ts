import { expect, test } from 'vitest';
import { inOneWindow, pathOf, type ReportName, reportNames } from '../support/analytics.ts';
import { expectRefusal } from '../support/refusals.ts';
import { allStatuses } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const days = [1, 2, 3, 4, 5, 6, 7];
const promotionOrder = ['dev', 'staging', 'qa', 'preprod', 'prod'];

/** Reading 5.5, "none in window". */
const emptyKpis = {
  deployment_frequency: {
    value: 0,
    unit: 'per_day',
    classification: 'low',
    trend_delta: null,
    sparkline: [0, 0, 0, 0, 0, 0, 0],
    approximated: false,
  },
  lead_time: {
    value: null,
    unit: 'hours',
    classification: 'low',
    trend_delta: null,
    sparkline: [null, null, null, null, null, null, null],
    approximated: true,
  },
  change_failure_rate: {
    value: null,
    unit: 'ratio',
    classification: 'elite',
    trend_delta: null,
    sparkline: [0, 0, 0, 0, 0, 0, 0],
    approximated: false,
  },
  time_to_restore: {
    value: null,
    unit: 'minutes',
    classification: 'elite',
    trend_delta: null,
    sparkline: [null, null, null, null, null, null, null],
    approximated: false,
  },
};

const emptyAnswers: readonly (readonly [ReportName, (date: (day: number) => string) => unknown])[] = [
  ['dora', () => emptyKpis],
  ['frequency', (date) => ({ buckets: days.map((day) => ({ date: date(day), success: 0, failure: 0 })) })],
  [
    'change-failure-rate',
    (date) => ({ buckets: days.map((day) => ({ date: date(day), rate: 0 })), elite_threshold: 0.15 }),
  ],
  [
    'duration-histogram',
    () => ({
      bins: [
        { label: '0-10', lower_minutes: 0, upper_minutes: 10, count: 0 },
        { label: '10-20', lower_minutes: 10, upper_minutes: 20, count: 0 },
        { label: '20-30', lower_minutes: 20, upper_minutes: 30, count: 0 },
        { label: '30-60', lower_minutes: 30, upper_minutes: 60, count: 0 },
        { label: '60-120', lower_minutes: 60, upper_minutes: 120, count: 0 },
        { label: '120+', lower_minutes: 120, upper_minutes: null, count: 0 },
      ],
      p50: null,
      p95: null,
      p50_minutes: null,
      p95_minutes: null,
    }),
  ],
  [
    'promotion-funnel',
    () => ({ stages: promotionOrder.map((environment) => ({ environment, count: 0, conversion: null })) }),
  ],
  ['status-distribution', () => ({ statuses: allStatuses.map((status) => ({ status, count: 0 })) })],
  ['heatmap', () => ({ cells: [] })],
  ['top-deployers', () => ({ deployers: [] })],
  ['incidents', () => ({ incidents: [] })],
];

suite('analytics: empty responses and plain requests', (api, { testOwnInstance }) => {
  testOwnInstance.each(emptyAnswers)(
    'readings 5.3 to 5.5: %s of an empty log has all its members, with values of 0 or null',
    async (name, due) => {
      await inOneWindow(api, async (log) => {
        expect(await log.read(name)).toEqual(due((day) => log.date(day)));
      })();
    },
  );

  test.each(reportNames)('§4: %s needs no key and ignores a wrong one', async (name) => {
    for (const headers of [{}, { 'X-Api-Key': 'wrong', 'X-Control-API-Key': 'wrong' }]) {
      expect((await api.get(pathOf(name), {}, headers)).status).toBe(200);
    }
  });

  test.each(reportNames)('§4, reading 1.9: %s is read only', async (name) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await api.send({ method, path: pathOf(name) });
      expectRefusal(answer, 'method-not-allowed');
      expect(answer.headers.allow?.split(/, */).sort()).toEqual(['GET', 'HEAD']);
    }
  });

  test.each(['/api/analytics', '/api/analytics/', '/api/analytics/unknown', '/api/analytics/dora/x'])(
    'reading 1.9: %s returns 404',
    async (path) => {
      expectRefusal(await api.send({ path }), 'not-found');
    },
  );
});
