import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing/events';
import { processorMs } from './processor.ts';
import { Publisher } from './publisher.ts';
import { postTarget, type Stage } from './stage.ts';
import { openSubscribers } from './subscribers.ts';

const settleMs = 1500;
const idleSeconds = 8;
const posts = 300;
const betweenPostsMs = 20;

/** The cost of instances for the database. Each instance has one subscriber. */
export interface Cost {
  /** CPU time in milliseconds per second without posts. */
  readonly idleMs: number;
  /** Transactions per second without posts. */
  readonly transactions: number;
  /** CPU time in milliseconds per post, including its frames. Posts are sequential. */
  readonly postMs: number;
}

/** All posts are sent to the first instance. */
export async function costOf(stage: Stage, urls: readonly string[]): Promise<Cost> {
  const path = endpoints.streamDeployments.path;
  const readers = (await Promise.all(urls.map((url) => openSubscribers(url, path, 1)))).flat();
  const publisher = await Publisher.open(postTarget(stage.url));
  try {
    await sleep(settleMs);
    const transactionsBefore = await committed(stage);
    const idle = await spent(stage, () => sleep(idleSeconds * 1000));
    const transactions = (await committed(stage)) - transactionsBefore;
    const busy = await spent(stage, async () => {
      for (let number = 0; number < posts; number += 1) {
        await publisher.post(JSON.stringify(anEvent()));
        await sleep(betweenPostsMs);
      }
    });
    const idleMs = (1000 * idle.databaseMs) / idle.tookMs;
    return {
      idleMs,
      transactions: (1000 * transactions) / idle.tookMs,
      postMs: (busy.databaseMs - (idleMs * busy.tookMs) / 1000) / posts,
    };
  } finally {
    publisher.close();
    for (const reader of readers) reader.destroy();
  }
}

async function spent(stage: Stage, work: () => Promise<unknown>): Promise<{ databaseMs: number; tookMs: number }> {
  const before = await processorMs([stage.server.pid]);
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  return { databaseMs: (await processorMs([stage.server.pid])) - before, tookMs };
}

/** Transactions so far, possibly without those of the last second. */
async function committed({ sql }: Stage): Promise<number> {
  const { rows } = await sql.query<{ xact_commit: string }>(
    'select xact_commit from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.xact_commit);
}
