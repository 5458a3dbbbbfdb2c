import type { ServerResponse } from 'node:http';
import { breathAfter, breathing } from './breathing.ts';
import { Cursor } from './cursor.ts';
import { Hub } from './hub.ts';
import type { Log, Page } from './log.ts';
import { EventStreamReply } from './reply.ts';
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

export interface LogStreamOptions {
  readonly log: Log;
  readonly times: StreamTimes;
  /** Told of every failed read of the log; it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Told of every page that was handed to live readers. */
  readonly onDispatch?: (page: Page) => void;
  /** Told of every page that was read for readers behind the head. */
  readonly onReplay?: () => void;
  /** Told how many connections are open whenever that changes. */
  readonly onConnections?: (open: number) => void;
}

/** Where one reader begins, and what it gets. */
export interface Reader {
  /** It has everything up to this id. */
  readonly position: string;
  /** Rows up to this id may have been removed from the log. */
  readonly removed: string;
  readonly filter: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A HEAD request: the head is the whole answer. */
  readonly headOnly: boolean;
}

/** An event stream over a log: its hub and its open connections. */
export class LogStream {
  readonly #options: LogStreamOptions;
  readonly #hub: Hub;
  readonly #pages: SharedPages;
  readonly #connections = new Set<EventStreamReply>();
  #stopped = false;

  constructor(options: LogStreamOptions) {
    this.#options = options;
    const { log, onReplay } = options;
    this.#pages = new SharedPages({ log, onRead: () => onReplay?.(), breathe: breathing() });
    this.#hub = new Hub({
      log: options.log,
      pollMs: options.times.pollMs,
      onError: options.onError,
      breathe: breathAfter,
      ...(options.onDispatch && { onDispatch: options.onDispatch }),
    });
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

  /** Takes a response over and serves it until it is closed. */
  async open(response: ServerResponse, reader: Reader): Promise<void> {
    const { times } = this.#options;
    const connection = await EventStreamReply.open(response, {
      ...times,
      headers: reader.headers,
      headOnly: reader.headOnly,
    });
    if (!connection) return;
    const own: Log = {
      passes: (filter, key) => this.#options.log.passes(filter, key),
      read: async (after, filter) => {
        const page = await this.#pages.read(after, filter, () => !connection.closed);
        if (page.gap) connection.destroy();
        return page;
      },
    };
    const cursor = new Cursor({ ...reader, log: own, hub: this.#hub, sink: connection });
    this.#connections.add(connection);
    this.#count();
    connection.onClose(() => {
      cursor.close();
      this.#connections.delete(connection);
      this.#count();
    });
    // Asked for before the stop and read after it: an error would stop a browser's EventSource for good.
    if (this.#stopped) connection.end();
    void cursor.run();
  }

  #count(): void {
    this.#options.onConnections?.(this.#connections.size);
  }
}
