import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../harness/figure.ts';
import type { Curve } from '../harness/outcome.ts';
import { openStage, type Stage } from '../harness/stage.ts';
import { type FetcherProcess, openTool, type PolledTool, residentMegabytes } from './polled-tool.ts';
import { newestIds, repositories } from './repositories.ts';

const all = { count: 500, deployments: 200, minutesApart: 45 };
const factor = 30;
/** The tool's rate limit; the fetcher uses 30 % of it. */
const quota = 5000;
const backfillSeconds = 75;
const lookMs = 500;
const hourMs = 3_600_000;

type Point = readonly [deployments: number, megabytes: number];

/**
 * P19: many unknown repositories. Measures the time until all are polled, the time until the board is correct, and the
 * memory used in the meantime.
 */
export async function firstPass(): Promise<{ readonly figures: Figure[]; readonly curve: Curve }> {
  const stage = await openStage();
  const tool = await openTool(factor, { GITHUB_SIM_RATE_LIMIT: '1000000', GITHUB_SIM_SECONDARY_LIMIT: '0' });
  try {
    await tool.seed(repositories(all));
    const seen = await pass(stage, tool);
    // The accelerated clock shortens the waits for the quota, so only the request rate and the machine limit the speed.
    const points = await backfilled(stage, tool);
    return { figures: [...seen, ...memoryFigures(points)], curve: curveOf(points) };
  } finally {
    await tool.close();
    await stage.close();
  }
}

/** Runs until the newest deployment of each slot is in the log. */
async function pass(stage: Stage, tool: PolledTool): Promise<Figure[]> {
  const startedMs = tool.now();
  const fetcher = await tool.startFetcher(stage, { GITHUB_RATE_LIMIT: String(quota) });
  try {
    while (!(await isBoardRight(stage))) {
      if (tool.now() - startedMs > hourMs) throw new Error('the board was not correct within an hour');
      await sleep(lookMs);
    }
    const requests = await tool.requests();
    const firstLooks = new Map<string, number>();
    for (const { path, at } of requests) {
      if (path.endsWith('/deployments') && !firstLooks.has(path)) firstLooks.set(path, Date.parse(at) - startedMs);
    }
    if (firstLooks.size !== all.count) throw new Error(`only ${firstLooks.size} repositories were seen`);
    const lists = requests.filter(({ path, charged }) => charged && path.endsWith('/deployments')).length;
    const charged = requests.filter((request) => request.charged).length;
    const what = `${all.count} repositories × ${all.deployments} deployments`;
    return [
      {
        goal: 'P19',
        title: `until each of ${what} was seen, in the tool's time`,
        measured: [Math.max(...firstLooks.values()) / 60_000],
        unit: 'min',
        reach: { atMost: 60 },
      },
      {
        goal: 'P19',
        title: `charged list requests per repository until the board is correct (${charged.toLocaleString('en')} of all kinds)`,
        measured: [lists / all.count],
        unit: '',
        reach: { atMost: 1 },
      },
    ];
  } finally {
    await fetcher.close();
  }
}

async function isBoardRight({ sql }: Stage): Promise<boolean> {
  const { rows } = await sql.query<{ id: string }>(
    `select distinct on (deployments.service, deployments.environment) deployment_id as id
     from latest_deployments join deployments using (id)
     order by deployments.service, deployments.environment, deployments.happened_at desc`,
  );
  const shown = new Set(rows.map(({ id }) => id));
  return newestIds(all).every((id) => shown.has(id));
}

/**
 * Measures resident memory by number of deployments in the log while another fetcher continues where the first one
 * stopped.
 */
async function backfilled(stage: Stage, tool: PolledTool): Promise<Point[]> {
  const fetcher = await tool.startFetcher(stage, {
    CI_MAX_REQUESTS_PER_MINUTE: '800',
    POLL_INTERVAL_SECONDS: '3600',
    GITHUB_RATE_LIMIT_BUDGET_PCT: '100',
  });
  try {
    return await watched(stage, fetcher);
  } finally {
    await fetcher.close();
  }
}

async function watched({ sql }: Stage, { pid }: FetcherProcess): Promise<Point[]> {
  const points: Point[] = [];
  const untilMs = performance.now() + backfillSeconds * 1000;
  while (performance.now() < untilMs) {
    const { rows } = await sql.query<{ count: number }>('select count(*)::int from deployments');
    points.push([rows[0]?.count ?? 0, await residentMegabytes(pid)]);
    await sleep(lookMs);
  }
  return points;
}

function memoryFigures(points: readonly Point[]): Figure[] {
  const [first = 0, last = 0] = [points[0]?.[0], points.at(-1)?.[0]];
  const megabytes = points.map(([, value]) => value);
  const size = Math.floor(megabytes.length / 4);
  return [
    {
      goal: 'P19',
      title: `peak resident memory of the fetcher while it backfills ${(last - first).toLocaleString('en')} deployments`,
      measured: [Math.max(...megabytes)],
      unit: 'MB',
      reach: { atMost: 200 },
    },
    {
      goal: 'P19',
      title: 'resident memory of the fetcher in the last quarter of that time',
      measured: megabytes.slice(-size),
      unit: 'MB',
      yardstick: { title: 'in the quarter before', measured: megabytes.slice(-2 * size, -size) },
      reach: { atMost: 1.1 },
    },
  ];
}

function curveOf(points: readonly Point[]): Curve {
  return {
    name: 'fetcher',
    title: 'Memory of the fetcher during the backfill',
    x: { label: 'deployments' },
    y: { label: 'MB' },
    series: [{ name: 'resident memory', points }],
  };
}
