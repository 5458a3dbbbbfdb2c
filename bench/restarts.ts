import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, nilId } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing/events';
import { freePort } from '@shiplog/testing/ports';
import type { ProgramProcess } from '@shiplog/testing/process';
import { ranks } from './harness/arrivals.ts';
import { type Figure, percentile } from './harness/figure.ts';
import { startHaproxy } from './harness/haproxy.ts';
import type { Outcome } from './harness/outcome.ts';
import { Publisher } from './harness/publisher.ts';
import { newestEvents } from './harness/replays.ts';
import { openReturning } from './harness/returning.ts';
import { openStage, postTarget, type Stage } from './harness/stage.ts';
import { monotonicMs, stampText } from './harness/stamp.ts';

const rounds = 2;
const instances = 4;
/** The number of subscribers of all instances together. */
const crowds = [400, 4000] as const;
const perSecond = 4;
const publishers = 4;
/** How long to wait after an instance is ready, so that the readers reconnect (docs/operations.md). */
const settleMs = 5000;
const retryMs = 100;
const eventsMax = 2000;

interface Restarted {
  readonly frameP99Ms: number;
  readonly longestFrameMs: number;
  readonly longestGapMs: number;
  readonly reconnects: number;
  readonly postP99Ms: number;
  readonly triedAgain: number;
}

/** Restarts all instances behind HAProxy one at a time, while events are posted and browsers read. */
export async function restarts(): Promise<Outcome> {
  const stage = await openStage();
  const ports: number[] = [];
  while (ports.length < instances) ports.push(await freePort());
  const running = ports.map((port) => stage.startInstance({ PORT: String(port) }));
  try {
    for (const instance of running) await instance.ready();
    const proxy = await startHaproxy(ports);
    try {
      const seen = new Map<number, Restarted[]>(crowds.map((crowd) => [crowd, []]));
      for (let round = 0; round < rounds; round += 1) {
        for (const crowd of crowds) seen.get(crowd)?.push(await rolling(stage, proxy.url, crowd, { ports, running }));
      }
      return { figures: [...seen].flatMap(([crowd, each]) => figures(crowd, each)) };
    } finally {
      await proxy.close();
    }
  } finally {
    await Promise.all(running.map((instance) => instance.terminate()));
    await stage.close();
  }
}

interface Instances {
  readonly ports: readonly number[];
  readonly running: ProgramProcess[];
}

/** @throws unless every reader got all frames once and in order */
async function rolling(stage: Stage, url: string, subscribers: number, all: Instances): Promise<Restarted> {
  const { rows } = await stage.sql.query<{ id: string }>('select id from deployments order by id desc limit 1');
  const lastEventId = rows[0]?.id ?? nilId;
  const path = endpoints.streamDeployments.path;
  const readers = await openReturning({ url, path, subscribers, eventsMax, lastEventId });
  const posting = new Posting(url);
  try {
    for (const [n, port] of all.ports.entries()) {
      await sleep(settleMs);
      await all.running[n]?.terminate();
      const next = stage.startInstance({ PORT: String(port) });
      all.running[n] = next;
      await next.ready();
    }
    await sleep(settleMs);
    const { posted, tookMs, attempts } = await posting.stop();
    const stored = await stage.sql.query('select from deployments where id > $1', [lastEventId]);
    const events = stored.rowCount ?? 0;
    const { arrivals, reconnects, refusals, longestGapMs, sha256 } = await readers.finish(events);
    if ((await newestEvents(stage, events)).sha256 !== sha256)
      throw new Error('a reader got frames that differ from the log');
    if (refusals > 0) throw new Error(`${refusals} streams were refused`);
    // Attempts without a response and their frames are ignored.
    const waited = arrivals.filter(({ number }) => posted.has(number));
    const [frameP99Ms = Number.NaN, longestFrameMs = Number.NaN] = ranks(
      waited,
      [0.99, 1],
      (number) => posted.get(number) ?? Number.NaN,
    );
    return {
      frameP99Ms,
      longestFrameMs,
      longestGapMs,
      reconnects,
      postP99Ms: percentile(tookMs, 0.99),
      triedAgain: attempts - tookMs.length,
    };
  } finally {
    await posting.stop();
    await readers.close();
  }
}

/** Posts at a constant rate on persistent connections, and repeats posts without a clear response. */
class Posting {
  readonly #url: string;
  /** The durations of attempts with status 201, in ms. */
  readonly #posted = new Map<number, number>();
  readonly #tookMs: number[] = [];
  readonly #ended: Promise<unknown>;
  #attempts = 0;
  #stopped = false;

  constructor(url: string) {
    this.#url = url;
    this.#ended = Promise.all(Array.from({ length: publishers }, (_, index) => this.#post(index)));
  }

  async stop() {
    this.#stopped = true;
    await this.#ended;
    return { posted: this.#posted, tookMs: this.#tookMs, attempts: this.#attempts };
  }

  async #post(index: number): Promise<void> {
    await sleep((index * 1000) / perSecond);
    let publisher = await Publisher.open(postTarget(this.#url));
    while (!this.#stopped) {
      const startedAt = monotonicMs();
      while (!(await this.#attempt(publisher))) {
        publisher.close();
        await sleep(retryMs);
        publisher = await Publisher.open(postTarget(this.#url));
      }
      this.#tookMs.push(monotonicMs() - startedAt);
      await sleep((publishers * 1000) / perSecond);
    }
    publisher.close();
  }

  /** Each attempt has a separate number, because an attempt without a response may have been stored. */
  async #attempt(publisher: Publisher): Promise<boolean> {
    const number = this.#attempts;
    this.#attempts += 1;
    try {
      const publishedAt = monotonicMs();
      await publisher.post(JSON.stringify(anEvent({ deployment_id: stampText({ number, publishedAt }) })));
      this.#posted.set(number, monotonicMs() - publishedAt);
      return true;
    } catch {
      return false;
    }
  }
}

function figures(crowd: number, seen: readonly Restarted[]): Figure[] {
  const reconnects = seen.map((round) => round.reconnects).join(', ');
  const figure = (title: string, of: (round: Restarted) => number, unit: string, atMost: number): Figure => ({
    goal: 'restarts',
    title: `${crowd.toLocaleString('en')} readers: ${title}`,
    measured: seen.map(of),
    unit,
    reach: { atMost },
  });
  return [
    figure('201 → frame, p99', ({ frameP99Ms }) => frameP99Ms, 'ms', 3000),
    figure('201 → frame, longest', ({ longestFrameMs }) => longestFrameMs, 'ms', 3000),
    figure(`without a stream, longest (${reconnects} reconnects)`, ({ longestGapMs }) => longestGapMs, 'ms', 3000),
    figure('post including retries, p99', ({ postP99Ms }) => postP99Ms, 'ms', 1000),
    figure('retried attempts', ({ triedAgain }) => triedAgain, '', 2),
    // Always 0 here, because any other value would have caused an error earlier.
    figure('frames lost, duplicated or out of order', () => 0, '', 0),
  ];
}
