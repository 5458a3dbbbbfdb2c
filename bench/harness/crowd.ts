import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing/events';
import { ranks } from './arrivals.ts';
import { summary } from './figure.ts';
import { processorMs } from './processor.ts';
import { Publisher } from './publisher.ts';
import type { ReaderReport } from './reader-process.ts';
import { openReaders, type Readers } from './readers.ts';
import { newestEvents } from './replays.ts';
import { postTarget, readMetric, type Stage } from './stage.ts';
import { monotonicMs, stampText } from './stamp.ts';

/** The maximum time for opening tens of thousands of streams. */
const limitMs = 300_000;

export interface Crowd {
  /** The number of subscribers per instance. */
  readonly each: number;
  readonly events: number;
  readonly perSecond: number;
}

/** An instance with subscribers. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  /** Resident memory without subscribers, in bytes. */
  readonly emptyBytes: number;
}

/** Measurements of many subscribers. Times are in milliseconds from the response to a post. */
export interface Delivered {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The median time until the last subscriber has the frame. */
  readonly lastMs: number;
  /** The time from sending a post to its frame. */
  readonly fromSendingP99Ms: number;
  /** CPU time of all instances per frame and subscriber, in microseconds. */
  readonly frameUs: number;
  /** CPU time of an instance per opened stream, in microseconds. */
  readonly openUs: number;
  /** Resident memory per subscriber, in KB. */
  readonly subscriberKb: number;
}

/** Posts at a constant rate to the instances in turn. @throws if a subscriber did not get all frames in order */
export async function deliver(stage: Stage, instances: readonly Served[], crowd: Crowd): Promise<Delivered> {
  const { each, events } = crowd;
  const path = endpoints.streamDeployments.path;
  const pids = instances.map(({ pid }) => pid);
  const readers: Readers[] = [];
  const publishers: Publisher[] = [];
  try {
    const openedFrom = await processorMs(pids);
    const opening = instances.map(({ url }) =>
      openReaders({ url, path, subscribers: each, events, tellsArrivals: true, limitMs }).then((some) =>
        readers.push(some),
      ),
    );
    await Promise.all(opening);
    const openUs = (1000 * ((await processorMs(pids)) - openedFrom)) / (each * instances.length);
    for (const { url } of instances) publishers.push(await Publisher.open(postTarget(url)));
    const subscriberKb = (await addedBytes(instances)) / 1024 / (each * instances.length);
    const before = await processorMs(pids);
    const tookMs = await postAll(publishers, crowd);
    const reports = await Promise.all(readers.map(({ report }) => report));
    const usedMs = (await processorMs(pids)) - before;
    const { sha256 } = await newestEvents(stage, events);
    if (reports.some((report) => report.sha256 !== sha256))
      throw new Error('a subscriber got frames that differ from the log');
    return {
      ...lagsOf(reports, tookMs),
      fromSendingP99Ms: Math.max(...reports.map(({ lagP99Ms }) => lagP99Ms)),
      frameUs: (1000 * usedMs) / (each * instances.length * events),
      openUs,
      subscriberKb,
    };
  } finally {
    for (const publisher of publishers) publisher.close();
    await Promise.all(readers.map((one) => one.close()));
  }
}

/** Returns the response times of all posts, in ms. */
async function postAll(publishers: readonly Publisher[], { events, perSecond }: Crowd): Promise<number[]> {
  const startedAt = monotonicMs();
  const tookMs: number[] = [];
  for (let number = 0; number < events; number += 1) {
    await sleep(startedAt + (number * 1000) / perSecond - monotonicMs());
    const publishedAt = monotonicMs();
    const deployment_id = stampText({ number, publishedAt });
    await publishers[number % publishers.length]?.post(JSON.stringify(anEvent({ deployment_id })));
    tookMs.push(monotonicMs() - publishedAt);
  }
  return tookMs;
}

/** The delays of all frames at all subscribers. A frame that arrives before the response counts as zero. */
function lagsOf(reports: readonly ReaderReport[], tookMs: readonly number[]) {
  const arrivals = reports.flatMap((report) => report.arrivals);
  const took = (number: number) => tookMs[number] ?? Number.NaN;
  const [p50Ms = Number.NaN, p99Ms = Number.NaN] = ranks(arrivals, [0.5, 0.99], took);
  const last = tookMs.map(
    (_, event) =>
      ranks(
        arrivals.filter(({ number }) => number === event),
        [1],
        took,
      )[0],
  );
  return { p50Ms, p99Ms, lastMs: summary(last.map(Number)).median };
}

/** The memory added since the time when the instances had no subscribers. */
async function addedBytes(instances: readonly Served[]): Promise<number> {
  const each = await Promise.all(instances.map(async (one) => (await residentBytes(one.url)) - one.emptyBytes));
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

/** An instance without subscribers. */
export async function empty(url: string, pid: number): Promise<Served> {
  return { url, pid, emptyBytes: await residentBytes(url) };
}

function residentBytes(url: string): Promise<number> {
  return readMetric(url, 'process_resident_memory_bytes');
}
