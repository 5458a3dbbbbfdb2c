import { type EmbeddedPostgres, startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { StartError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.ts';
import { connectionWarning } from './db/connection-room.ts';
import { type Connection, Database, type Queries } from './db/database.ts';
import { type Way, wayOf } from './db/database-url.ts';
import { durabilityWarnings } from './db/durability.ts';
import { MigrationError, migrate } from './db/migrate.ts';
import { sentenceOf, serverProblem } from './db/server-check.ts';

export interface StartDatabaseOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
}

export interface StartedDatabase {
  readonly connection: Connection;
  readonly database: Database;
  /** Where the data is, for people. */
  readonly place: string;
}

/**
 * Starts the embedded server or takes that of `DATABASE_URL`, checks it, migrates it and opens its pools. What has been
 * started is added to `parts`, also where a later step fails.
 * @throws StartError with a sentence for people when something outside must be corrected first.
 */
export async function startDatabase(
  { config, logger, signal }: StartDatabaseOptions,
  parts: Stoppable[],
): Promise<StartedDatabase> {
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, logger, signal) : undefined;
  if (embedded) parts.push(embedded);
  const { connection, notice }: Way = embedded ?? wayOf(config.databaseUrl ?? '');
  if (notice) logger.info(notice);
  const problem = await serverProblem(connection, signal);
  if (problem) throw new StartError(problem);
  const applied = await inSentences(migrate(connection, { log: (line) => logger.info(line), signal }));
  if (applied.length > 0) logger.info({ applied }, 'migrated the database');
  const database = new Database(connection, (error) => logger.warn({ err: error }, 'a database connection was lost'));
  parts.push(database);
  await inSentences(warnOfServer(database.appends, logger));
  const place = embedded
    ? `embedded PostgreSQL ${embedded.version} in ${embedded.dataDir}`
    : 'the database of DATABASE_URL';
  return { connection, database, place };
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

/** The first queries on the connection of appends, which stays open from then on. */
async function warnOfServer(appends: Queries, logger: Logger): Promise<void> {
  const room = await connectionWarning(appends);
  for (const warning of [...(room ? [room] : []), ...(await durabilityWarnings(appends))]) logger.warn(warning);
}

/** Turns an error of the database at the start into a sentence that says what to do. */
export async function inSentences<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    const sentence = error instanceof MigrationError ? error.message : sentenceOf(error);
    throw sentence === undefined ? error : new StartError(sentence, { cause: error });
  }
}
