import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseStartError, unless } from './errors.ts';
import type { Server } from './server.ts';
import { openSession } from './wire.ts';

const pollMs = 5;
const readyWithinMs = 120_000;
const fullBytes = 1024 * 1024;

/** Which database has to be there, and where the server is. */
export interface Target {
  dataDir: string;
  socket: string;
  user: string;
  database: string;
}

/**
 * Waits until the server takes work, and creates the database when it is absent. Throws DatabaseStartError with the
 * server's last words when it ends or refuses, or is not ready in time.
 */
export async function untilReady(server: Server, target: Target, signal: AbortSignal | undefined): Promise<void> {
  await untilDeclared(server, target.dataDir, signal);
  try {
    await ensureDatabase(target);
  } catch (error) {
    throw new DatabaseStartError(sentence(server, error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

/**
 * Reads the server's own word in its lock file. Knocking at the socket instead would write a line into the log for
 * each knock while a server recovers from a crash, and bury what it says about that.
 */
async function untilDeclared(server: Server, dataDir: string, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  let how: string | undefined;
  void server.ended.then((ending) => {
    how = ending;
  });
  while (!(await isDeclared(server, dataDir))) {
    if (how !== undefined) throw new DatabaseStartError(sentence(server, await reasonFor(server, dataDir, how)));
    if (performance.now() > deadline) {
      throw new DatabaseStartError(sentence(server, `not ready within ${readyWithinMs / 1000} s`));
    }
    signal?.throwIfAborted();
    await Promise.race([server.ended, delay(pollMs)]);
  }
}

/** On a full disk the server has nowhere to write its reason either. */
async function reasonFor(server: Server, dataDir: string, how: string): Promise<string> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < fullBytes) return `the disk is full, it was ${how}`;
  return (await server.lastWords()) || `it was ${how}`;
}

/**
 * Line 1 of the lock file is the pid, line 8 the state; a server that ends takes the file with it. A standby, as a base
 * backup may be one, answers too: whoever cannot work with it finds out at once.
 */
async function isDeclared(server: Server, dataDir: string): Promise<boolean> {
  const text = await unless(['ENOENT'], readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
  const lines = text?.split('\n') ?? [];
  return Number(lines[0]) === server.pid && ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
}

/** Asked of the database that every cluster has. The answer also proves that the server takes connections. */
async function ensureDatabase({ socket, user, database }: Target): Promise<void> {
  const session = await openSession(socket, { user, database: user, withinMs: readyWithinMs });
  try {
    const known = await session.rowsOf(`SELECT 1 FROM pg_database WHERE datname = ${quoted(database, "'")}`);
    if (known === 0) await session.rowsOf(`CREATE DATABASE ${quoted(database, '"')}`);
  } finally {
    session.close();
  }
}

function sentence(server: Server, reason: string): string {
  return `The embedded PostgreSQL did not start (${reason}): read its log ${server.logFile} and mend that, or point DATA_DIR at a new folder.`;
}

function quoted(name: string, quote: string): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
