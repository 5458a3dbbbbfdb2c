import { endpoints, headerNames } from '@shiplog/contract';
import { type Figure, summary } from './harness/figure.ts';
import { fill } from './harness/fill.ts';
import { getTimes, timedGet } from './harness/http.ts';
import { getLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const million = 1_000_000;
const rounds = 5;
const shape = { services: 200, environments: 5 };
const ladder = Array.from({ length: shape.environments }, (_, index) => `env-${index}`);

type Question = Extract<keyof typeof endpoints, `get${string}`>;

/** What one would write first, over the rows of the window: $1 to $2. */
const inWindow = 'happened_at >= $1 and happened_at < $2';
const failuresWithSuccess = `
  select service, environment, happened_at as failed_at, (
    select min(happened_at) from deployments success
    where success.service = failure.service and success.environment = failure.environment
      and status = 'success' and success.happened_at > failure.happened_at
  ) as restored_at
  from deployments failure where status = 'failure' and ${inWindow}`;
const incidents = `
  select service, environment, min(failed_at) as failed_at, restored_at from (${failuresWithSuccess}) failures
  group by service, environment, restored_at`;
const perDay = `
  select date_trunc('day', happened_at) as day, status, count(*) from deployments
  where status in ('success', 'failure') and ${inWindow} group by 1, 2`;
const leadTimes = `
  with recursive production as (
    select id, happened_at, parents from deployments
    where environment = '${ladder.at(-1)}' and status = 'success' and ${inWindow} and parents is not null
  ), ancestors as (
    select id, unnest(parents) as deployment_id from production
    union
    select ancestors.id, unnest(deployments.parents) from ancestors join deployments using (deployment_id)
  )
  select production.id, production.happened_at - min(deployments.happened_at) as lead_time
  from production join ancestors using (id) join deployments on deployments.deployment_id = ancestors.deployment_id
  group by production.id, production.happened_at`;

const counted: Partial<Record<Question, readonly string[]>> = {
  getFrequency: [perDay],
  getChangeFailureRate: [perDay],
  getStatusDistribution: [`select status, count(*) from deployments where ${inWindow} group by status`],
  getHeatmap: [
    `select extract(dow from happened_at), extract(hour from happened_at), count(*) from deployments where ${inWindow} group by 1, 2`,
  ],
};

const computed: Partial<Record<Question, readonly string[]>> = {
  getIncidents: [
    `select *, restored_at - failed_at as duration from (${incidents}) i order by 5 desc nulls first limit 10`,
  ],
  getDurationHistogram: [
    `select count(*), percentile_cont(array[0.5, 0.95]) within group (order by duration)
     from (select max(happened_at) - min(happened_at) as duration from deployments where ${inWindow}
       group by deployment_id having count(*) > 1) d`,
  ],
  getTopDeployers: [
    `select coalesce(event::json ->> 'actor', 'unknown') as actor, count(*) from deployments where ${inWindow}
     group by 1 order by 2 desc limit 10`,
  ],
  getPromotionFunnel: [
    `select environment, count(distinct deployment_id) from deployments where ${inWindow} group by 1`,
  ],
  getDora: [
    perDay,
    `select percentile_cont(0.5) within group (order by lead_time) from (${leadTimes}) l`,
    `select percentile_cont(0.5) within group (order by restored_at - failed_at) from (${incidents}) i`,
  ],
};

/** P11 to P13: the nine answers on a large log, each against plain SQL over the same rows. */
export async function analytics(): Promise<Outcome> {
  const stage = await openStage({ ANALYTICS_FUNNEL_ENVIRONMENTS: ladder.join(',') });
  try {
    await fill(stage, { rows: million, days: 30, ...shape });
    const figures = [await unchanged(stage), ...(await answers(stage, '1M rows in 30 days'))];
    await fill(stage, { rows: million, days: 365, ...shape });
    const small = await answers(stage, '1M rows in a year');
    await fill(stage, { rows: 5 * million, days: 365, ...shape });
    return { figures: [...figures, ...small, ...(await growth(stage, small))] };
  } finally {
    await stage.close();
  }
}

async function answers(stage: Stage, log: string): Promise<Figure[]> {
  return [
    ...(await eachQuestion(stage, log, { goal: 'P12', plainSql: counted, reach: { atMost: 1 / 50 } })),
    ...(await eachQuestion(stage, log, { goal: 'P13', plainSql: computed, reach: { atMost: 1 / 4 } })),
  ];
}

async function eachQuestion(
  stage: Stage,
  log: string,
  asked: { goal: string; plainSql: typeof counted; reach: Figure['reach'] },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [question, statements] of Object.entries(asked.plainSql) as [Question, readonly string[]][]) {
    const url = urlOf(stage, question);
    const { window } = JSON.parse((await timedGet(url)).body);
    const measured: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      measured.push(summary(await getTimes(url, 3)).median);
      plain.push(await sqlTime(stage, statements, [window.from, window.to]));
    }
    figures.push({
      goal: asked.goal,
      title: `${nameOf(question)}, ${log}`,
      measured,
      unit: 'ms',
      yardstick: { title: 'plain SQL', measured: plain },
      reach: asked.reach,
    });
  }
  return figures;
}

/** The same answers at five times the rows, against what they took before. */
async function growth(stage: Stage, small: readonly Figure[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const question of [...Object.keys(counted), ...Object.keys(computed)] as Question[]) {
    const before = small.find(({ title }) => title.startsWith(`${nameOf(question)},`));
    const measured: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      measured.push(summary(await getTimes(urlOf(stage, question), 3)).median);
    }
    figures.push({
      goal: 'growth',
      title: `${nameOf(question)}, 5M rows in a year`,
      measured,
      unit: 'ms',
      yardstick: { title: '1M rows in a year', measured: before?.measured ?? [] },
      reach: { atMost: question in counted ? 1.4 : 5 },
    });
  }
  return figures;
}

/** P11: a 304 against a `select 1` over the same HTTP, which is what the readiness probe does. */
async function unchanged(stage: Stage): Promise<Figure> {
  const url = urlOf(stage, 'getDora');
  const { headers } = await timedGet(url);
  const etag = String(headers[headerNames.etag.toLowerCase()]);
  const load = { connections: 8, seconds: 3 };
  const notModified: number[] = [];
  const probe: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const answered = await getLoad(url, { ...load, headers: { [headerNames.ifNoneMatch]: etag } });
    notModified.push(1000 / answered.perSecond);
    probe.push(1000 / (await getLoad(`${stage.url}${endpoints.getReadiness.path}`, load)).perSecond);
  }
  return {
    goal: 'P11',
    title: '304 of dora, time per request',
    measured: notModified,
    unit: 'ms',
    yardstick: { title: 'select 1 over the same HTTP', measured: probe },
    reach: { atMost: 2 },
  };
}

async function sqlTime(stage: Stage, statements: readonly string[], values: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (const statement of statements) await stage.sql.query(statement, [...values]);
  return performance.now() - startedAt;
}

function urlOf(stage: Stage, question: Question): string {
  return `${stage.url}${endpoints[question].path}?window=30d`;
}

function nameOf(question: Question): string {
  return endpoints[question].path.split('/').at(-1) ?? question;
}
