import {
  type ChangeFailureRateReport,
  type DoraReport,
  type DurationHistogramReport,
  type FrequencyReport,
  type HeatmapReport,
  type IncidentsReport,
  incidentSeverities,
  type PromotionFunnelReport,
  type StatusDistributionReport,
  type TopDeployersReport,
} from '@shiplog/contract';
import { builtInDemoSet } from '@shiplog/scenarios';
import { readJson } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { historyEvents as events, serviceWith } from './support/post-scenario.ts';

/** The time from which ages are counted. The file is designed for this Wednesday afternoon. */
const historyNow = Date.UTC(2026, 5, 17, 15);

describe('the history', () => {
  test('has several hundred deployments in one month, oldest first', () => {
    const ages = events.map((event) => event.elapsed_minutes);
    expect(ages).toEqual([...ages].sort((one, other) => other - one));
    expect(Math.max(...ages)).toBeGreaterThan(28 * 24 * 60);
    expect(Math.max(...ages)).toBeLessThanOrEqual(30 * 24 * 60);
    expect(Math.min(...ages)).toBeLessThan(3 * 60);
    expect(events.length).toBeGreaterThan(600);
    expect(new Set(events.map((event) => event.deployment_id)).size).toBeGreaterThan(300);
  });

  test('has each status once per deployment, and no deployments of the demo set', () => {
    const rows = events.map((event) => `${event.deployment_id} ${event.status}`);
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
    const ofDemoSet = new Set(builtInDemoSet().events.map((event) => event.deployment_id));
    expect(events.filter((event) => ofDemoSet.has(event.deployment_id))).toEqual([]);
  });

  test('has only parents that succeeded earlier in the same service', () => {
    const succeeded = new Set<string>();
    const wrong: string[] = [];
    for (const event of events) {
      for (const parent of event.parent_deployments ?? []) {
        if (!succeeded.has(`${event.service} ${parent}`)) wrong.push(`${event.deployment_id} from ${parent}`);
      }
      if (event.status === 'success') succeeded.add(`${event.service} ${event.deployment_id}`);
    }
    expect(wrong).toEqual([]);
    expect(events.filter((event) => event.environment === 'prod' && event.parent_deployments)).not.toEqual([]);
  });

  test('has few deployments that begin at night or on weekends', () => {
    const seen = new Set<string>();
    const begins = events.filter(({ deployment_id: id }) => !seen.has(id) && seen.add(id));
    const atWork = begins.filter(({ elapsed_minutes: age }) => {
      const moment = new Date(historyNow - age * 60_000);
      return ![0, 6].includes(moment.getUTCDay()) && moment.getUTCHours() >= 7 && moment.getUTCHours() < 19;
    });
    expect(atWork.length / begins.length).toBeGreaterThan(0.8);
    expect(atWork.length).toBeLessThan(begins.length);
  });
});

test('the history gives results in each of the nine analytics over thirty days', async () => {
  const url = await serviceWith(new Date(), { events });
  const report = <Body>(name: string) => readJson<Body>(`${url}/api/analytics/${name}?window=30d`);

  const { window: _, scope: __, ...keys } = await report<DoraReport>('dora');
  expect(Object.entries(keys).filter(([, { value }]) => !value)).toEqual([]);
  const frequency = (await report<FrequencyReport>('frequency')).buckets;
  expect(frequency.filter(({ success }) => success > 5).length).toBeGreaterThan(15);
  const rates = (await report<ChangeFailureRateReport>('change-failure-rate')).buckets;
  expect(rates.filter(({ rate }) => rate > 0 && rate < 0.5).length).toBeGreaterThan(10);
  const durations = await report<DurationHistogramReport>('duration-histogram');
  expect(durations.bins.filter(({ count }) => count === 0)).toEqual([]);
  const { stages } = await report<PromotionFunnelReport>('promotion-funnel');
  expect(stages.filter(({ count }) => count < 30)).toEqual([]);
  expect(stages.at(-1)?.count).toBeLessThan(stages[0]?.count ?? 0);
  const { statuses } = await report<StatusDistributionReport>('status-distribution');
  expect(statuses.filter(({ count }) => count === 0)).toEqual([]);
  const { cells } = await report<HeatmapReport>('heatmap');
  expect(new Set(cells.map((cell) => cell.day_of_week)).size).toBe(7);
  const { deployers } = await report<TopDeployersReport>('top-deployers');
  expect(deployers).toHaveLength(10);
  const { incidents } = await report<IncidentsReport>('incidents');
  expect(incidents.filter(({ restored_at }) => restored_at === null)).not.toEqual([]);
  const all = await readJson<IncidentsReport>(`${url}/api/analytics/incidents?window=30d&limit=100`);
  expect(new Set(all.incidents.map(({ severity }) => severity))).toEqual(new Set(incidentSeverities));
});
