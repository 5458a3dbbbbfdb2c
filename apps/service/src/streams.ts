import { headerNames, parseId, type StreamName } from '@shiplog/contract';
import { type Log, LogStream, type StreamObserver, type StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { tableLog } from './db/logs.ts';
import type { KnownEnd } from './known-end.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface StreamsOptions {
  readonly queries: Queries;
  /** Of the log of deployments. */
  readonly end: KnownEnd;
  readonly times: StreamTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

export type Streams = Readonly<Record<StreamName, LogStream>>;

/** The service's three streams, each on its own log (§6). */
export function serviceStreams({ queries, end, times, metrics, logger }: StreamsOptions): Streams {
  const logOf = (name: StreamName): Log => {
    const log = tableLog(queries, name);
    if (name !== 'deployments') return log;
    return {
      ...log,
      bounds: () => end.settled().then(() => log.bounds()),
      // Before the first reader has it: a connection may be cut while a page is handed out.
      read: async (position, filter) => {
        const page = await log.read(position, filter);
        end.seen(page.entries.at(-1)?.id);
        return page;
      },
    };
  };
  const stream = (name: StreamName) =>
    new LogStream({
      log: logOf(name),
      parseId,
      resumeHeader: headerNames.streamResume,
      times,
      observer: observerOf(name, metrics, logger),
    });
  return { deployments: stream('deployments'), control: stream('control'), components: stream('components') };
}

function observerOf(stream: StreamName, metrics: ServiceMetrics, logger: Logger): StreamObserver {
  return {
    onRead: () => metrics.logReads.inc({ stream }),
    onError: (error) => {
      metrics.readFailures.inc({ stream });
      logger.debug({ err: error, stream }, 'a log could not be read; trying again');
    },
    onDispatch: ({ entries }) => {
      const now = Date.now();
      for (const { id } of entries) {
        metrics.frameLagSeconds.observe({ stream }, Math.max(0, now - millisecondsOf(id)) / 1000);
      }
    },
    onReplay: () => metrics.replayedPages.inc({ stream }),
    onConnections: (open) => metrics.streamConnections.set({ stream }, open),
  };
}

/** The milliseconds since 1970 that a UUIDv7 begins with. */
function millisecondsOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
