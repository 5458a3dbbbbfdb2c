import { acksChannel, type Channel, channels, type StoredEvent, streams, streamTimes } from '@shiplog/contract';
import { DatabaseStartError, type EmbeddedPostgres, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { listenError, StartError, type Stoppable, unavailable } from '@shiplog/server';
import type { StreamTimes } from '@shiplog/streams';
import type { Logger } from 'pino';
import { Appender } from './appender.ts';
import type { ServiceConfig } from './config.ts';
import { appendDeployments } from './db/append-deployments.ts';
import { appendComponentEvents } from './db/component-events.ts';
import { connectionWarning } from './db/connection-room.ts';
import { type Connection, Database, type Queries } from './db/database.ts';
import { type Way, wayOf } from './db/database-url.ts';
import { durabilityWarnings } from './db/durability.ts';
import { isRefusal } from './db/errors.ts';
import { Listener } from './db/listener.ts';
import { MigrationError, migrate } from './db/migrate.ts';
import { sentenceOf, serverProblem } from './db/server-check.ts';
import type { ComponentReport } from './domain/component-report.ts';
import { createApp } from './http/app.ts';
import { ServiceMetrics } from './metrics.ts';
import { ResetRunner } from './reset.ts';
import { Retention, type RetentionTimes, retentionTimes } from './retention.ts';
import { serviceStreams } from './streams.ts';

export interface Service extends Stoppable {
  /** The address to open in a browser. */
  readonly url: string;
}

/** Intervals and time limits; tests pass their own. */
export interface ServiceTimes extends StreamTimes, RetentionTimes {
  /** How often the state of the reset is read without a notice. */
  readonly resetPollMs: number;
}

const serviceTimes: ServiceTimes = { ...streamTimes, ...retentionTimes, resetPollMs: 1000 };

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
  const stopParts = once(async () => {
    for (const part of parts.reverse()) await part.stop();
  });
  try {
    const embedded = config.databaseUrl === undefined ? await startEmbedded(config, logger, signal) : undefined;
    if (embedded) parts.push(embedded);
    const { connection, notice }: Way = embedded ?? wayOf(config.databaseUrl ?? '');
    if (notice) logger.info(notice);
    await prepareDatabase(connection, logger, signal);

    const metrics = new ServiceMetrics();
    const database = new Database(connection, (error) => logger.warn({ err: error }, 'a database connection was lost'));
    parts.push(database);
    await told(warnOfServer(database.appends, logger));
    const appender = new Appender<StoredEvent>({
      append: (batch) => appendDeployments(database.appends, batch),
      isRefusal,
      overload,
      onBatch: ({ rows, seconds }) => {
        metrics.batchRows.observe(rows);
        metrics.batchSeconds.observe(seconds);
      },
    });
    const reports = new Appender<ComponentReport>({
      append: (batch) => appendComponentEvents(database.writes, batch),
      isRefusal,
      overload,
    });
    parts.push({ stop: () => appender.drained() }, { stop: () => reports.drained() });
    const live = serviceStreams({ queries: database.reads, times, metrics, logger });
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
      times,
      metrics,
      logger,
    });
    parts.push(reset, retention);
    const news: Readonly<Record<Channel, () => void>> = {
      [streams.deployments.channel]: () => live.deployments.wake(),
      [streams.control.channel]: () => {
        live.control.wake();
        reset.wake();
      },
      [streams.components.channel]: () => live.components.wake(),
      [acksChannel]: () => reset.wake(),
    };
    const listener = new Listener({
      connection,
      channels,
      onNotice: (channel) => news[channel](),
      onAttached: () => {
        metrics.listenerAttached.set(1);
        // What cut the listener off has probably cut the connection of appends too. If it cannot be opened, readiness fails.
        database.keepAppends().catch(() => undefined);
        for (const tell of Object.values(news)) tell();
      },
      onDetached: (reason) => {
        metrics.listenerAttached.set(0);
        logger.warn(
          { err: reason },
          'the listener lost its connection; frames wait for the next poll until it is back',
        );
      },
    });
    parts.push(listener);
    await told(listener.start());
    signal?.throwIfAborted();
    for (const stream of Object.values(live)) stream.start();
    reset.start();
    retention.start();

    let stopping = false;
    const app = await createApp({
      config,
      logger,
      metrics,
      queries: database.reads,
      analytics: database.analytics,
      writes: database.writes,
      appender,
      reports,
      reset,
      streams: live,
      probes: { answers: () => database.answers(), attached: () => listener.attached, stopping: () => stopping },
    });
    parts.push({ stop: () => app.close() });
    const url = await app.listen({ port: config.port, host: config.host }).catch((error) => {
      throw listenError(error, config);
    });
    const where = embedded
      ? `embedded PostgreSQL ${embedded.version} in ${embedded.dataDir}`
      : 'the database of DATABASE_URL';
    logger.info({ url, docs: `${url}/docs` }, `ready: open ${url}; data lives in ${where}`);
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

async function startEmbedded(
  { dataDir }: ServiceConfig,
  logger: Logger,
  signal: AbortSignal | undefined,
): Promise<EmbeddedPostgres> {
  const embedded = await startEmbeddedPostgres({ dataDir, signal, log: (line) => logger.info(line) });
  embedded.onExit((detail) => {
    logger.fatal(`the embedded database ended by itself (${detail}); ending too, so that a restart brings both back`);
    process.exit(1);
  });
  return embedded;
}

async function prepareDatabase(connection: Connection, logger: Logger, signal: AbortSignal | undefined): Promise<void> {
  const problem = await serverProblem(connection, signal);
  if (problem) throw new StartError(problem);
  const applied = await told(migrate(connection, { log: (line) => logger.info(line), signal }));
  if (applied.length > 0) logger.info({ applied }, 'migrated the database');
}

/** The first queries on the connection of appends, which stays open from then on. */
async function warnOfServer(appends: Queries, logger: Logger): Promise<void> {
  const room = await connectionWarning(appends);
  for (const warning of [...(room ? [room] : []), ...(await durabilityWarnings(appends))]) logger.warn(warning);
}

/** Turns an error of the database at the start into a sentence that says what to do. */
async function told<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    const sentence = error instanceof MigrationError ? error.message : sentenceOf(error);
    throw sentence === undefined ? error : new StartError(sentence, { cause: error });
  }
}

function overload(): Error {
  return unavailable('Too many posts are waiting for the database; try again later.', { retryAfterSeconds: 1 });
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
