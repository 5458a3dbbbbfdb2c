import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './harness/figure.ts';
import { fillAndBuild } from './harness/fill.ts';
import { inTurn } from './harness/http.ts';
import { type LoadResult, postLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, readMetric, type Stage } from './harness/stage.ts';

const rounds = 3;
const seconds = 5;
const connections = 64;
const pruningStartsMs = 60_000;
const shape = { services: 200, environments: 5, days: 400 };
/** The instance under load does not prune. A separate instance prunes a tenth of the log. */
export const kept = { HISTORY_RETENTION_DAYS: String(2 * shape.days) };
const large = { ...shape, rows: 10_000_000 };
const small = { ...shape, rows: 100_000 };

/** Ingest into a large log, including while part of it is pruned. While folds are built, nothing is pruned. */
export async function growth(): Promise<Outcome> {
  const stage = await openStage(kept);
  try {
    await fillAndBuild(stage, large);
    return { figures: [await againstSmall(stage), ...(await pruning(stage, 0.9 * shape.days, '1M of 10M rows'))] };
  } finally {
    await stage.close();
  }
}

/**
 * Ingest compared with ingest into a small log of the same shape. The small log has the same rows at the start of each
 * round.
 */
async function againstSmall(stage: Stage): Promise<Figure> {
  const smallStage = await openStage(kept);
  try {
    for (const each of [stage, smallStage]) await post(each);
    const { measured, yardstick } = await inTurn(rounds, {
      measure: async () => (await post(stage)).perSecond,
      yardstick: async () => {
        await fillAndBuild(smallStage, small);
        return (await post(smallStage)).perSecond;
      },
    });
    return {
      goal: 'growth',
      title: 'posts at 10M rows, 64 connections',
      measured,
      unit: '/s',
      yardstick: { title: 'at 100,000 rows', measured: yardstick },
      reach: { atLeast: 0.8 },
    };
  } finally {
    await smallStage.close();
  }
}

/** Ingest while rows beyond the retention are pruned, compared with ingest before that. */
export async function pruning(stage: Stage, retentionDays: number, which: string): Promise<Figure[]> {
  const before: number[] = [];
  const during: LoadResult[] = [];
  while (during.length < rounds) {
    // An instance starts pruning ten seconds after its start.
    const startedAt = performance.now();
    const pruner = stage.startInstance({ HISTORY_RETENTION_DAYS: String(retentionDays) });
    try {
      const url = await pruner.ready();
      const count = () => readMetric(url, 'shiplog_pruned_events_total');
      before.push((await post(stage)).perSecond);
      if ((await count()) > 0) throw new Error('pruning began too early to be measured');
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

export function post(stage: Stage): Promise<LoadResult> {
  return postLoad(stage, connections, seconds);
}
