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
  /** How often a log is read even without a notice: what bounds delivery while notices are lost (reading 6.8). */
  readonly pollMs: number;
  /** A reader that takes nothing for so long is closed (reading 6.6). */
  readonly stalledMs: number;
  /** What clients are told to wait before they reconnect. */
  readonly reconnectMs: number;
}

/** Told of what happens on a stream. */
export interface StreamObserver {
  /** A page of the log is read. */
  readonly onRead: () => void;
  /** A read of the log failed; it is tried again. */
  readonly onError: (error: unknown) => void;
  /** A page was handed to live readers. */
  readonly onDispatch: (page: Page) => void;
  /** The page that is read is for readers behind the head. */
  readonly onReplay: () => void;
  /** The number of open connections has changed. */
  readonly onConnections: (open: number) => void;
}

export interface LogStreamOptions {
  readonly log: Log;
  /** The id that a text is, in the form in which ids are compared; `undefined` for any other text. */
  readonly parseId: (text: string) => string | undefined;
  /** The header that tells a client how its connection begins; none where absent. */
  readonly resumeHeader?: string;
  readonly times: StreamTimes;
  readonly observer?: StreamObserver;
}

export interface StreamRequest {
  /** As the client sent it; `undefined` = none. */
  readonly lastEventId?: string | undefined;
  /** Only entries that it passes. */
  readonly filter?: string | undefined;
  /** A HEAD request: the head is the whole answer. */
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

  /** News may be in the log. */
  wake(): void {
    this.#hub.wake();
  }

  /** Ends every connection cleanly; clients come back by themselves, to another instance (reading 6.7). */
  stop(): void {
    this.#stopped = true;
    this.#hub.stop();
    for (const connection of this.#connections) connection.end();
  }

  /**
   * Takes a response over and serves it until it is closed. Rejects as the log's `bounds` does, before the head is written, so
   * that an error can still be answered. After `stop` it hangs up without an answer: a proxy then asks another instance,
   * and a browser's EventSource tries again, which an error would stop for good.
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
    // Asked for before the stop and opened after it: an error would stop a browser's EventSource for good.
    if (this.#stopped) connection.end();
    void cursor.run();
  }

  #count(): void {
    this.#observer.onConnections(this.#connections.size);
  }
}

/** The event loop is busy when it works for more than this share of the time. */
const busyShare = 0.7;
/** A pause lasts this many times as long as the work before it, up to a bound. */
const pausePerWork = 12;
const pauseMsMax = 200;

/**
 * Makes a function that pauses a long piece of work between two parts, so that shorter work gets its turn. While the
 * event loop is not busy, the pause is one turn of the loop; else it grows with the work since the last pause.
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

/** A page is handed out for so long before others have their turn. */
const turnMs = 2;

/**
 * Makes a function that is asked after each part of a piece of work: where the work since the last turn has taken long
 * enough, it gives a turn of the event loop to wait for, else nothing.
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

/** A dispatch that takes at least this long is followed by a pause. */
const longDispatchMs = 2;
const pausePerDispatch = 2;
const dispatchPauseMsMax = 40;

/**
 * Pauses after a dispatch to many readers. Its cost is the number of writes, whatever their size, so what comes during
 * the pause is handed out in one write.
 */
export async function pauseAfterDispatch(workedMs: number): Promise<void> {
  if (workedMs >= longDispatchMs) await setTimeout(Math.min(dispatchPauseMsMax, pausePerDispatch * workedMs));
}
