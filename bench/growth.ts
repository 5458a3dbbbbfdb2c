import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EndpointName, endpoints, headerNames } from '@shiplog/contract';
import { computedQuestions, countedQuestions, ladder, nameOf, pathOf } from './analytics.ts';
import type { Figure } from './harness/figure.ts';
import { built, fill, fillAndBuild } from './harness/fill.ts';
import { openFolder } from './harness/folder.ts';
import { firstAnswerMs, inTurn, timedGet } from './harness/http.ts';
import { pgbench } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';
import { plainInsert } from './ingest.ts';
import { connections, kept, loadSeconds, post, pruning, vacuuming } from './maintenance.ts';
import { filters, matchNothing, pageMs } from './reads.ts';

/**
 * The number of rows of the large log, at least 3 million. A row needs 0.7 kB including its indexes, and 0.1 ms of a
 * build of the folds.
 */
const largeRows = Number(process.env.BENCH_GROWTH_ROWS ?? 10_000_000);
const smallRows = largeRows / 100;
/** A data directory in which the large log is kept for the next run. */
const largeDir = process.env.BENCH_GROWTH_DATA;

const rounds = 3;
const days = 400;
const shape = { services: 200, environments: ladder.length, compact: true, days };
const settings = { ...kept(days), ANALYTICS_FUNNEL_ENVIRONMENTS: ladder.join(',') };
/** Durability is not needed while the log is being filled. */
const whileFilling = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
};
/** A quarter of 16 GB of memory, as docs/scaling.md recommends. WAL must not use the disk space needed for the rows. */
const database = { shared_buffers: '4GB', max_wal_size: '1GB' };
const few = `at ${smallRows / 1_000_000}M rows`;
const many = `${largeRows / 1_000_000}M rows`;

/**
 * Compares a long log with a log of a hundredth of its rows over the same days, alternately on the same machine: posts,
 * boards, pages, analytics (first and repeated), releases, starts, pruning and a vacuum.
 */
export async function growth(): Promise<Outcome> {
  const folder = await openFolder();
  try {
    const large = await filledStage(largeDir ?? join(folder, 'data'));
    try {
      const small = await openStage(settings, { database });
      try {
        await fillAndBuild(small, { ...shape, rows: smallRows });
        return { figures: await figuresOf({ large, small }) };
      } finally {
        await small.close();
      }
    } finally {
      await large.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function filledStage(dataDir: string): Promise<Stage> {
  let stage = await openStage(settings, { dataDir, database });
  const { rows } = await stage.sql.query('select from deployments limit 1');
  if (rows.length === 0) {
    await stage.close();
    const filling = await openStage(settings, { dataDir, database: { ...database, ...whileFilling } });
    await fill(filling, { ...shape, rows: largeRows });
    await filling.close();
    stage = await openStage(settings, { dataDir, database });
  }
  await built(stage);
  return stage;
}

interface Stages {
  readonly large: Stage;
  readonly small: Stage;
}

async function figuresOf(stages: Stages): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const measure of [starts, answers, pages, posts]) {
    for (const figure of await measure(stages)) {
      figures.push(figure);
      process.stdout.write(`${new Date().toISOString()} ${JSON.stringify(figure)}\n`);
    }
  }
  const pruned = `a tenth of ${many}`;
  return [...figures, ...(await pruning(stages.large, 0.9 * days, pruned)), await vacuuming(stages.large, many)];
}

/**
 * The milliseconds on the large log compared with the small log. Infinite if the call fails because it takes too long.
 */
async function against(
  { large, small }: Stages,
  figure: Pick<Figure, 'goal' | 'title' | 'reach'>,
  measure: (stage: Stage) => Promise<number>,
): Promise<Figure> {
  const measureLarge = () => measure(large).catch(() => Number.POSITIVE_INFINITY);
  await measureLarge();
  await measure(small);
  const { measured, yardstick } = await inTurn(rounds, {
    measure: measureLarge,
    yardstick: () => measure(small),
  });
  return {
    ...figure,
    title: `${figure.title}, ${many}`,
    measured,
    unit: 'ms',
    yardstick: { title: few, measured: yardstick },
  };
}

async function starts(stages: Stages): Promise<Figure[]> {
  const start = async (stage: Stage) => {
    const startedAt = performance.now();
    const instance = stage.startInstance();
    try {
      await instance.ready();
      return performance.now() - startedAt;
    } finally {
      await instance.terminate();
    }
  };
  return [
    await against(stages, { goal: 'P15', title: 'start of an instance until ready', reach: { atMost: 1.4 } }, start),
  ];
}

interface Answer {
  readonly goal: string;
  readonly name: string;
  readonly path: string;
  /** The allowed ratio to the small log. It is higher for responses that are computed from rows, because the service must read more rows in the large log. */
  readonly growthMax: number;
}

function asked(): Answer[] {
  const at = new Date(Date.now() - 182 * 86_400_000).toISOString();
  const growthMax = 1.4;
  const path = (name: EndpointName, query = '') => endpoints[name].path + query;
  return [
    { goal: 'P9', name: 'board', path: path('getMatrix'), growthMax },
    { goal: 'growth', name: 'board half a year ago', path: path('getMatrix', `?at=${at}`), growthMax },
    { goal: 'growth', name: 'releases', path: path('listReleases'), growthMax },
    { goal: 'growth', name: 'releases found by name', path: path('listReleases', '?q=1.3'), growthMax },
    { goal: 'growth', name: 'quality', path: path('getQuality'), growthMax },
    ...countedQuestions.map((name) => ({ goal: 'growth', name: nameOf(name), path: pathOf(name), growthMax })),
    ...computedQuestions.map((name) => ({
      goal: 'growth',
      name: nameOf(name),
      path: pathOf(name),
      growthMax: (1.1 * largeRows) / smallRows,
    })),
  ];
}

/** Measures each response after a change of the log, and then repeated with its ETag. */
async function answers(stages: Stages): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { goal, name, path, growthMax } of asked()) {
    const first = { goal, title: `${name}, first`, reach: { atMost: growthMax } };
    figures.push(await against(stages, first, (stage) => firstAnswerMs(stage, path)));
    const again = { goal, title: `${name}, again`, reach: { atMost: 1.4 } };
    figures.push(await against(stages, again, (stage) => unchangedMs(stage, path)));
  }
  return figures;
}

