import { connect } from 'node:net';
import { headerNames } from '@shiplog/contract';
import { type Arrivals, note } from './arrivals.ts';
import { monotonicMs } from './stamp.ts';
import { Transcript } from './transcript.ts';

/** The options of the process, as JSON in its only argument. The number of events follows as a message. */
export interface ReturningTask {
  readonly url: string;
  readonly path: string;
  readonly subscribers: number;
  readonly eventsMax: number;
  /** The start position of every subscriber. */
  readonly lastEventId: string;
}

/** The report of the process when every subscriber has every frame, once and in order. */
export interface ReturningReport {
  readonly arrivals: readonly Arrivals[];
  /** The number of reconnects. */
  readonly reconnects: number;
  /** The number of responses other than 200. A browser would not reconnect after such a response. */
  readonly refusals: number;
  /** The longest time without a connection, in ms. */
  readonly longestGapMs: number;
  readonly sha256: string;
}

/** The reconnect delay that the service sends. */
const reconnectMs = 2000;
const connectAtOnce = 100;
const greeting = /^HTTP\/1\.[01] (\d+) .*?\r\n\r\n/s;
const retryLine = 'retry: 2000\n\n';

const task = JSON.parse(process.argv[2] ?? '') as ReturningTask;
const transcript = new Transcript(task.eventsMax);
const arrivals: Arrivals[] = [];
const buffer = Buffer.alloc(64 * 1024);
let events = Number.POSITIVE_INFINITY;
let reconnects = 0;
let refusals = 0;
let longestGapMs = 0;
let complete = 0;

class Subscriber {
  #frames = 0;
  #bytes = 0;
  #head: string | undefined;
  #downAt: number | undefined;

  get frames(): number {
    return this.#frames;
  }

  /** Opens the stream, and reconnects whenever it is cut. Resolves when it is open for the first time. */
  open(): Promise<void> {
    return new Promise((resolve) => this.#connect(resolve));
  }

  #connect(onOpen?: () => void): void {
    const { hostname, port } = new URL(task.url);
    const last = transcript.frames[this.#frames - 1];
    // A truncated frame is sent again from its beginning.
    this.#bytes = last?.endsAt ?? 0;
    this.#head = '';
    const callback = (length: number) => {
      this.#receive(buffer.subarray(0, length));
      if (this.#head === undefined) onOpen?.();
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#downAt ??= monotonicMs();
      setTimeout(() => this.#connect(onOpen), reconnectMs);
    });
    const resumed = `${headerNames.lastEventId}: ${last?.id ?? task.lastEventId}`;
    // Uses HTTP/1.0, so that proxies don't use chunked encoding.
    socket.write(`GET ${task.path} HTTP/1.0\r\nHost: ${hostname}\r\n${resumed}\r\n\r\n`);
  }

  #receive(chunk: Buffer): void {
    if (this.#head === undefined) {
      this.#take(chunk);
      return;
    }
    this.#head += chunk.toString('latin1');
    const [head, status] = greeting.exec(this.#head) ?? [];
    if (head === undefined) return;
    if (status !== '200') {
      refusals += 1;
      this.#head = '';
      return;
    }
    if (this.#head.length < head.length + retryLine.length) return;
    const rest = this.#head.slice(head.length + retryLine.length);
    this.#head = undefined;
    if (this.#downAt !== undefined) {
      reconnects += 1;
      longestGapMs = Math.max(longestGapMs, monotonicMs() - this.#downAt);
      this.#downAt = undefined;
    }
    this.#take(Buffer.from(rest, 'latin1'));
  }

  #take(chunk: Buffer): void {
    this.#bytes = transcript.take(chunk, this.#bytes);
    const now = monotonicMs();
    for (let frame = transcript.frames[this.#frames]; frame && frame.endsAt <= this.#bytes; ) {
      note(arrivals, this.#frames, { number: frame.number, tookMs: now - frame.publishedAt });
      this.#frames += 1;
      if (this.#frames === events) complete += 1;
      frame = transcript.frames[this.#frames];
    }
    if (complete === task.subscribers) report();
  }
}

const subscribers = Array.from({ length: task.subscribers }, () => new Subscriber());
for (let opened = 0; opened < subscribers.length; opened += connectAtOnce) {
  await Promise.all(subscribers.slice(opened, opened + connectAtOnce).map((subscriber) => subscriber.open()));
}
process.on('message', (count: number) => {
  events = count;
  complete = subscribers.filter(({ frames }) => frames === count).length;
  if (complete === subscribers.length) report();
});
process.send?.('ready');

function report(): void {
  const told: ReturningReport = {
    arrivals,
    reconnects,
    refusals,
    longestGapMs,
    sha256: transcript.sha256(),
  };
  complete = 0;
  process.send?.(told);
}
