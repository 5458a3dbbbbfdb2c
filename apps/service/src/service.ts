import {
  acksChannel,
  type Channel,
  channels,
  productVersion,
  type StoredEvent,
  streams,
  streamTimes,
} from '@shiplog/contract';
import { DatabaseStartError } from '@shiplog/embedded-postgres';
import { descriptorRoom, httpLimits, listen, StartError, type Stoppable, stopOnce, unavailable } from '@shiplog/server';
import type { StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import { Answers } from './answers/answers.ts';
import { Renewal } from './answers/renewal.ts';
import { Appender } from './appender.ts';
import { CatalogFile } from './catalog-file.ts';
import type { ServiceConfig } from './config.ts';
import { appendWithinSlots } from './db/append-within-slots.ts';
import { appendComponentEvents } from './db/component-events.ts';
import { countSlots } from './db/count-slots.ts';
import type { Database } from './db/database.ts';
import { isRefusal } from './db/errors.ts';
import { Listener } from './db/listener.ts';
import { LogReads } from './db/log-reads.ts';
import { type StandbyTimes, standbyTimes } from './db/standby.ts';
import { trialPost } from './db/trial-post.ts';
import type { ComponentReport } from './domain/component-report.ts';
import { DurabilityWatch } from './durability-watch.ts';
import { FutureLimit } from './future-limit.ts';
import { AnalyticsQuestions } from './http/analytics.ts';
import { createApp } from './http/app.ts';
import { KnownEnd } from './known-end.ts';
import { ServiceMetrics } from './metrics.ts';
import { PostHealth } from './post-health.ts';
import { RefusalCount } from './refused-posts.ts';
import { ResetRunner } from './reset.ts';
import { Retention, type RetentionTimes, retentionTimes } from './retention.ts';
import { inSentences, startDatabase } from './start-database.ts';
import { type Streams, serviceStreams } from './streams.ts';

export interface Service extends Stoppable {
  /** The address to open in a browser. */
  readonly url: string;
}

/** Intervals and time limits; tests pass their own. */
export interface ServiceTimes extends StreamTimes, RetentionTimes, StandbyTimes {
  /** How often the state of the reset is read without a notice. */
  readonly resetPollMs: number;
  /** How often the catalog is looked at. */
  readonly catalogPollMs: number;
  /** How long an answer that another instance computes is waited for before it is computed here, too. */
  readonly answerWaitMs: number;
  /** How long a slow read waits where its client has as many in progress as it may. */
  readonly readWaitMs: number;
  /** How often it is looked whether answers are to be computed again because their window has moved on. */
  readonly renewEveryMs: number;
  /** How long counts of refused posts are gathered before they are stored. */
  readonly refusalsMs: number;
  /**
   * How long requests are still taken on open connections when the service stops. Shorter than what our own readers of
   * streams wait before they reconnect (1 s), so that none comes back to an instance that ends.
   */
  readonly drainMs: number;
}

const serviceTimes: ServiceTimes = {
  ...streamTimes,
  ...retentionTimes,
  ...standbyTimes,
  resetPollMs: 1000,
  catalogPollMs: 1000,
  answerWaitMs: 10_000,
  readWaitMs: 3000,
  renewEveryMs: 60_000,
  refusalsMs: 1000,
  drainMs: 500,
};

export interface ServiceOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly times?: Partial<ServiceTimes>;
  /** Aborts the start: what has been started is stopped again. */
  readonly signal?: AbortSignal;
}

/**
 * Starts one instance: database, schema, listener, streams, HTTP; the one place where they are wired.
 * @throws StartError with a sentence for people when something outside must be corrected first.
 */
