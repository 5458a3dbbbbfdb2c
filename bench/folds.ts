import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, headerNames } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { built, fill } from './harness/fill.ts';
import { firstAnswerMs, inTurn, timedGet } from './harness/http.ts';
import { postLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { postAtRate } from './harness/poster.ts';
import { processorMsWithEnded } from './harness/processor.ts';
import { openStage, postTarget, type Stage } from './harness/stage.ts';
import { openSubscribers } from './harness/subscribers.ts';

const rounds = 7;
const rows = 1_000_000;
const days = 30;
const shape = { services: 100, environments: 10 };
const boards = 30;
const boardRounds = 5;
/** The dashboard asks for the facts of the board this often while the log changes. */
const factsEveryMs = 10_000;
const loadSeconds = 6;
const perSecond = 500;

const day = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const range = (from: number, to: number) => `from=${ago(from)}&to=${ago(to)}`;
const { listChanges, getChangesHistogram, getQuality, getBoardFacts } = endpoints;
const analytics = [
  ...(['getDora', 'getFrequency', 'getStatusDistribution', 'getHeatmap', 'getTopDeployers'] as const),
  ...(['getPromotionFunnel', 'getDurationHistogram', 'getIncidents', 'getStages', 'getStability'] as const),
];

/** Responses from the folds, with their targets in milliseconds. */
const questions: readonly (readonly [title: string, path: string, atMost: number])[] = [
  ['changes, the last day', `${listChanges.path}?${range(day, 0)}`, 50],
  ['changes, an hour three weeks ago', `${listChanges.path}?${range(21 * day, 21 * day - 3_600_000)}`, 50],
  ['changes, the whole log', `${listChanges.path}?${range(days * day, 0)}`, 50],
  ['net changes, the last day', `${listChanges.path}?net=true&${range(day, 0)}`, 50],
  ['histogram of changes, the whole log', `${getChangesHistogram.path}?${range(days * day, 0)}`, 50],
  ['quality report', getQuality.path, 50],
  ['board facts', getBoardFacts.path, 50],
  ...analytics.map((name) => [name.slice(3), `${endpoints[name].path}?window=30d`, 150] as const),
];

/** The folds: their build time, first responses after a new event, and posts while boards are open. */
export async function folds(): Promise<Outcome> {
  const stage = await openStage();
  try {
    await fill(stage, { rows, days, ...shape });
    const startedAt = performance.now();
    await built(stage);
    const seconds = (performance.now() - startedAt) / 1000;
    // As autovacuum does within a minute.
    await stage.sql.query('vacuum analyze');
    const figures: Figure[] = [
      { goal: 'folds', title: 'build of all folds, 1M rows', measured: [seconds], unit: 's', reach: { atMost: 60 } },
    ];
    for (const [title, path, atMost] of questions) {
      await firstAnswerMs(stage, path);
      const measured: number[] = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await firstAnswerMs(stage, path));
      figures.push({
        goal: 'folds',
        title: `${title}, first response after an event`,
        measured,
        unit: 'ms',
        reach: { atMost },
      });
    }
    return { figures: [...figures, ...(await besideBoards(stage))] };
  } finally {
    await stage.close();
  }
}

/** Posts alternately with and without open boards: as many as possible, and at a constant rate. */
async function besideBoards(stage: Stage): Promise<Figure[]> {
  const compared = (measure: () => Promise<number>) =>
    inTurn(boardRounds, { measure: () => withBoards(stage.url, measure), yardstick: measure });
  const task = { target: postTarget(stage.url), connections: 8, perSecond, events: perSecond * loadSeconds, ...shape };
  const p99Ms: number[] = [];
  const steady = await compared(async () => {
    const before = await processorMsWithEnded([stage.servicePid, stage.server.pid]);
    p99Ms.push((await postAtRate(task)).p99Ms);
    return ((await processorMsWithEnded([stage.servicePid, stage.server.pid])) - before) / loadSeconds;
  });
  const most = await compared(async () => (await postLoad(stage, 64, loadSeconds)).perSecond);
  const openText = `with ${boards} boards open`;
  const yardstick = (measured: readonly number[]) => ({ title: 'without boards', measured });
  return [
    {
      ...{ goal: 'folds', title: `posts, 64 connections, ${openText}`, measured: most.measured, unit: '/s' },
      yardstick: yardstick(most.yardstick),
      reach: { atLeast: 0.9 },
    },
    {
      ...{
        goal: 'folds',
        title: `processor time of service and database per second at ${perSecond} posts/s, ${openText}`,
      },
      ...{ measured: steady.measured, unit: 'ms', yardstick: yardstick(steady.yardstick), reach: { atMost: 1.2 } },
    },
    {
      ...{ goal: 'folds', title: `post p99 at ${perSecond}/s ${openText}`, unit: 'ms', reach: { atMost: 100 } },
      measured: p99Ms.filter((_, index) => index % 2 === 0),
    },
  ];
}

/** Measures while boards are open: each has a stream and asks for the facts of the board. */
async function withBoards(url: string, measure: () => Promise<number>): Promise<number> {
  const streams = await openSubscribers(url, endpoints.streamDeployments.path, boards);
  const closing = new AbortController();
  setMaxListeners(boards, closing.signal);
  const asking = Array.from({ length: boards }, (_, board) => askForFacts(url, board / boards, closing.signal));
  try {
    return await measure();
  } finally {
    closing.abort();
    for (const stream of streams) stream.destroy();
    await Promise.all(asking);
  }
}

/** @param phase when to begin, as a fraction of the interval. */
async function askForFacts(url: string, phase: number, signal: AbortSignal): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  await wait(phase * factsEveryMs);
  let etag = '';
  while (!signal.aborted) {
    const { status, headers } = await timedGet(url + endpoints.getBoardFacts.path, { [headerNames.ifNoneMatch]: etag });
    // While posts saturate the machine, the folds may be behind.
    if (![200, 304, 503].includes(status)) throw new Error(`the board facts returned ${status}`);
    if (status === 200) etag = String(headers.etag ?? '');
    await wait(factsEveryMs);
  }
}
