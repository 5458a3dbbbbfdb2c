import { endpoints } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { firstAnswerMs, inTurn, timedGet } from './harness/http.ts';
import type { Stage } from './harness/stage.ts';

const rounds = { counted: 5, computed: 3 };

/** The environments of a filled log in promotion order. */
export const ladder = ['env-0', 'env-1', 'env-2', 'env-3', 'env-4'];

export type Question = Extract<keyof typeof endpoints, `get${string}`>;

type Entry = [question: Question, statements: readonly string[] | undefined];

/** Naive SQL over the rows of the window, $1 to $2. */
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
     from (select max(happened_at) - min(happened_at) as duration from deployments group by deployment_id
       having count(*) > 1 and max(happened_at) >= $1 and max(happened_at) < $2) d`,
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

/** Reports computed from hourly counts. */
export const countedQuestions = Object.keys(counted) as Question[];
/** Reports computed from the values in their window. */
export const computedQuestions = Object.keys(computed) as Question[];

/** P12 and P13: the nine reports, each compared with plain SQL over the same rows. */
export async function answersAgainstSql(stage: Stage, log: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [question, statements = []] of Object.entries({ ...counted, ...computed }) as Entry[]) {
    const isCounted = question in counted;
    const path = pathOf(question);
    const { window } = JSON.parse((await timedGet(stage.url + path)).body);
    const { measured, yardstick } = await inTurn(isCounted ? rounds.counted : rounds.computed, {
      measure: () => firstAnswerMs(stage, path),
      yardstick: () => sqlMs(stage, statements, [window.from, window.to]),
    });
    figures.push({
      goal: isCounted ? 'P12' : 'P13',
      title: `${nameOf(question)}, ${log}`,
      measured,
      unit: 'ms',
      yardstick: { title: 'plain SQL', measured: yardstick },
      reach: { atMost: isCounted ? 1 / 50 : 1 / 10 },
    });
  }
  return figures;
}

async function sqlMs(stage: Stage, statements: readonly string[], values: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  for (const statement of statements) await stage.sql.query(statement, [...values]);
  return performance.now() - startedAt;
}

export function pathOf(question: Question): string {
  return `${endpoints[question].path}?window=30d`;
}

/** The name in the path, such as `frequency`. */
export function nameOf(question: Question): string {
  return endpoints[question].path.split('/').at(-1) ?? question;
}
