import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Cursor } from './cursor.ts';
import { Hub } from './hub.ts';
import type { Log, LogBounds, Page } from './log.ts';
import { EventStreamReply } from './reply.ts';
import { beginning, sharedRead } from './resume.ts';
import { SharedPages } from './shared-pages.ts';

export interface StreamTimes {
  readonly heartbeatMs: number;
  /** How often a log is read even without a notice. Bounds the delay while notices are lost (reading 6.8). */
  readonly pollMs: number;
  /** A reader that accepts nothing for this long is disconnected (reading 6.6). */
  readonly stalledMs: number;
  /** How long clients should wait before they reconnect. */
  readonly reconnectMs: number;
}

/** Observes what happens on a stream. */
export interface StreamObserver {
  /** A page of the log is read. */
  readonly onRead: () => void;
  /** A read of the log failed and will be retried. */
  readonly onError: (error: unknown) => void;
  /** A page was sent to live readers. */
  readonly onDispatch: (page: Page) => void;
  /** The page read is for readers behind the head. */
  readonly onReplay: () => void;
  /** The number of open connections has changed. */
  readonly onConnections: (open: number) => void;
}

export interface LogStreamOptions {
  readonly log: Log;
  /** Parses an id into the form in which ids are compared; `undefined` for any other text. */
  readonly parseId: (text: string) => string | undefined;
  /** The response header for how a connection starts; optional. */
  readonly resumeHeader?: string;
  readonly times: StreamTimes;
  readonly observer?: StreamObserver;
}

export interface StreamRequest {
  /** As the client sent it; `undefined` = none. */
  readonly lastEventId?: string | undefined;
  /** Only entries that match it. */
  readonly filter?: string | undefined;
  /** A HEAD request: send only the head. */
  readonly headOnly: boolean;
}

const noObserver: StreamObserver = {
  onRead: () => undefined,
  onError: () => undefined,
  onDispatch: () => undefined,
  onReplay: () => undefined,
  onConnections: () => undefined,
};

/** An event stream over a log: its hub and its open connections. */
export class LogStream {
  readonly #options: LogStreamOptions;
  readonly #observer: StreamObserver;
  readonly #bounds: () => Promise<LogBounds>;
  readonly #hub: Hub;
  readonly #pages: SharedPages;
  readonly #connections = new Set<EventStreamReply>();
  #stopped = false;

  constructor(options: LogStreamOptions) {
    const { log, times, observer = noObserver } = options;
    const { onRead, onError, onDispatch, onReplay } = observer;
    this.#options = options;
    this.#observer = observer;
    this.#bounds = sharedRead(() => log.bounds());
    const onReplayRead = () => {
      onRead();
      onReplay();
    };
    this.#pages = new SharedPages({ log, onRead: onReplayRead, pause: pauseWhileBusy() });
    const shedding = { turns: inTurns, pause: pauseAfterDispatch };
    this.#hub = new Hub({ log, pollMs: times.pollMs, onRead, onError, onDispatch, ...shedding });
  }

  start(): void {
    this.#hub.start();
  }

  /** The log may have new entries. */
  wake(): void {
    this.#hub.wake();
  }

  /** Ends every connection cleanly; clients reconnect automatically, to another instance (reading 6.7). */
  stop(): void {
    this.#stopped = true;
    this.#hub.stop();
    for (const connection of this.#connections) connection.end();
  }

  /**
   * Takes over a response and serves it until it is closed. Rejects like the log's `bounds`, before the head is
   * written, so that an error can still be sent. After `stop` it hangs up without an answer: a proxy then tries another
   * instance, and a browser's EventSource reconnects, which an error would prevent for good.
   */
  async open(response: ServerResponse, { lastEventId, filter, headOnly }: StreamRequest): Promise<void> {
    const { times, parseId, resumeHeader } = this.#options;
    const bounds = await this.#bounds();
    if (this.#stopped) return void response.destroy();
    const { position, resume } = beginning(lastEventId, bounds, parseId);
    const headers = resumeHeader === undefined ? {} : { [resumeHeader]: resume };
    const connection = await EventStreamReply.open(response, { ...times, headers, headOnly });
    if (!connection) return;
    const { removedId: removed, removals = 0n } = bounds;
    const { hub, pages } = { hub: this.#hub, pages: this.#pages };
    const cursor = new Cursor({ pages, hub, sink: connection, position, removed, removals, filter });
    this.#connections.add(connection);
    this.#count();
    connection.onClose(() => {
      cursor.close();
      this.#connections.delete(connection);
      this.#count();
    });
    // Requested before the stop and opened after it: an error would stop a browser's EventSource for good.
    if (this.#stopped) connection.end();
    void cursor.run();
  }

  #count(): void {
    this.#observer.onConnections(this.#connections.size);
  }
}

/** The event loop is busy above this utilization. */
const busyShare = 0.7;
/** A pause is this many times as long as the work before it, up to a bound. */
const pausePerWork = 12;
const pauseMsMax = 200;

/**
 * Returns a function that pauses long work between two parts, so that shorter work gets its turn: for one turn of the
 * event loop or, while the loop is busy, in proportion to the work since the last pause.
 */
export function pauseWhileBusy(): () => Promise<void> {
  let since = performance.eventLoopUtilization();
  return async () => {
    const { utilization, active } = performance.eventLoopUtilization(since);
    if (utilization > busyShare) await setTimeout(Math.min(pauseMsMax, pausePerWork * active));
    else await setImmediate();
    since = performance.eventLoopUtilization();
  };
}

/** How long a page is sent before other work gets a turn. */
const turnMs = 2;

/**
 * Returns a function to call after each part of some work: once the work since the last turn has taken long enough, it
 * returns a turn of the event loop to wait for.
 */
export function inTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}

/** A dispatch of at least this length is followed by a pause. */
const longDispatchMs = 2;
const pausePerDispatch = 2;
const dispatchPauseMsMax = 40;

/**
 * Pauses after a dispatch to many readers. Its cost is the number of writes, not their size, so entries that arrive
 * during the pause are sent in one write.
 */
export async function pauseAfterDispatch(workedMs: number): Promise<void> {
  if (workedMs >= longDispatchMs) await setTimeout(Math.min(dispatchPauseMsMax, pausePerDispatch * workedMs));
}
