import { endpoints } from '@shiplog/contract';
import { type Figure, number, percentile, summary } from './harness/figure.ts';
import { fill } from './harness/fill.ts';
import { residentMemory } from './harness/memory.ts';
import type { Outcome } from './harness/outcome.ts';
import { pollMatrix } from './harness/poller.ts';
import { postAtRate } from './harness/poster.ts';
import { openReaders } from './harness/readers.ts';
import { type Missed, newestEvents, replay } from './harness/replays.ts';
import { openStage, postTarget, type Stage } from './harness/stage.ts';
import { startUsage } from './harness/usage.ts';

const rounds = 3;
const seconds = 8;
const warmUpSeconds = 4;
const perSecond = 2000;
const connections = 64;
const subscribers = 1000;
const pollers = 20;
const replays = 5;
const replayed = 100_000;
const shape = { services: 200, environments: 5 };
const megabyte = 1024 * 1024;

/** Measurements during posts at a constant rate. CPU usage is by program, as a share of one CPU. */
interface Quiet {
  readonly postP99Ms: number;
  readonly shares: string;
}

interface Loaded extends Quiet {
  readonly frameP99Ms: number;
  readonly matrixMs: readonly number[];
  readonly replaySeconds: readonly number[];
  readonly memory: number;
}

/** Posts at a constant rate, alternately alone and with subscribers, pollers and replays. */
export async function mixed(): Promise<Outcome> {
  const stage = await openStage();
  try {
    await fill(stage, { rows: 2 * replayed, days: 30, ...shape });
    const missed = await newestEvents(stage, replayed);
    await quietly(stage, warmUpSeconds);
    await underLoad(stage, missed, warmUpSeconds);
    const memory = (await residentMemory(stage)) / megabyte;
    const quiet: Quiet[] = [];
    const loaded: Loaded[] = [];
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await quietly(stage, seconds));
      loaded.push(await underLoad(stage, missed, seconds));
    }
    return { figures: figures(quiet, loaded, memory) };
  } finally {
    await stage.close();
  }
}

async function quietly(stage: Stage, time: number): Promise<Quiet> {
  const usage = await startUsage();
  const { p99Ms, processorSeconds } = await postAtRate({
    target: postTarget(stage.url),
    connections,
    perSecond,
    events: perSecond * time,
    ...shape,
  });
  return { postP99Ms: p99Ms, shares: await usage.shares({ poster: processorSeconds }) };
}

/** @throws unless every subscriber got all frames once and ordered by id, and every replay sent the missed events */
async function underLoad(stage: Stage, missed: Missed, time: number): Promise<Loaded> {
  const { url } = stage;
  const path = endpoints.streamDeployments.path;
  const events = perSecond * time;
  const readers = await openReaders({ url, path, subscribers, events });
  const polling = new AbortController();
  try {
    const [posted, read, replaySeconds, ...polled] = await Promise.all([
      quietly(stage, time).finally(() => polling.abort()),
      readers.report,
      Promise.all(Array.from({ length: replays }, () => replay(url, missed))),
      ...Array.from({ length: pollers }, (_, index) => pollMatrix(url, index / pollers, polling.signal)),
    ]);
    const { sha256 } = await newestEvents(stage, events);
    if (read.sha256 !== sha256) throw new Error('the subscribers got frames that differ from the log');
    return {
      ...posted,
      frameP99Ms: read.lagP99Ms,
      matrixMs: polled.flat(),
      replaySeconds,
      memory: (await residentMemory(stage)) / megabyte,
    };
  } finally {
    await readers.close();
  }
}

function figures(quiet: readonly Quiet[], loaded: readonly Loaded[], memory: number): Figure[] {
  const each = (of: (round: Loaded) => number) => loaded.map(of);
  const frames = (rounds * subscribers * perSecond * seconds).toLocaleString('en');
  const replayTime = summary(loaded.flatMap(({ replaySeconds }) => replaySeconds)).median.toFixed(1);
  const quietP99 = summary(quiet.map(({ postP99Ms }) => postP99Ms)).median;
  const matrixP99 = Math.round(
    percentile(
      loaded.flatMap(({ matrixMs }) => matrixMs),
      0.99,
    ),
  );
  return [
    {
      goal: 'mixed',
      title: `post p99 under load (${loaded.at(-1)?.shares}; without it ${number(quietP99)} ms with ${quiet.at(-1)?.shares})`,
      measured: each(({ postP99Ms }) => postP99Ms),
      unit: 'ms',
      reach: { atMost: 100 },
    },
    {
      goal: 'mixed',
      title: `frame p99 under load, ${subscribers.toLocaleString('en')} subscribers`,
      measured: each(({ frameP99Ms }) => frameP99Ms),
      unit: 'ms',
      reach: { atMost: 250 },
    },
    {
      goal: 'mixed',
      title: `frames lost, repeated or out of order, of ${frames} (${replays} replays of ${replayed.toLocaleString('en')} events in ${replayTime} s, ${pollers} readers of the matrix with p99 ${matrixP99} ms)`,
      // Always 0 here, because any other value would have caused an error earlier.
      measured: each(() => 0),
      unit: '',
      reach: { atMost: 0 },
    },
    {
      goal: 'mixed',
      title: 'memory of the service after the load',
      measured: each((round) => round.memory),
      unit: 'MB',
      yardstick: { title: 'after an earlier, shorter load', measured: loaded.map(() => memory) },
      reach: { atMost: 1.5 },
    },
  ];
}