export async function startService({ config, logger, signal, ...options }: ServiceOptions): Promise<Service> {
  const times = { ...serviceTimes, ...options.times };
  const parts: Stoppable[] = [];
  const { warning } = descriptorRoom(httpLimits.connections);
  if (warning !== undefined) logger.warn(warning);
  const stopParts = stopOnce(async () => {
    for (const part of parts.reverse()) await part.stop();
  });
  try {
    const metrics = new ServiceMetrics();
    const catalog = await CatalogFile.open({ path: config.catalogFile, pollMs: times.catalogPollMs, metrics, logger });
    parts.push(catalog);
    const { database, servers, standbys, place } = await startDatabase(
      { config, logger, metrics, times, signal },
      parts,
    );
    const reads = new LogReads({ database, standbys, metrics });
    const end = new KnownEnd({ reads: database.reads, writes: database.writes, metrics, logger });
    const durability = new DurabilityWatch({ queries: database.appends, metrics, logger });
    const appender: Appender<StoredEvent> = new Appender<StoredEvent>({
      append: async (batch) => {
        const ids = await posts.watch(appendWithinSlots(database.appends, batch, config.slotsMax));
        end.seen(ids.findLast((id) => typeof id === 'string'));
        return ids;
      },
      isRefusal,
      overload,
      onBatch: ({ rows, seconds }) => {
        metrics.batchRows.observe(rows);
        metrics.batchSeconds.observe(seconds);
      },
    });
    const posts = new PostHealth({
      oldestSince: () => appender.oldestSince,
      onFailure: () => end.doubt(),
      trial: (needsRoom) => trialPost(database.appends, needsRoom),
    });
    metrics.slotsMax.set(config.slotsMax);
    metrics.readSlots = () => countSlots(database.probes);
    metrics.oldestPostSeconds = () => posts.oldestSeconds;
    const reports = new Appender<ComponentReport>({
      append: (batch) => appendComponentEvents(database.writes, batch),
      isRefusal,
      overload,
    });
    parts.push({ stop: () => appender.drained() }, { stop: () => reports.drained() });
    const live = serviceStreams({ queries: database.reads, end, times, metrics, logger });
    const reset = new ResetRunner({
      writes: database.writes,
      settings: config.reset,
      pollMs: times.resetPollMs,
      metrics,
      logger,
    });
    const retention = new Retention({
      writes: database.writes,
      retentionDays: config.historyRetentionDays,
      confirmed: config.pruneConfirm,
      times,
      metrics,
      logger,
    });
    const questions = new AnalyticsQuestions(config.analytics, config.historyRetentionDays);
    const answers = new Answers({
      queries: database.reads,
      analytics: database.analytics,
      questions: database.questions,
      reads,
      settings: [productVersion, config.analytics, config.historyRetentionDays],
      waitMs: times.answerWaitMs,
      logger,
    });
    const renewal = new Renewal({
      writes: database.writes,
      answers,
      questionOf: (text) => questions.read(text),
      everyMs: times.renewEveryMs,
      logger,
    });
    const refusals = new RefusalCount({ writes: database.writes, afterMs: times.refusalsMs, logger });
    parts.push(reset, retention, answers, renewal, refusals);
    const wake = wakers(live, reset);
    const listener = new Listener({
      servers,
      channels,
      onNotice: (channel) => wake[channel](),
      onAttached: () => {
        metrics.listenerAttached.set(1);
        // What cut the listener off has probably cut the connections of appends and of readiness too. If they cannot be
        // opened, readiness fails.
        database.answers().catch(() => undefined);
        // Another server may have taken the place of the one before.
        durability.judge().catch(() => undefined);
        end.settled().catch(() => undefined);
        for (const wakeReaders of Object.values(wake)) wakeReaders();
      },
      onDetached: (reason) => {
        metrics.listenerAttached.set(0);
        end.doubt();
        logger.warn(
          { err: reason },
          'the listener lost its connection; frames wait for the next poll until it is back',
        );
      },
    });
    parts.push(listener);
    await inSentences(listener.start());
    await inSentences(durability.judge());
    signal?.throwIfAborted();
    for (const stream of Object.values(live)) stream.start();
    reset.start();
    retention.start();
    catalog.start();
    renewal.start();

    let stopping = false;
    const app = await createApp({
      config,
      logger,
      metrics,
      queries: database.reads,
      reads,
      answers,
      questions,
      writes: database.writes,
      appender,
      future: new FutureLimit(database.reads, config.maxFutureHours),
      reports,
      refusals,
      reset,
      streams: live,
      catalog,
      drainMs: times.drainMs,
      readWaitMs: times.readWaitMs,
      probes: {
        answers: () => answersAll(database, posts),
        attached: () => listener.attached,
        stopping: () => stopping,
      },
    });
    parts.push({ stop: () => app.close() });
    const url = await listen(app, config);
    logger.info({ url, docs: `${url}/docs` }, `ready: open ${url}; data lives in ${place}`);
    return {
      url,
      stop: async () => {
        stopping = true;
        for (const stream of Object.values(live)) stream.stop();
        await stopParts();
      },
    };
  } catch (error) {
    await stopParts();
    throw error instanceof DatabaseStartError ? new StartError(error.message) : error;
  }
}

/** Rejects unless reads are answered and posts come through. */
async function answersAll(database: Database, posts: PostHealth): Promise<void> {
  posts.check();
  await database.answers();
}

/** What a notice on each channel wakes. */
function wakers({ deployments, control, components }: Streams, reset: ResetRunner): Record<Channel, () => void> {
  return {
    [streams.deployments.channel]: () => deployments.wake(),
    [streams.control.channel]: () => {
      control.wake();
      reset.wake();
    },
    [streams.components.channel]: () => components.wake(),
    [acksChannel]: () => reset.wake(),
  };
}

function overload(): Error {
  return unavailable('Too many posts are waiting for the database; try again later.', { retryAfterSeconds: 1 });
}
