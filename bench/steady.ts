import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { Follower } from './harness/follower.ts';
import { postLoad } from './harness/load.ts';
import { residentMemory, settledMemory } from './harness/memory.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const few = 10_000;
const many = 1_000_000;
const connections = 64;
const followerCount = 10;
const reconnects = 1000;
const awayMs = 80;
const lookEveryMs = 5000;
const collectionMs = 1000;
const megabyte = 1024 * 1024;
const collector = new URL('./harness/collector.js', import.meta.url);

type Point = readonly [posts: number, megabytes: number];

/** P16: memory after a million posts and a thousand reconnects, compared with memory after the first posts. */
export async function steady(): Promise<Outcome> {
  const stage = await openStage({ NODE_OPTIONS: `--import=${collector}` });
  try {
    await postUntil(stage, few, 1);
    const before = await held(stage);
    const [resident] = await Promise.all([watchedWhile(stage, postUntil(stage, many, 10)), reconnect(stage)]);
    const after = await held(stage);
    return {
      figures: figures(before, after),
      curves: [
        {
          name: 'steady',
          title: 'Memory over a million posts and a thousand reconnects',
          x: { label: 'posts' },
          y: { label: 'MB' },
          series: [{ name: 'resident memory', points: resident }],
        },
      ],
    };
  } finally {
    await stage.close();
  }
}

interface Held {
  /** Resident memory, including garbage that V8 has not collected. */
  readonly settled: number;
  /** Resident memory after a full collection. */
  readonly resident: number;
  /** Used heap after a full collection. */
  readonly heap: number;
}

function figures(before: Held, after: Held): Figure[] {
  const titles: Readonly<Record<keyof Held, string>> = {
    heap: 'heap in use',
    resident: 'resident memory, all garbage collected',
    settled: 'resident memory, including uncollected garbage',
  };
  return (Object.keys(titles) as (keyof Held)[]).map((kind) => ({
    goal: 'P16',
    title: `${titles[kind]}, after 1M posts and 1,000 reconnects`,
    measured: [after[kind]],
    unit: 'MB',
    yardstick: { title: 'after the first 10,000 posts', measured: [before[kind]] },
    reach: { atMost: 1.1 },
  }));
}

async function held(stage: Stage): Promise<Held> {
  const settled = await settledMemory(stage);
  process.kill(stage.servicePid, 'SIGUSR2');
  await sleep(collectionMs);
  return {
    settled: settled / megabyte,
    resident: (await residentMemory(stage)) / megabyte,
    heap: (await stage.metric('nodejs_heap_size_used_bytes')) / megabyte,
  };
}

async function postUntil(stage: Stage, count: number, seconds: number): Promise<void> {
  while ((await posted(stage)) < count) await postLoad(stage, connections, seconds);
}

function posted(stage: Stage): Promise<number> {
  return stage.metric('shiplog_append_batch_rows_sum');
}

/** Samples resident memory by number of posts until the work is done. */
async function watchedWhile(stage: Stage, work: Promise<void>): Promise<Point[]> {
  const points: Point[] = [];
  const done = work.then(() => true);
  do points.push([await posted(stage), (await residentMemory(stage)) / megabyte]);
  while (!(await Promise.race([done, sleep(lookEveryMs, false)])));
  return points;
}

/** Followers take turns to disconnect, miss events and resume. */
async function reconnect(stage: Stage): Promise<void> {
  const url = `${stage.url}${endpoints.streamDeployments.path}`;
  const followers = Array.from({ length: followerCount }, () => new Follower(url));
  for (const follower of followers) await follower.join();
  for (let turn = 0; turn < reconnects; turn += 1) {
    const follower = followers[turn % followers.length];
    follower?.leave();
    await sleep(awayMs);
    await follower?.join();
  }
  for (const follower of followers) follower.leave();
}
