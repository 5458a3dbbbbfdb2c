import { readFile } from 'node:fs/promises';
import {
  type AnalyticsWindow,
  endpoints,
  type FrequencyReport,
  type HeatmapReport,
  type Status,
} from '@shiplog/contract';
import { anEvent, testDatabase, testService } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';
import { aligned } from './support/aligned.ts';

const page = new URL('../../../docs/analytics.md', import.meta.url);
const base = endpoints.getDora.path.replace(/dora$/, '');

async function answer(url: string, name: string): Promise<{ window: AnalyticsWindow }> {
  const response = await fetch(`${url}${base}${name}`);
  expect(response.status).toBe(200);
  return (await response.json()) as { window: AnalyticsWindow };
}

/** The date of the nth day of the window. */
function dateOf({ from }: AnalyticsWindow, day: number): string {
  return new Date(Date.parse(from) + (day - 1) * 86_400_000).toISOString().slice(0, 10);
}

test("the service returns the responses shown in the documentation's examples", async () => {
  const text = await readFile(page, 'utf8');
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const { window } = await answer(url, 'frequency');
  const rows = [...text.matchAll(/^\| (\d) \| (.*) \|$/gm)].map(([, day, cells = '']) => [day, ...cells.split('|')]);
  expect(rows).toHaveLength(8);
  const ids = await appendAll(
    databaseUrl,
    rows.map((cells) => {
      const [day, time, deployment = '', service = '', environment = '', status, actor, parent] = cells.map((cell) =>
        cell?.trim(),
      );
      return {
        deployment_id: deployment,
        service,
        environment,
        status: status as Status,
        happened_at: `${dateOf(window, Number(day))}T${time}:00Z`,
        ...(actor && { actor }),
        ...(parent && { parent_deployments: [parent] }),
      };
    }),
  );
  const examples = [...text.matchAll(/^```json ([a-z/_-]+)\n(.*?)^```/gms)];
  expect(examples.map(([, name]) => name)).toHaveLength(11);
  for (const [, name = '', example = ''] of examples) {
    const { window: answered, ...said } = await answer(url, name);
    const due = example
      .replace(/\{day (\d)\}/g, (_, day) => dateOf(answered, Number(day)))
      .replace(/\{row (\d)\}/g, (_, row) => ids[Number(row) - 1] ?? '');
    expect(said, name).toEqual(aligned(JSON.parse(due), said));
  }
});

test('days and hours before 1970 are counted like others', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl, config: { historyRetentionDays: 1_000_000 } });
  const instants = ['1969-12-28T00:00:00Z', '1969-12-31T23:30:00Z', '1970-01-01T00:30:00Z'];
  await appendAll(
    databaseUrl,
    instants.map((happened_at) => anEvent({ happened_at })),
  );
  const period = '?from=1969-12-28&to=1970-01-03';
  const { buckets } = (await answer(url, `frequency${period}`)) as FrequencyReport;
  const days = buckets.filter(({ success }) => success > 0).map(({ date, success }) => [date, success]);
  expect(days).toEqual([
    ['1969-12-28', 1],
    ['1969-12-31', 1],
    ['1970-01-01', 1],
  ]);
  const { cells } = (await answer(url, `heatmap${period}`)) as HeatmapReport;
  const hours = cells.filter(({ count }) => count > 0).map(({ day_of_week, hour }) => [day_of_week, hour]);
  // A Sunday, a Wednesday and a Thursday.
  expect(hours).toEqual([
    [0, 0],
    [3, 23],
    [4, 0],
  ]);
});
