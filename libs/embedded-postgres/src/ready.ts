import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseStartError, ignoring } from './errors.ts';
import type { Server } from './server.ts';

const pollMs = 5;
const readyWithinMs = 120_000;
const fullBytes = 1024 * 1024;

/** Settings for node-postgres. */
export interface Connection {
  /** The folder of the server's unix socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  /** The socket carries no TLS, whatever PGSSLMODE says. */
  ssl: false;
}

/**
 * Waits until the server accepts connections, and creates the database when it is absent. Throws DatabaseStartError with
 * the last error of the server when it ends, refuses the connection, or is not ready in time.
 */
export async function untilReady(
  server: Server,
  { dataDir, connection, signal }: { dataDir: string; connection: Connection; signal: AbortSignal | undefined },
): Promise<void> {
  await untilReadyInLockFile(server, dataDir, signal);
  try {
    await ensureDatabase(connection);
  } catch (error) {
    throw new DatabaseStartError(sentence(server, error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

/**
 * Reads the state that the server writes into its lock file. Trying to connect instead would add a line to the log for
 * each attempt while the server recovers from a crash, and hide what it says about the recovery.
 */
async function untilReadyInLockFile(server: Server, dataDir: string, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  let how: string | undefined;
  void server.ended.then((ending) => {
    how = ending;
  });
  while (!(await isReadyInLockFile(server, dataDir))) {
    if (how !== undefined) throw new DatabaseStartError(sentence(server, await reasonFor(server, dataDir, how)));
    if (performance.now() > deadline) {
      throw new DatabaseStartError(sentence(server, `not ready within ${readyWithinMs / 1000} s`));
    }
    signal?.throwIfAborted();
    await Promise.race([server.ended, delay(pollMs)]);
  }
}

/** On a full disk the server cannot write its error to the log either. */
async function reasonFor(server: Server, dataDir: string, how: string): Promise<string> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < fullBytes) return `the disk is full; the server was ${how}`;
  return (await server.lastError()) || `it was ${how}`;
}

/**
 * Line 1 of the lock file is the pid, line 8 the state; a server that ends removes the file. A standby (a base backup can
 * start as one) counts as ready: it accepts connections, and the caller finds out that it is one.
 */
async function isReadyInLockFile(server: Server, dataDir: string): Promise<boolean> {
  const text = await ignoring(['ENOENT'], readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
  const lines = text?.split('\n') ?? [];
  return Number(lines[0]) === server.pid && ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
}

/** Asked in the superuser's database, which every cluster has. The answer also proves that the server takes connections. */
async function ensureDatabase({ database, ...server }: Connection): Promise<void> {
  const limits = { connectionTimeoutMillis: readyWithinMs, query_timeout: readyWithinMs };
  const client = new pg.Client({ ...server, ...limits, database: server.user, application_name: 'shiplog supervisor' });
  // A connection that breaks also rejects the call that waits for it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    // Not awaited: nothing depends on it, and a server that hangs would delay the start without a limit.
    void client.end();
  }
}

function sentence(server: Server, reason: string): string {
  return `The embedded PostgreSQL did not start (${reason}). See its log ${server.logFile}, or point DATA_DIR at a new folder.`;
}
