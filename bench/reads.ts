import { endpoints } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { firstAnswerMs, inTurn, repeatedAnswerMs, timedGet } from './harness/http.ts';
import type { Curve, Outcome } from './harness/outcome.ts';
import type { Stage } from './harness/stage.ts';

const rounds = 5;
const repetitions = 30;

/** What one would write first: the newest effective row of each slot, with the newest success. */
const naiveMatrix = `
  select current.*, success.event as last_successful
  from (select distinct on (service, environment) * from deployments
    where status in ('in-progress', 'success', 'failure') order by service, environment, happened_at desc, id desc) current
  left join (select distinct on (service, environment) * from deployments
    where status = 'success' order by service, environment, happened_at desc, id desc) success
  using (service, environment)`;

/** P9: the whole matrix against naive SQL. */
export async function matrixAgainstSql(stage: Stage, log: string): Promise<Figure> {
  const { measured, yardstick } = await inTurn(rounds, {
    measure: () => firstAnswerMs(stage, endpoints.getMatrix.path),
    yardstick: async () => {
      const startedAt = performance.now();
      await stage.sql.query(naiveMatrix);
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

const filters = {
  'no filter': '',
  service: 'service=service-7',
  environment: 'environment=env-3',
  status: 'status=failure',
  'environment and status': 'environment=env-3&status=failure',
  'service and environment': 'service=service-7&environment=env-3',
  'all three': 'service=service-7&environment=env-3&status=success',
};
const drawn: readonly string[] = ['no filter', 'service', 'environment and status', 'all three'];

/** P14: pages at growing depths of a log of so many days, for each filter; and what matches nothing. */
export async function pages(stage: Stage, days: number): Promise<Outcome> {
  const times: { readonly name: string; readonly ms: readonly number[] }[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const ms: number[] = [];
    for (const depth of depths) ms.push(await pageMs(stage, filter, days * depth));
    times.push({ name, ms });
  }
  return {
    figures: [
      {
        goal: 'P14',
        title: `page at ${100 * last(depths)} % of 1M rows, ${times.length} filters`,
        measured: times.map(({ ms }) => last(ms)),
        unit: 'ms',
        yardstick: { title: 'first page', measured: times.map(({ ms }) => ms[0] ?? Number.NaN) },
        reach: { atMost: 2 },
      },
      await nothing(stage),
    ],
    curves: [depthCurve(times.filter(({ name }) => drawn.includes(name)))],
  };
}

function depthCurve(times: readonly { readonly name: string; readonly ms: readonly number[] }[]): Curve {
  return {
    name: 'depth',
    title: 'Time of a page by its depth in 1M rows',
    x: { label: '% of the log' },
    y: { label: 'ms' },
    series: times.map(({ name, ms }) => ({
      name,
      points: depths.map((depth, index) => [100 * depth, ms[index] ?? Number.NaN]),
    })),
  };
}

function last(values: readonly number[]): number {
  return values.at(-1) ?? Number.NaN;
}

/** The page that begins so many days before now. */
async function pageMs(stage: Stage, filter: string, daysBack: number): Promise<number> {
  const url = `${stage.url}${endpoints.listDeployments.path}?${filter}`;
  if (daysBack === 0) return repeatedAnswerMs(url, repetitions);
  const until = new Date(Date.now() - daysBack * 86_400_000).toISOString();
  const { body } = await timedGet(`${url}&until=${until}&limit=1`);
  return repeatedAnswerMs(`${url}&cursor=${JSON.parse(body).next_cursor}`, repetitions);
}

const matchNothing = [
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
    title: `a filter that matches nothing, slowest of ${matchNothing.length}`,
    measured: [Math.max(...times)],
    unit: 'ms',
    reach: { atMost: 2 },
  };
}