async function unchangedMs(stage: Stage, path: string): Promise<number> {
  const { headers } = await timedGet(stage.url + path);
  const etag = String(headers[headerNames.etag.toLowerCase()]);
  const { ms, status } = await timedGet(stage.url + path, { [headerNames.ifNoneMatch]: etag });
  if (status !== 304 && status !== 200) throw new Error(`${path} returned ${status}`);
  return ms;
}

/**
 * P14 at this size: for each filter, the first page and a page after nine tenths of the log, and also a filter without
 * matches.
 */
async function pages(stages: Stages): Promise<Figure[]> {
  const figures: Figure[] = [];
  const measure = async (title: string, filter: string, daysBack: number) => {
    const figure = { goal: 'P14', title, reach: { atMost: 2 } };
    figures.push(await against(stages, figure, (stage) => pageMs(stage, filter, daysBack)));
  };
  for (const [name, filter] of Object.entries(filters)) {
    await measure(`first page, ${name}`, filter, 0);
    await measure(`page at 90 %, ${name}`, filter, 0.9 * days);
  }
  for (const filter of matchNothing) await measure(`nothing found, ${filter}`, filter, 0);
  return figures;
}

async function posts({ large, small }: Stages): Promise<Figure[]> {
  await large.sql.query('create table if not exists plain_deployments (like deployments including all)');
  await large.sql.query('truncate plain_deployments');
  const measured: number[] = [];
  const fewRows: number[] = [];
  const plain: number[] = [];
  for (const stage of [large, small]) await post(stage);
  for (let round = 0; round < rounds; round += 1) {
    measured.push((await post(large)).perSecond);
    plain.push(await pgbench(large, plainInsert, connections, loadSeconds));
    fewRows.push((await post(small)).perSecond);
  }
  const figure = { title: `posts at ${many}, ${connections} connections`, measured, unit: '/s' };
  return [
    {
      ...figure,
      goal: 'P1',
      yardstick: { title: 'pgbench, single-row inserts into an empty table', measured: plain },
      reach: { atLeast: 0.9 },
    },
    { ...figure, goal: 'growth', yardstick: { title: few, measured: fewRows }, reach: { atLeast: 0.8 } },
  ];
}
