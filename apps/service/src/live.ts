import { acksChannel, type Channel, channels, headerNames, parseId, type StreamName, streams } from '@shiplog/contract';
import type { Stoppable } from '@shiplog/server';
import { type Log, LogStream, type StreamObserver } from '@shiplog/streams';
import type { Logger } from 'pino';
import { Listener } from './db/listener.ts';
import { tableLog } from './db/logs.ts';
import type { Folding } from './folding.ts';
import type { ServiceLog } from './log.ts';
import type { ServiceMetrics } from './metrics.ts';
import { ResetRunner } from './reset.ts';
import { inSentences } from './start-database.ts';
import type { PartOptions } from './times.ts';

export type Streams = Readonly<Record<StreamName, LogStream>>;

/** The listener for notifications and the parts that notifications wake. */
export interface ServiceLive {
  readonly streams: Streams;
  readonly reset: ResetRunner;
  readonly listener: Listener;
}

/** @throws StartError if the database can't be listened to. */
export async function openLive(options: PartOptions, log: ServiceLog, parts: Stoppable[]): Promise<ServiceLive> {
  const { config, logger, metrics, times, signal } = options;
  const { database, durability, end, folding, servers } = log;
  const live = serviceStreams(options, log);
  const { writes } = database;
  const reset = new ResetRunner({ writes, settings: config.reset, pollMs: times.resetPollMs, metrics, logger });
  const wake = wakers(live, reset, folding);
  const listener = new Listener({
    servers,
    channels,
    onNotice: (channel) => wake[channel](),
    onAttached: () => {
      metrics.listenerAttached.set(1);
      // The connections for appends and readiness were probably lost too. If they can't be reopened, readiness fails.
      database.answers().catch(() => undefined);
      // Another server may have taken over as the primary.
      durability.judge().catch(() => undefined);
      end.settled().catch(() => undefined);
      for (const wakeReaders of Object.values(wake)) wakeReaders();
    },
    onDetached: (reason) => {
      metrics.listenerAttached.set(0);
      end.doubt();
      logger.warn({ err: reason }, 'the listener lost its connection; frames wait for the next poll until it is back');
    },
  });
  parts.push(reset, listener);
  await inSentences(listener.start());
  await inSentences(durability.judge());
  signal?.throwIfAborted();
  for (const stream of Object.values(live)) stream.start();
  reset.start();
  folding.start();
  return { streams: live, reset, listener };
}

function wakers(
  { deployments, control, components }: Streams,
  reset: ResetRunner,
  folding: Folding,
): Record<Channel, () => void> {
  return {
    [streams.deployments.channel]: () => {
      deployments.wake();
      folding.wake();
    },
    [streams.control.channel]: () => {
      control.wake();
      reset.wake();
    },
    [streams.components.channel]: () => components.wake(),
    [acksChannel]: () => reset.wake(),
  };
}

function serviceStreams({ times, metrics, logger }: PartOptions, { database, end }: ServiceLog): Streams {
  const logOf = (name: StreamName): Log => {
    const log = tableLog(database.reads, name);
    if (name !== 'deployments') return log;
    return {
      ...log,
      bounds: () => end.settled().then(() => log.bounds()),
      // Record this before the first reader gets the page, because a connection may be lost while a page is being sent.
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
      logger.debug({ err: error, stream }, 'a log could not be read; retrying');
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

/** The milliseconds since 1970 at the start of a UUIDv7. */
function millisecondsOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
