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
  /** The folder of the server's Unix socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  /** Set explicitly to override PGSSLMODE. */
  ssl: false;
}

/**
 * Waits until the server accepts connections, and creates the database if it is absent.
 * @throws DatabaseStartError with the server's last error if it ends, refuses the connection, or is not ready in time.
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
 * Trying to connect would log a line per attempt while the server recovers, and these would hide the recovery messages.
 */
async function untilReadyInLockFile(server: Server, dataDir: string, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  let ending: string | undefined;
  void server.ended.then((how) => {
    ending = how;
  });
  while (!(await isReadyInLockFile(server, dataDir))) {
    if (ending !== undefined) throw new DatabaseStartError(sentence(server, await reasonFor(server, dataDir, ending)));
    if (performance.now() > deadline) {
      throw new DatabaseStartError(sentence(server, `not ready within ${readyWithinMs / 1000} s`));
    }
    signal?.throwIfAborted();
    await Promise.race([server.ended, delay(pollMs)]);
  }
}

/** On a full disk the server can't write its error to the log. */
async function reasonFor(server: Server, dataDir: string, ending: string): Promise<string> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < fullBytes) return `the disk is full; the server was ${ending}`;
  return (await server.lastError()) || `it was ${ending}`;
}

/** Line 1 is the pid, and line 8 is the state. A base backup can start as a standby, which also accepts connections. */
async function isReadyInLockFile(server: Server, dataDir: string): Promise<boolean> {
  const text = await ignoring(['ENOENT'], readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
  const lines = text?.split('\n') ?? [];
  return Number(lines[0]) === server.pid && ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
}

/** Connects to the superuser's database, which every cluster has. */
async function ensureDatabase({ database, ...server }: Connection): Promise<void> {
  const limits = { connectionTimeoutMillis: readyWithinMs, query_timeout: readyWithinMs };
  const client = new pg.Client({ ...server, ...limits, database: server.user, application_name: 'shiplog supervisor' });
  // The pending call also rejects when the connection breaks.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    // Not awaited, because a server that hangs would delay the start indefinitely.
    void client.end();
  }
}

function sentence(server: Server, reason: string): string {
  return `The embedded PostgreSQL did not start (${reason}). See its log ${server.logFile}, or point DATA_DIR at a new folder.`;
}
