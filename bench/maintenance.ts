import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Figure } from './harness/figure.ts';
import { built } from './harness/fill.ts';
import { inTurn } from './harness/http.ts';
import { type LoadResult, postLoad } from './harness/load.ts';
import { readMetric, type Stage } from './harness/stage.ts';

const rounds = 3;
export const loadSeconds = 5;
export const connections = 64;
const pruningStartsMs = 60_000;

/** The instance under load does not prune. A separate instance does. */
export function kept(days: number) {
  return { HISTORY_RETENTION_DAYS: String(2 * days) };
}

/** Ingest while rows beyond the retention are pruned, compared with ingest before that. */
export async function pruning(stage: Stage, retentionDays: number, which: string): Promise<Figure[]> {
  const before: number[] = [];
  const during: LoadResult[] = [];
  while (during.length < rounds) {
    before.push((await post(stage)).perSecond);
    // Nothing is pruned before the folds have the posted events.
    await built(stage);
    // An instance starts pruning ten seconds after its start.
    const startedAt = performance.now();
    const pruner = stage.startInstance({ HISTORY_RETENTION_DAYS: String(retentionDays) });
    try {
      const url = await pruner.ready();
      const count = () => readMetric(url, 'shiplog_pruned_events_total');
      while ((await count()) === 0) {
        if (performance.now() - startedAt > pruningStartsMs) throw new Error(`no pruning began:\n${pruner.output}`);
        await sleep(100);
      }
      const counted = await count();
      during.push(await post(stage));
      if ((await count()) === counted) throw new Error('pruning ended before it could be measured');
    } finally {
      await pruner.terminate();
    }
  }
  return [
    {
      goal: 'prune',
      title: `posts while ${which} are pruned, 64 connections`,
      measured: during.map(({ perSecond }) => perSecond),
      unit: '/s',
      yardstick: { title: 'before, same log', measured: before },
      reach: { atLeast: 0.8 },
    },
    {
      goal: 'prune',
      title: 'slowest post meanwhile',
      measured: [Math.max(...during.map(({ maxMs }) => maxMs))],
      unit: 'ms',
      reach: { atMost: 1000 },
    },
  ];
}

/** Ingest during an anti-wraparound vacuum of the complete table, at the speed of autovacuum. */
export async function vacuuming(stage: Stage, which: string): Promise<Figure> {
  const vacuum = new pg.Client({ connectionString: stage.databaseUrl });
  await vacuum.connect();
  await vacuum.query('set vacuum_cost_delay = 2');
  const { measured, yardstick } = await inTurn(rounds, {
    measure: async () => {
      const pass = vacuum.query('vacuum (freeze, disable_page_skipping) deployments').catch(() => undefined);
      await sleep(1000);
      const { perSecond } = await post(stage);
      await stage.sql.query("select pg_cancel_backend(pid) from pg_stat_activity where query like 'vacuum (freeze%'");
      await pass;
      return perSecond;
    },
    yardstick: async () => (await post(stage)).perSecond,
  });
  await vacuum.end();
  return {
    goal: 'growth',
    title: `posts during a vacuum of ${which}, ${connections} connections`,
    measured,
    unit: '/s',
    yardstick: { title: 'the same log, no vacuum', measured: yardstick },
    reach: { atLeast: 0.8 },
  };
}

export function post(stage: Stage): Promise<LoadResult> {
  return postLoad(stage, connections, loadSeconds);
}
