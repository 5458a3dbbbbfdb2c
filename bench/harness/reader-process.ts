import { connect } from 'node:net';
import { type Arrivals, note } from './arrivals.ts';
import { percentile } from './figure.ts';
import { monotonicMs } from './stamp.ts';
import { Transcript } from './transcript.ts';

/** The options of the process, as JSON in its only argument. */
export interface ReaderTask {
  readonly url: string;
  readonly path: string;
  readonly subscribers: number;
  /** The number of frames that each subscriber must get. */
  readonly events: number;
  /** Whether the process reports the arrival time of every frame. */
  readonly tellsArrivals?: boolean;
  /** The timeout for all frames once all subscribers are connected; a minute by default. */
  readonly limitMs?: number;
}

/** The report of the process when every subscriber has every frame. */
export interface ReaderReport {
  /** The time from the start of the first post to the last frame at the last subscriber. */
  readonly seconds: number;
  /** The times from the start of a post to its frame, for all frames at all subscribers. */
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  /** A digest of the frames, which are the same for all subscribers. */
  readonly sha256: string;
  /** In order of delivery; only if requested. */
  readonly arrivals: readonly Arrivals[];
}

const connectAtOnce = 200;
const lingerMs = 100;

const task = JSON.parse(process.argv[2] ?? '') as ReaderTask;
const limitMs = task.limitMs ?? 60_000;
const transcript = new Transcript(task.events);
const lagsMs = new Float64Array(task.subscribers * task.events);
/** Shared by all sockets, because data is processed before the next read. */
const buffer = Buffer.alloc(64 * 1024);
const arrivals: Arrivals[] = [];
let arrived = 0;
let lastAt = 0;

for (let opened = 0; opened < task.subscribers; opened += connectAtOnce) {
  const count = Math.min(connectAtOnce, task.subscribers - opened);
  await Promise.all(Array.from({ length: count }, subscribe));
}
setTimeout(() => {
  throw new Error(`${lagsMs.length - arrived} of ${lagsMs.length} frames are missing after ${limitMs / 1000} s`);
}, limitMs);
process.send?.('ready');

/** Opens one stream. Resolves after the response headers and the first bytes. */
function subscribe(): Promise<void> {
  const { hostname, port } = new URL(task.url);
  return new Promise((resolve) => {
    let greeting = '';
    let greeted = false;
    let bytes = 0;
    let frames = 0;
    const receive = (chunk: Buffer) => {
      bytes = transcript.take(chunk, bytes);
      lastAt = monotonicMs();
      for (let frame = transcript.frames[frames]; frame && frame.endsAt <= bytes; frame = transcript.frames[frames]) {
        lagsMs[arrived] = lastAt - frame.publishedAt;
        arrived += 1;
        if (task.tellsArrivals) note(arrivals, frames, { number: frame.number, tookMs: lastAt - frame.publishedAt });
        frames += 1;
      }
      if (arrived === lagsMs.length) setTimeout(report, lingerMs);
    };
    const greet = (text: string) => {
      greeting += text;
      if (!greeting.startsWith('HTTP/1.1 200 ')) throw new Error(`a subscription was refused:\n${greeting}`);
      greeted = /\r\n\r\n.*\n\n$/s.test(greeting);
      if (greeted) resolve();
    };
    const callback = (length: number) => {
      const chunk = buffer.subarray(0, length);
      if (greeted) receive(chunk);
      else greet(chunk.toString('latin1'));
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } });
    socket.on('end', () => {
      throw new Error('a stream ended');
    });
    socket.write(`GET ${task.path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`);
  });
}

/** Waits for a moment after the last frame to detect surplus frames. */
function report(): void {
  const firstAt = Math.min(...transcript.frames.map(({ publishedAt }) => publishedAt));
  const told: ReaderReport = {
    seconds: (lastAt - firstAt) / 1000,
    lagP50Ms: percentile(lagsMs, 0.5),
    lagP99Ms: percentile(lagsMs, 0.99),
    sha256: transcript.sha256(),
    arrivals,
  };
  process.send?.(told);
}
