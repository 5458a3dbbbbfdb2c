import { endpoints } from '@shiplog/contract';
import { type Figure, summary } from './harness/figure.ts';
import { firstAnswerMs, inTurn, repeatedAnswerMs, timedGet } from './harness/http.ts';
import type { Curve, Outcome } from './harness/outcome.ts';
import type { Stage } from './harness/stage.ts';

const rounds = 5;
const repetitions = 30;

/** Naive SQL: the newest effective row of each slot and the newest success, for rows that match a condition. */
export const naiveMatrix = (condition = '') => `
  select current.*, success.event as last_successful
  from (select distinct on (service, environment) * from deployments
    where status in ('in-progress', 'success', 'failure') ${condition}
    order by service, environment, happened_at desc, id desc) current
  left join (select distinct on (service, environment) * from deployments
    where status = 'success' ${condition} order by service, environment, happened_at desc, id desc) success
  using (service, environment)`;

/** P9: the complete matrix compared with naive SQL. */
export async function matrixAgainstSql(stage: Stage, log: string): Promise<Figure> {
  const { measured, yardstick } = await inTurn(rounds, {
    measure: () => firstAnswerMs(stage, endpoints.getMatrix.path),
    yardstick: async () => {
      const startedAt = performance.now();
      await stage.sql.query(naiveMatrix());
      return performance.now() - startedAt;
    },
  });
  return {
    goal: 'P9',
    title: `whole matrix, ${log}`,
    measured,
    unit: 'ms',
    yardstick: { title: 'naive SQL', measured: yardstick },
    reach: { atMost: 1 / 500 },
  };
}

const depths = [0, 0.1, 0.25, 0.5, 0.75, 0.9];

export const filters = {
  'no filter': '',
  service: 'service=service-7',
  environment: 'environment=env-3',
  status: 'status=failure',
  'service and environment': 'service=service-7&environment=env-3',
  'service and status': 'service=service-7&status=success',
  'environment and status': 'environment=env-3&status=failure',
  'all three': 'service=service-7&environment=env-3&status=success',
};
const drawn: readonly string[] = ['no filter', 'service', 'environment and status', 'all three'];

/**
 * The times of pages with one filter, by depth and round, and of the first page without a filter in the same rounds.
 */
interface Paged {
  readonly name: string;
  readonly byDepth: readonly (readonly number[])[];
  readonly unfiltered: readonly number[];
}

/** P14: pages at growing depths in the log for each filter, and a filter without matches. */
export async function pages(stage: Stage, days: number): Promise<Outcome> {
  const paged: Paged[] = [];
  for (const [name, filter] of Object.entries(filters)) paged.push(await pagesUnder(stage, name, filter, days));
  const atDepth = (depth: number) => paged.map(({ byDepth }) => summary(byDepth.at(depth) ?? []).median);
  return {
    figures: [
      {
        goal: 'P14',
        title: `page at ${100 * (depths.at(-1) ?? Number.NaN)} % of 1M rows, ${paged.length} filters`,
        measured: atDepth(-1),
        unit: 'ms',
        yardstick: { title: 'first page', measured: atDepth(0) },
        reach: { atMost: 2 },
      },
      ...paged.filter(({ name }) => name !== 'no filter').map(againstUnfiltered),
      await nothing(stage),
    ],
    curves: [depthCurve(paged.filter(({ name }) => drawn.includes(name)))],
  };
}

async function pagesUnder(stage: Stage, name: string, filter: string, days: number): Promise<Paged> {
  const byDepth = depths.map((): number[] => []);
  const unfiltered: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    unfiltered.push(await pageMs(stage, '', 0));
    for (const [index, depth] of depths.entries()) byDepth[index]?.push(await pageMs(stage, filter, days * depth));
  }
  return { name, byDepth, unfiltered };
}

/** The slowest depth compared with the first page without a filter in the same round. */
function againstUnfiltered({ name, byDepth, unfiltered }: Paged): Figure {
  return {
    goal: 'P14',
    title: `page by ${name}, slowest of ${depths.length} depths in 1M rows`,
    measured: unfiltered.map((_, round) => Math.max(...byDepth.map((times) => times[round] ?? Number.NaN))),
    unit: 'ms',
    yardstick: { title: 'first page without a filter', measured: unfiltered },
    reach: { atMost: 2 },
  };
}

function depthCurve(paged: readonly Paged[]): Curve {
  return {
    name: 'depth',
    title: 'Time to read a page at each depth of 1M rows',
    x: { label: '% of the log' },
    y: { label: 'ms' },
    series: paged.map(({ name, byDepth }) => ({
      name,
      points: byDepth.map((times, index) => [100 * (depths[index] ?? Number.NaN), summary(times).median]),
    })),
  };
}

/** The page that begins this many days before now. */
export async function pageMs(stage: Stage, filter: string, daysBack: number): Promise<number> {
  const url = `${stage.url}${endpoints.listDeployments.path}?${filter}`;
  if (daysBack === 0) return repeatedAnswerMs(url, repetitions);
  const until = new Date(Date.now() - daysBack * 86_400_000).toISOString();
  const { body } = await timedGet(`${url}&until=${until}&limit=1`);
  return repeatedAnswerMs(`${url}&cursor=${JSON.parse(body).next_cursor}`, repetitions);
}

export const matchNothing = [
  'service=nobody',
  'environment=nowhere',
  'status=rejected',
  'service=service-7&status=rejected',
  'deployment_id=none',
];

async function nothing(stage: Stage): Promise<Figure> {
  const times: number[] = [];
  for (const filter of matchNothing) {
    times.push(await repeatedAnswerMs(`${stage.url}${endpoints.listDeployments.path}?${filter}`, repetitions));
  }
  return {
    goal: 'P14',
    title: `a filter without matches, slowest of ${matchNothing.length}`,
    measured: [Math.max(...times)],
    unit: 'ms',
    reach: { atMost: 2 },
  };
}
