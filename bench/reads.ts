import { endpoints, headerNames } from '@shiplog/contract';
import { type Figure, summary } from './harness/figure.ts';
import { fill } from './harness/fill.ts';
import { getTimes, timedGet } from './harness/http.ts';
import { getLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const million = 1_000_000;
const rounds = 5;
const shape = { days: 365, services: 200, environments: 5 };

/** What one would write first: the newest effective row of each slot, with the newest success. */
const naiveMatrix = `
  select current.*, success.event as last_successful
  from (select distinct on (service, environment) * from deployments
    where status in ('in-progress', 'success', 'failure') order by service, environment, happened_at desc, id desc) current
  left join (select distinct on (service, environment) * from deployments
    where status = 'success' order by service, environment, happened_at desc, id desc) success
  using (service, environment)`;

/** P9 to P11 and P14: the reads on a large log. */
export async function reads(): Promise<Outcome> {
  const stage = await openStage();
  try {
    await fill(stage, { rows: million, ...shape });
    const matrix = await matrixTimes(stage);
    const naive = await naiveTimes(stage);
    const figures: Figure[] = [
      {
        goal: 'P9',
        title: 'whole matrix, 1M rows, 1,000 slots',
        measured: matrix,
        unit: 'ms',
        yardstick: { title: 'naive SQL', measured: naive },
        reach: { atMost: 1 / 500 },
      },
      ...(await unchanged(stage)),
      ...(await pages(stage)),
    ];
    await fill(stage, { rows: 5 * million, ...shape });
    figures.splice(1, 0, {
      goal: 'P10',
      title: 'whole matrix, 5M rows',
      measured: await matrixTimes(stage),
      unit: 'ms',
      yardstick: { title: '1M rows', measured: matrix },
      reach: { atMost: 1.4 },
    });
    return { figures };
  } finally {
    await stage.close();
  }
}

async function matrixTimes(stage: Stage): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(summary(await getTimes(`${stage.url}${endpoints.getMatrix.path}`, 50)).median);
  }
  return times;
}

async function naiveTimes(stage: Stage): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await stage.sql.query(naiveMatrix);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** P11: a 304 of the matrix against a `select 1` over the same pool and HTTP, which is what the readiness probe does. */
async function unchanged(stage: Stage): Promise<Figure[]> {
  const url = `${stage.url}${endpoints.getMatrix.path}`;
  const { headers } = await timedGet(url);
  const load = { connections: 8, seconds: 3 };
  const notModified: number[] = [];
  const probe: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const etag = String(headers[headerNames.etag.toLowerCase()]);
    const answered = await getLoad(url, { ...load, headers: { [headerNames.ifNoneMatch]: etag } });
    notModified.push(1000 / answered.perSecond);
    probe.push(1000 / (await getLoad(`${stage.url}${endpoints.getReadiness.path}`, load)).perSecond);
  }
  return [
    {
      goal: 'P11',
      title: '304 of the matrix, time per request',
      measured: notModified,
      unit: 'ms',
      yardstick: { title: 'select 1 over the same pool and HTTP', measured: probe },
      reach: { atMost: 2 },
    },
  ];
}

const filters = {
  'no filter': '',
  service: 'service=service-7',
  environment: 'environment=env-3',
  status: 'status=failure',
  'environment and status': 'environment=env-3&status=failure',
  'service and environment': 'service=service-7&environment=env-3',
  'all three': 'service=service-7&environment=env-3&status=success',
};

/** P14: a page at nine tenths of the log's depth against the first, for each filter; and what matches nothing. */
async function pages(stage: Stage): Promise<Figure[]> {
  const first: number[] = [];
  const deep: number[] = [];
  const url = `${stage.url}${endpoints.listDeployments.path}`;
  const until = new Date(Date.now() - shape.days * 0.9 * 86_400_000).toISOString();
  const slowest: string[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const top = summary(await getTimes(`${url}?${filter}`, 50)).median;
    const bottomPage = await timedGet(`${url}?${filter}&until=${until}&limit=1`);
    const { next_cursor: cursor } = JSON.parse(bottomPage.body);
    const bottom = summary(await getTimes(`${url}?${filter}&cursor=${cursor}`, 50)).median;
    first.push(top);
    deep.push(bottom);
    slowest.push(`${name} ${top.toFixed(2)} → ${bottom.toFixed(2)} ms`);
  }
  const nothing: number[] = [];
  for (const filter of [
    'service=nobody',
    'environment=nowhere',
    'status=rejected',
    'service=service-7&status=rejected',
    'deployment_id=none',
  ]) {
    nothing.push(summary(await getTimes(`${url}?${filter}`, 50)).median);
  }
  return [
    {
      goal: 'P14',
      title: `deep page, 1M rows (${slowest.join('; ')})`,
      measured: deep,
      unit: 'ms',
      yardstick: { title: 'first page', measured: first },
      reach: { atMost: 2 },
    },
    {
      goal: 'P14',
      title: 'a filter that matches nothing, slowest of five',
      measured: [Math.max(...nothing)],
      unit: 'ms',
      reach: { atMost: 2 },
    },
  ];
}
