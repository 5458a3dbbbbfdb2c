import { setTimeout as sleep } from 'node:timers/promises';
import { anEvent } from '@shiplog/testing/events';
import { type Figure, summary } from './harness/figure.ts';
import { startNchan } from './harness/nchan.ts';
import type { Curve, Outcome } from './harness/outcome.ts';
import { Publisher, type Target } from './harness/publisher.ts';
import type { ReaderReport } from './harness/reader-process.ts';
import { openReaders } from './harness/readers.ts';
import { openStage, postTarget } from './harness/stage.ts';
import { monotonicMs, stampText } from './harness/stamp.ts';

/** The number of rounds for each number of subscribers. */
const burstRounds = new Map([
  [100, 3],
  [300, 3],
  [1000, 5],
  [5000, 3],
]);
const eventsPerBurst = 200;
const publishers = 64;
/**
 * With 200 events, the slowest two determine the 99th percentile of the frames. With 60 events, less than one event
 * would.
 */
const steady = { rounds: 5, subscribers: 1000, events: 200, perSecond: 20 };

/** The measurements of Shiplog and nchan, per round. */
interface Pair {
  readonly ours: number[];
  readonly nchan: number[];
}

/** P5 and P6: events that are posted to the service, committed and read by all subscribers, compared with nchan. */
export async function fanout(): Promise<Outcome> {
  const nchan = await startNchan();
  const stage = await openStage().catch(async (error) => {
    await nchan.close();
    throw error;
  });
  const ours = postTarget(stage.url);
  try {
    await inTurn({ ours, nchan }, 1, (target) => burst(target, 1000));
    const lags = await inTurn({ ours, nchan }, steady.rounds, lagP99Ms);
    const bursts = new Map<number, Pair>();
    for (const [subscribers, rounds] of burstRounds) {
      bursts.set(subscribers, await inTurn({ ours, nchan }, rounds, (target) => burst(target, subscribers)));
    }
    return { figures: [...burstFigures(bursts), lagFigure(lags)], curves: [curve(bursts)] };
  } finally {
    await stage.close();
    await nchan.close();
  }
}

async function inTurn(
  targets: { readonly ours: Target; readonly nchan: Target },
  rounds: number,
  measure: (target: Target) => Promise<number>,
): Promise<Pair> {
  const pair: Pair = { ours: [], nchan: [] };
  for (let round = 0; round < rounds; round += 1) {
    pair.ours.push(await measure(targets.ours));
    pair.nchan.push(await measure(targets.nchan));
  }
  return pair;
}

/** Frames per second, from the first post to the last frame at the last subscriber. */
async function burst(target: Target, subscribers: number): Promise<number> {
  const { seconds } = await deliver(target, { subscribers, events: eventsPerBurst }, async (connections) => {
    let published = 0;
    await Promise.all(
      connections.map(async (connection) => {
        while (published < eventsPerBurst) await publish(connection, published++);
      }),
    );
  });
  return (eventsPerBurst * subscribers) / seconds;
}

async function lagP99Ms(target: Target): Promise<number> {
  const { lagP99Ms } = await deliver(target, steady, async (connections) => {
    const startedAt = monotonicMs();
    const publishing = Array.from({ length: steady.events }, async (_, number) => {
      await sleep(startedAt + (number * 1000) / steady.perSecond - monotonicMs());
      const connection = connections[number % connections.length];
      if (connection) await publish(connection, number);
    });
    await Promise.all(publishing);
  });
  return lagP99Ms;
}

/** Publishes on new connections while subscribers read. @throws if a frame is lost or duplicated */
async function deliver(
  target: Target,
  { subscribers, events }: { readonly subscribers: number; readonly events: number },
  publishAll: (connections: readonly Publisher[]) => Promise<void>,
): Promise<ReaderReport> {
  const readers = await openReaders({ url: target.url, path: target.subscribePath, subscribers, events });
  const connections: Publisher[] = [];
  try {
    while (connections.length < publishers) connections.push(await Publisher.open(target));
    const [report] = await Promise.all([readers.report, publishAll(connections)]);
    return report;
  } finally {
    for (const connection of connections) connection.close();
    await readers.close();
  }
}

function publish(connection: Publisher, number: number): Promise<void> {
  const event = anEvent({
    deployment_id: stampText({ number, publishedAt: monotonicMs() }),
    service: `svc-${String(number % 100).padStart(2, '0')}`,
    version: '1.2.3',
    run_url: 'https://ci.example.com/runs/1234567',
    actor: 'alice',
    ref: 'refs/heads/main',
    sha: '0123456789abcdef',
  });
  return connection.post(JSON.stringify(event));
}

function burstFigures(bursts: ReadonlyMap<number, Pair>): Figure[] {
  return [1000, 5000].flatMap((subscribers) => {
    const pair = bursts.get(subscribers);
    if (!pair) return [];
    return [
      {
        goal: 'P5',
        title: `frames of ${eventsPerBurst} events to ${subscribers.toLocaleString('en')} subscribers`,
        measured: pair.ours,
        unit: '/s',
        yardstick: { title: 'nchan', measured: pair.nchan },
        reach: { atLeast: 4 },
      },
    ];
  });
}

function lagFigure({ ours, nchan }: Pair): Figure {
  return {
    goal: 'P6',
    title: `publish → receive p99, ${steady.subscribers.toLocaleString('en')} subscribers, ${steady.perSecond} events/s`,
    measured: ours,
    unit: 'ms',
    yardstick: { title: 'nchan', measured: nchan },
    reach: { atMost: 1.2 },
  };
}

function curve(bursts: ReadonlyMap<number, Pair>): Curve {
  const points = (of: (pair: Pair) => number[]) =>
    [...bursts].map(([subscribers, pair]) => [subscribers, summary(of(pair)).median] as const);
  return {
    name: 'fanout',
    title: `Fan-out of a burst of ${eventsPerBurst} events`,
    x: { label: 'subscribers', logarithmic: true },
    y: { label: 'frames/s' },
    series: [
      { name: 'shiplog', points: points(({ ours }) => ours) },
      { name: 'nchan', points: points(({ nchan }) => nchan) },
    ],
  };
}
