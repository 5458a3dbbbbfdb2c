import type { ServerResponse } from 'node:http';
import {
  everyComponent,
  headerNames,
  parseId,
  type Stream,
  type StreamName,
  type StreamResume,
  streams,
} from '@shiplog/contract';
import { frameText, type Log, LogStream, type StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { type LogBounds, readLogBounds, readLogPage } from './db/logs.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface LiveStreamOptions {
  readonly name: StreamName;
  readonly log: Log;
  readonly bounds: () => Promise<LogBounds>;
  readonly times: StreamTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/** One of the service's streams: a table of the database, and where its readers begin. */
export class LiveStream {
  readonly #stream: LogStream;
  readonly #bounds: () => Promise<LogBounds>;

  constructor({ name, log, bounds, times, metrics, logger }: LiveStreamOptions) {
    this.#bounds = shared(bounds);
    this.#stream = new LogStream({
      log,
      times,
      onError: (error) => {
        metrics.readFailures.inc({ stream: name });
        logger.debug({ err: error, stream: name }, 'a log could not be read; trying again');
      },
      onDispatch: (page) => {
        const now = Date.now();
        for (const entry of page.entries) {
          metrics.frameLagSeconds.observe({ stream: name }, Math.max(0, now - idMs(entry.id)) / 1000);
        }
      },
      onReplay: () => metrics.replayedPages.inc({ stream: name }),
      onConnections: (open) => metrics.streamConnections.set({ stream: name }, open),
    });
  }

  start(): void {
    this.#stream.start();
  }

  /** News may be in the table. */
  wake(): void {
    this.#stream.wake();
  }

  /** Ends every connection cleanly. */
  stop(): void {
    this.#stream.stop();
  }

  /**
   * Takes a response over and serves it until it is closed.
   * @throws DatabaseUnavailable when the log cannot be read: before the head, so that an error can still be answered.
   */
  async open(response: ServerResponse, { lastEventId, filter, headOnly }: StreamRequest): Promise<void> {
    const bounds = await this.#bounds();
    const { position, resume } = resumed(lastEventId, bounds);
    await this.#stream.open(response, {
      position,
      removed: bounds.removedId,
      filter,
      headers: { [headerNames.streamResume]: resume },
      headOnly,
    });
  }
}

export interface StreamRequest {
  /** As the client sent it; `undefined` = none. */
  readonly lastEventId: string | undefined;
  readonly filter: string | undefined;
  /** A HEAD request: the head is the whole answer. */
  readonly headOnly: boolean;
}

/** Where a connection begins (readings 6.1 to 6.3). */
function resumed(
  lastEventId: string | undefined,
  { lastId, removedId, beginId }: LogBounds,
): { position: string; resume: StreamResume } {
  if (lastEventId === undefined) return { position: beginId, resume: 'live' };
  const id = parseId(lastEventId);
  if (id === undefined) return { position: beginId, resume: 'ignored' };
  // An id above the greatest counts as the greatest: it must not silence a client.
  return { position: id < lastId ? id : lastId, resume: id < removedId ? 'truncated' : 'replay' };
}

/** The milliseconds since 1970 that a UUIDv7 begins with. */
function idMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * One read for all who ask while another is under way. Nobody is given a read that began before they asked: a stream
 * that begins live must not begin before an event whose post was answered earlier.
 */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        const result = read();
        running = result;
        return result;
      });
    return next;
  };
}

export interface StreamsOptions {
  readonly queries: Queries;
  readonly times: StreamTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/** The service's three streams, each on its own log (§6). */
export function liveStreams(options: StreamsOptions): Readonly<Record<StreamName, LiveStream>> {
  return {
    deployments: liveStream(options, 'deployments', (filter, service) => filter === service),
    control: liveStream(
      options,
      'control',
      (filter, component) => filter === component || component === everyComponent,
    ),
    components: liveStream(options, 'components', () => true),
  };
}

function liveStream(options: StreamsOptions, name: StreamName, passes: Log['passes']): LiveStream {
  const { queries, metrics } = options;
  const stream: Stream = streams[name];
  return new LiveStream({
    ...options,
    name,
    bounds: () => readLogBounds(queries, name),
    log: {
      passes,
      read: async (after, filter) => {
        metrics.logReads.inc({ stream: name });
        const page = await readLogPage(queries, name, { after, filter });
        return {
          position: page.position,
          atHead: page.atHead,
          entries: page.rows.map(({ id, key, name, json }) => ({
            id,
            key,
            frame: frameText({ id, event: stream.frameName ?? name ?? '', data: json, nameFirst: stream.nameFirst }),
          })),
        };
      },
    },
  });
}
