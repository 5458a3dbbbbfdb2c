import { channels, streams } from '@shiplog/contract';
import { type EmbeddedPostgres, StartupFault, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { StartFault, type Stoppable, unavailable } from '@shiplog/server';
import type { Logger } from 'pino';
import { Appender } from './appender.ts';
import type { ServiceConfig } from './config.ts';
import { appendDeployments } from './db/append-deployments.ts';
import { type Connection, Database } from './db/database.ts';
import { isRefusal } from './db/errors.ts';
import { Listener } from './db/listener.ts';
import { MigrationFault, migrate } from './db/migrate.ts';
import { refusalOf, serverFault } from './db/server-check.ts';
import { createApp } from './http/app.ts';
import { ServiceMetrics } from './metrics.ts';
import { deploymentStream, type StreamTimes, streamTimes } from './streams.ts';

export interface Service extends Stoppable {
  /** Where it listens, for a person to open. */
  readonly url: string;
}

export interface ServiceOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly times?: StreamTimes;
}

/**
 * Starts one instance: database, schema, listener, streams, HTTP; the one place where they are wired.
 * @throws StartFault with a sentence for a person when something outside has to be put right first.
 */
export async function startService({ config, logger, times = streamTimes }: ServiceOptions): Promise<Service> {
  const parts: Stoppable[] = [];
  const stopParts = once(async () => {
    for (const part of parts.reverse()) await part.stop();
  });
  try {
    const embedded = config.databaseUrl === undefined ? await startEmbedded(config, logger) : undefined;
    if (embedded) parts.push(embedded);
    const connection: Connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
    await prepareDatabase(connection, logger);

    const metrics = new ServiceMetrics();
    const database = new Database(connection, (error) => logger.warn({ err: error }, 'a database connection was lost'));
    parts.push(database);
    const appender = new Appender({
      append: (batch) => appendDeployments(database.appends, batch),
      isRefusal,
      overload: () =>
        unavailable('Too many posts are waiting for the database; try again later.', { retryAfterSeconds: 1 }),
      onBatch: ({ rows, seconds }) => {
        metrics.batchRows.observe(rows);
        metrics.batchSeconds.observe(seconds);
      },
    });
    parts.push({ stop: () => appender.drained() });
    const deployments = deploymentStream({ queries: database.reads, times, metrics, logger });
    const listener = new Listener({
      connection,
      channels,
      onNotice: (channel) => {
        if (channel === streams.deployments.channel) deployments.wake();
      },
      onAttached: () => {
        metrics.listenerAttached.set(1);
        deployments.wake();
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
    await listener.start();
    deployments.start();

    let stopping = false;
    const app = createApp({
      config,
      logger,
      metrics,
      queries: database.reads,
      appender,
      deployments,
      probes: { queries: database.reads, attached: () => listener.attached, stopping: () => stopping },
    });
    parts.push({ stop: () => app.close() });
    const url = await app.listen({ port: config.port, host: config.host }).catch((error) => {
      throw listenFault(error, config);
    });
    const where = embedded
      ? `embedded PostgreSQL ${embedded.version} in ${embedded.dataDir}`
      : 'the database of DATABASE_URL';
    logger.info({ url, docs: `${url}/docs` }, `ready: open ${url}/docs; data lives in ${where}`);
    return {
      url,
      stop: async () => {
        stopping = true;
        deployments.stop();
        await stopParts();
      },
    };
  } catch (error) {
    await stopParts();
    throw error instanceof StartupFault ? new StartFault(error.message) : error;
  }
}

async function startEmbedded(config: ServiceConfig, logger: Logger): Promise<EmbeddedPostgres> {
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => logger.info(line) });
  embedded.onExit((detail) => {
    logger.fatal(`the embedded database ended by itself (${detail}); ending too, so that a restart brings both back`);
    logger.flush();
    process.exit(1);
  });
  return embedded;
}

async function prepareDatabase(connection: Connection, logger: Logger): Promise<void> {
  const fault = await serverFault(connection);
  if (fault) throw new StartFault(fault);
  const applied = await migrate(connection).catch((error) => {
    const refusal = error instanceof MigrationFault ? error.message : refusalOf(error);
    throw refusal === undefined ? error : new StartFault(refusal);
  });
  if (applied.length > 0) logger.info({ applied }, 'migrated the database');
}

function listenFault(error: NodeJS.ErrnoException, { host, port }: ServiceConfig): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartFault(`Port ${port} on ${host} is taken by another program; stop it, or set PORT to a free one.`);
  }
  if (error.code === 'EACCES')
    return new StartFault(`Port ${port} may not be opened by this user; set PORT to 1024 or above.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartFault(
      `HOST is ${host}, which is no address of this machine; set it to 127.0.0.1, or to 0.0.0.0 for all.`,
    );
  }
  return error;
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
