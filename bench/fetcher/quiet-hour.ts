import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../harness/figure.ts';
import { openStage } from '../harness/stage.ts';
import { type FetcherProcess, openTool } from './polled-tool.ts';
import { repositories } from './repositories.ts';

const all = { count: 100, deployments: 3, minutesApart: 60 };
const factor = 60;
const hourMs = 3_600_000;
const cycleMs = 30_000;
const lookMs = 100;

/** P18: the requests in an hour without changes when all repositories are known. */
export async function quietHour(): Promise<Figure[]> {
  const stage = await openStage();
  const tool = await openTool(factor);
  try {
    await tool.seed(repositories(all));
    const fetcher = await tool.startFetcher(stage);
    try {
      await caughtUp(fetcher);
      // The next cycle repeats every request with its cached validators.
      await sleep((3 * cycleMs) / factor);
      const before = (await tool.status()).requests;
      await sleep(hourMs / factor);
      const after = (await tool.status()).requests;
      const total = (after.total - before.total).toLocaleString('en');
      return [
        {
          goal: 'P18',
          title: `charged requests in a quiet hour of ${all.count} repositories, of ${total}`,
          measured: [after.charged - before.charged],
          unit: '',
          reach: { atMost: 2 },
        },
      ];
    } finally {
      await fetcher.close();
    }
  } finally {
    await tool.close();
    await stage.close();
  }
}

/** Resolves when no backfill is in progress. */
async function caughtUp(fetcher: FetcherProcess): Promise<void> {
  for (;;) {
    const [source] = (await fetcher.health()).sources;
    if (source?.last_outcome === 'ok' && source.backfill === null && source.lag_seconds !== null) return;
    await sleep(lookMs);
  }
}
