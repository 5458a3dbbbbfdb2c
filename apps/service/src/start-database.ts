import { type EmbeddedPostgres, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { StartError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.ts';
import { connectionWarning } from './db/connection-room.ts';
import type { Queries } from './db/connections.ts';
import { connectionsMax, Database } from './db/database.ts';
import { type DatabaseAddress, databaseAddress } from './db/database-url.ts';
import { MigrationError, migrate } from './db/migrate.ts';
import { databaseProblemText, serverProblem, urlFault } from './db/server-check.ts';
import { type ServerChange, Servers } from './db/servers.ts';
import { standbyConnectionsMax } from './db/standby.ts';
import { Standbys, type StandbysOptions } from './db/standbys.ts';
import { hostName, hostUrls } from './domain/host-urls.ts';
import type { PartOptions } from './times.ts';

/** If the server exits more often within a minute, restarting it won't help. */
const restartsPerMinute = 3;

export interface StartedDatabase {
  readonly servers: Servers;
  readonly database: Database;
  readonly standbys: Standbys;
  /** The location of the data, for messages. */
  readonly location: string;
}

/**
 * Starts the embedded server or uses the server of `DATABASE_URL`, checks it, migrates it and opens its pools. Adds
 * everything that must be stopped later to `parts`, even if a later step fails.
 * @throws StartError for anything that the user must correct.
 */
export async function startDatabase(options: PartOptions, parts: Stoppable[]): Promise<StartedDatabase> {
  const { config, logger, signal } = options;
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, logger, signal) : undefined;
  if (embedded) parts.push(embedded);
  const { connections, notice }: DatabaseAddress = embedded
    ? { connections: [embedded.connection] }
    : databaseAddress(config.databaseUrl ?? '');
  if (notice) logger.info(notice);
  const servers = new Servers(connections, serverLogger(config, logger));
  parts.push(servers);
  await servers.start();
  const { connection } = servers;
  const problem = await serverProblem(connection, signal);
  if (problem) throw new StartError(problem);
  const applied = await inSentences(migrate(connection, { log: (line) => logger.info(line), signal }));
  if (applied.length > 0) logger.info({ applied }, 'migrated the database');
  const database = new Database(servers, (error) => logger.warn({ err: error }, 'a database connection was lost'));
  parts.push(database);
  await inSentences(warnOfRoom(database.appends, connectionsMax, logger));
  // Open the connection for readiness before readers take the last connections of the server.
  await inSentences(database.answers());
  const standbys = await startStandbys(options, database.reads, parts);
  const location = embedded
    ? `embedded PostgreSQL ${embedded.version} in ${embedded.dataDir}`
    : 'the database of DATABASE_URL';
  return { servers, database, standbys, location };
}

function serverLogger({ databaseUrl = '' }: ServiceConfig, logger: Logger): (change: ServerChange) => void {
  return ({ kind, host, timeline }) => {
    const server = hostName(hostUrls(databaseUrl)[host] ?? '');
    logger.warn({ server, timeline }, sentences[kind]);
  };
}

const sentences: Readonly<Record<ServerChange['kind'], string>> = {
  moved: 'another server of DATABASE_URL became the primary; posts, reads and streams continue there',
  superseded:
    'a server of DATABASE_URL accepts connections as a primary although another server has replaced it; no instance uses it; stop it, or make it a standby',
};

async function startEmbedded(
  { dataDir }: ServiceConfig,
  logger: Logger,
  signal: AbortSignal | undefined,
): Promise<EmbeddedPostgres> {
  const log = (line: string) => logger.info(line);
  const embedded = await startEmbeddedPostgres({ dataDir, signal, restartsPerMinute, log });
  embedded.onRestart((detail) => {
    logger.error(`the embedded database exited unexpectedly (${detail}); restarting it`);
  });
  embedded.onExit((detail) => {
    logger.fatal(
      `the embedded database exited unexpectedly (${detail}); exiting too, so that a restart brings both back`,
    );
    process.exit(1);
  });
  return embedded;
}

/** Probes each standby once. A standby that does not respond is skipped until it does. A different log is an error. */
async function startStandbys(
  { config: { readDatabaseUrl }, logger, metrics, times }: PartOptions,
  primary: Queries,
  parts: Stoppable[],
): Promise<Standbys> {
  const servers = readDatabaseUrl === undefined ? [] : serversOf(readDatabaseUrl, logger);
  const standbys = new Standbys({ servers, primary, times, metrics, logger });
  parts.push(standbys);
  await Promise.all(
    standbys.all.map(async (standby) => {
      const unfit = await standby.start();
      if (unfit === 'other-log') {
        throw new StartError(
          `READ_DATABASE_URL points to a server that isn't a standby of DATABASE_URL (${standby.name} has a different log). Name its standbys, or remove READ_DATABASE_URL.`,
        );
      }
      if (!unfit) await warnOfRoom(standby.probes, standbyConnectionsMax, logger).catch(() => undefined);
    }),
  );
  return standbys;
}

/** @throws StartError for a URL that the driver can't parse. */
function serversOf(url: string, logger: Logger): StandbysOptions['servers'] {
  const { connections, notice } = databaseAddress(url, 'READ_DATABASE_URL');
  if (notice) logger.info(notice);
  const names = hostUrls(url).map(hostName);
  return connections.map((connection, index) => {
    const fault = urlFault(connection, 'READ_DATABASE_URL');
    if (fault) throw new StartError(fault);
    return { name: names[index] ?? '', connection };
  });
}

/** Runs on the first connection, which stays open afterwards. */
async function warnOfRoom(queries: Queries, needed: number, logger: Logger): Promise<void> {
  const room = await connectionWarning(queries, needed);
  if (room) logger.warn(room);
}

/** Converts a database error at the start to a message for the user. */
export async function inSentences<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    const sentence = error instanceof MigrationError ? error.message : databaseProblemText(error);
    throw sentence === undefined ? error : new StartError(sentence, { cause: error });
  }
}
