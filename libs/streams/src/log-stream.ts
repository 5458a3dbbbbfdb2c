import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Cursor } from './cursor.ts';
import { Hub, type HubObserver } from './hub.ts';
import type { Log, LogBounds } from './log.ts';
import { EventStreamReply, type ReplyTimes } from './reply.ts';
import { beginning, sharedRead } from './resume.ts';
import { SharedPages } from './shared-pages.ts';

export interface StreamTimes extends ReplyTimes {
  /** See `HubOptions.pollMs`. */
  readonly pollMs: number;
}

/** Observes a stream; each member is optional. */
export interface StreamObserver extends HubObserver {
  /** Called when a page is read for readers behind the head. */
  readonly onReplay?: () => void;
  readonly onConnections?: (open: number) => void;
}

interface LogStreamOptions {
  readonly log: Log;
  /** Normalizes an id for comparison; returns `undefined` for an invalid id. */
  readonly parseId: (text: string) => string | undefined;
  /** The optional response header that says how a connection starts. */
  readonly resumeHeader?: string | undefined;
  readonly times: StreamTimes;
  readonly observer?: StreamObserver;
}

export interface StreamRequest {
  /** The raw value from the client. */
  readonly lastEventId?: string | undefined;
  /** If set, only entries that match this filter are sent. */
  readonly filter?: string | undefined;
  /** For a HEAD request. */
  readonly headOnly: boolean;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An event stream over a log: its hub and its open connections. */
export class LogStream {
  readonly #options: LogStreamOptions;
  readonly #bounds: () => Promise<LogBounds>;
  readonly #hub: Hub;
  readonly #pages: SharedPages;
  readonly #connections = new Set<EventStreamReply>();
  #stopped = false;

  constructor(options: LogStreamOptions) {
    const { log, times, observer } = options;
    this.#options = options;
    this.#bounds = sharedRead(() => log.bounds());
    const onRead = () => {
      observer?.onRead?.();
      observer?.onReplay?.();
    };
    this.#pages = new SharedPages({ log, onRead, pause: pauseWhileBusy() });
    this.#hub = new Hub({ ...observer, log, pollMs: times.pollMs, turns: inTurns, pause: pauseAfterDispatch });
  }

  start(): void {
    this.#hub.start();
  }

  /** Call this when the log may have new entries. */
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
   * Takes over a response and serves it until it is closed. If reading the log's `bounds` fails, rejects with that
   * error before the head is written. After `stop` it closes the connection without a response: a proxy then tries
   * another instance, and a browser's EventSource reconnects. An error status would stop the EventSource permanently.
   */
  async open(response: ServerResponse, request: StreamRequest): Promise<void> {
    const { times, parseId, resumeHeader } = this.#options;
    const { lastEventId, filter, headOnly } = request;
    const bounds = await this.#bounds();
    if (this.#stopped) return void response.destroy();
    const { position, resume } = beginning(lastEventId, bounds, parseId);
    const headers = { ...request.headers, ...(resumeHeader !== undefined && { [resumeHeader]: resume }) };
    const connection = await EventStreamReply.open(response, { ...times, headers, headOnly });
    if (!connection) return;
    const { removedId: removed, removals = 0n } = bounds;
    const places = { position, removed, removals, filter };
    const cursor = new Cursor({ pages: this.#pages, hub: this.#hub, sink: connection, ...places });
    this.#connections.add(connection);
    this.#count();
    connection.onClose(() => {
      cursor.close();
      this.#connections.delete(connection);
      this.#count();
    });
    // The stream was requested before the stop but is opened after it.
    if (this.#stopped) connection.end();
    void cursor.run();
  }

  #count(): void {
    this.#options.observer?.onConnections?.(this.#connections.size);
  }
}

/** Above this utilization, the event loop is considered busy. */
const busyShare = 0.7;
/** The duration of a pause as a multiple of the preceding work, up to a limit. */
const pausePerWork = 12;
const pauseMsMax = 200;

/**
 * Returns a function that pauses long work between two parts: for one turn of the event loop or, while the loop is
 * busy, for a time proportional to the work since the last pause.
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

/** How long to send a page before other work gets a turn. */
const turnMs = 2;

/**
 * Returns a function to call after each part of some work. If a pause is due, it returns a promise for the next turn of
 * the event loop.
 */
function inTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < turnMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}

/** A pause follows a dispatch that takes at least this long. */
const longDispatchMs = 2;
const pausePerDispatch = 2;
const dispatchPauseMsMax = 40;

/**
 * Pauses after a dispatch to many readers, so that entries that arrive in the meantime are sent to each reader in one
 * write.
 */
async function pauseAfterDispatch(workedMs: number): Promise<void> {
  if (workedMs >= longDispatchMs) await setTimeout(Math.min(dispatchPauseMsMax, pausePerDispatch * workedMs));
}
