import { endpoints } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { fillAndBuild } from './harness/fill.ts';
import { firstAnswerMs, inTurn } from './harness/http.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';
import { naiveMatrix } from './reads.ts';

const rounds = 5;
const million = { rows: 1_000_000, days: 365 };

interface Question {
  readonly title: string;
  readonly path: string;
  readonly atMostMs: number;
  /** Naive SQL. */
  readonly sql: string;
}

const { listReleases, getRelease, diffEnvironments, getMatrix } = endpoints;

const past = new Date(Date.now() - (million.days / 2) * 86_400_000).toISOString();

const pastBoard: Question = {
  title: 'board half a year ago, 1,000 slots',
  path: `${getMatrix.path}?at=${past}`,
  atMostMs: 100,
  sql: naiveMatrix(`and happened_at <= '${past}'`),
};

const list = (condition: string) => `
  select release, service, min(happened_at), max(happened_at) as last_at,
    array_agg(distinct environment) from deployments
  where ${condition} group by release, service order by last_at desc limit 100`;

const releases: readonly Question[] = [
  {
    title: 'releases whose version contains a text, of 50,000',
    path: `${listReleases.path}?q=1.2.3`,
    atMostMs: 20,
    sql: list(`release ilike 'v%1.2.3%'`),
  },
  {
    title: 'releases whose sha starts with a prefix, of 50,000',
    path: `${listReleases.path}?q=4a7d`,
    atMostMs: 20,
    sql: list(`event::json ->> 'sha' ilike '4a7d%'`),
  },
  {
    title: 'one release',
    path: getRelease.path.replace('{service}', 'service-7').replace('{version}', '1.2.3'),
    atMostMs: 5,
    sql: `select event from deployments where service = 'service-7' and event::json ->> 'version' = '1.2.3'`,
  },
];

const successes = (environment: string) => `
  select distinct on (service) * from deployments where environment = '${environment}' and status = 'success'
  order by service, happened_at desc, id desc`;

const difference: Question = {
  title: 'difference of two environments, 1,000 services',
  path: `${diffEnvironments.path}?from=env-0&to=env-4`,
  atMostMs: 150,
  sql: `
    select *, (select count(distinct newer.release) from deployments newer, deployments base
      where newer.service = one.service and newer.environment = 'env-0' and newer.status = 'success'
        and base.service = one.service and base.environment = 'env-0' and base.status = 'success'
        and base.release = other.release and newer.happened_at > base.happened_at) as behind
    from (${successes('env-0')}) one full join (${successes('env-4')}) other using (service)`,
};

/** Other queries over a million rows: first responses after a change. */
export async function questions(): Promise<Outcome> {
  const stage = await openStage();
  try {
    const figures: Figure[] = [];
    await fillAndBuild(stage, { ...million, services: 200, environments: 5 });
    for (const question of [pastBoard, ...releases]) figures.push(...(await compared(stage, question)));
    await fillAndBuild(stage, { ...million, services: 1000, environments: 5 });
    figures.push(...(await compared(stage, difference)));
    return { figures };
  } finally {
    await stage.close();
  }
}

/** The time of a response, alone and compared with plain SQL. */
async function compared(stage: Stage, { title, path, atMostMs, sql }: Question): Promise<Figure[]> {
  await firstAnswerMs(stage, path);
  const { measured, yardstick } = await inTurn(rounds, {
    measure: () => firstAnswerMs(stage, path),
    yardstick: async () => {
      const startedAt = performance.now();
      await stage.sql.query(sql);
      return performance.now() - startedAt;
    },
  });
  const figure = { goal: 'questions', measured, unit: 'ms' };
  return [
    { ...figure, title, reach: { atMost: atMostMs } },
    {
      ...figure,
      title: `${title}, compared with SQL`,
      yardstick: { title: 'plain SQL', measured: yardstick },
      reach: { atMost: 1 / 4 },
    },
  ];
}
