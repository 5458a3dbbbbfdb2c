import { everyComponent, headerNames, parseId, type Stream, type StreamName, streams } from '@shiplog/contract';
import { type Entry, frameText, type Log, LogStream, type StreamObserver, type StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { type LogRow, readLogBounds, readLogPage } from './db/logs.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface StreamsOptions {
  readonly queries: Queries;
  readonly times: StreamTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

export type Streams = Readonly<Record<StreamName, LogStream>>;

/** The service's three streams, each on its own log (§6). */
export function serviceStreams(options: StreamsOptions): Streams {
  return {
    deployments: logStream(options, 'deployments', (filter, service) => filter === service),
    control: logStream(options, 'control', (filter, component) => [filter, everyComponent].includes(component)),
    components: logStream(options, 'components', () => true),
  };
}

function logStream(
  { queries, times, metrics, logger }: StreamsOptions,
  name: StreamName,
  passes: Log['passes'],
): LogStream {
  const entryOf = entryMaker(streams[name]);
  return new LogStream({
    log: {
      passes,
      read: async (after, filter) => {
        metrics.logReads.inc({ stream: name });
        const { rows, position, atHead } = await readLogPage(queries, name, { after, filter });
        return { entries: rows.map(entryOf), position, atHead };
      },
    },
    bounds: () => readLogBounds(queries, name),
    parseId,
    resumeHeader: headerNames.streamResume,
    times,
    observer: observerOf(name, metrics, logger),
  });
}

function entryMaker({ frameName, nameFirst }: Stream): (row: LogRow) => Entry {
  return ({ id, key, name, json }) => ({
    id,
    key,
    frame: frameText({ id, event: frameName ?? name ?? '', data: json, nameFirst }),
  });
}

function observerOf(stream: StreamName, metrics: ServiceMetrics, logger: Logger): StreamObserver {
  return {
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
