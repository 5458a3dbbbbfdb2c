import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { LockFile } from './lock.ts';
import { inUse } from './owner.ts';
import { commandLine, isRunning, processesTitled, sendSignal, untilGone } from './process-table.ts';
import { canonicalPath } from './reach.ts';

const fastWithinMs = 5_000;
const immediateWithinMs = 5_000;
const unseenWithinMs = 10_000;
const unseenPollMs = 100;

/**
 * Whether the process in PostgreSQL's lock file is this program's server, another server, or not a server of this
 * directory.
 */
export type Ownership = 'ours' | 'foreign' | 'unrelated';

/**
 * Ends the server that an earlier run left running on a data directory, and returns the lock for the next server. Only
 * the owner of the directory may call it.
 * @throws DatabaseStartError if another program's server runs on it, or the old server does not stop.
 */
export async function replaceStaleServer(options: {
  dataDir: string;
  /** The name of this program's server on this data directory. */
  clusterName: string;
  account: Account;
  log: (line: string) => void;
  signal: AbortSignal | undefined;
}): Promise<LockFile> {
  const { dataDir, clusterName, account } = options;
  const lockFile = join(dataDir, 'postmaster.pid');
  const text = await ignoring(['ENOENT'], readFile(lockFile, 'utf8'));
  if (text !== undefined) await stopNamed(Number.parseInt(text, 10), options);
  // Busy backends outlive a killed server, and a new server refuses to start while they run.
  const backends = processesTitled(`postgres: ${clusterName}: `, account.uid);
  await Promise.all(backends.map((backend) => end(backend, 'SIGQUIT', immediateWithinMs, dataDir)));
  const lock = await lockForServer(options);
  // PostgreSQL respects a lock file while any process has the pid in it, even a zombie or an unrelated process.
  await rm(lockFile, { force: true });
  return lock;
}

/**
 * A server and its children hold the lock. A service that crashed in another container may have left a server that this
 * process can't see. On Linux, such a server ends a moment later.
 */
async function lockForServer(options: Parameters<typeof replaceStaleServer>[0]): Promise<LockFile> {
  const { dataDir, account, log, signal } = options;
  const lock = await LockFile.open(join(dataDir, `${ownPrefix}server-lock`), account);
  try {
    if (await lock.take()) return lock;
    log(`waiting for a database server on ${dataDir} to end; this program can't see it (in another container?)`);
    for (const deadline = performance.now() + unseenWithinMs; performance.now() < deadline; ) {
      await delay(unseenPollMs, undefined, { signal });
      if (await lock.take()) return lock;
    }
    throw inUse(dataDir, "a database server that this program can't see (in another container?)");
  } catch (error) {
    await lock.close();
    throw error;
  }
}

async function stopNamed(pid: number, options: Parameters<typeof replaceStaleServer>[0]): Promise<void> {
  const { dataDir, clusterName, log } = options;
  const ownership = isRunning(pid) ? await ownershipOf(commandLine(pid), dataDir, clusterName) : 'unrelated';
  if (ownership === 'foreign') throw inUse(dataDir, `process ${pid}`);
  if (ownership === 'unrelated') return;
  log(`stopping the database server (process ${pid}) that an earlier run left running on ${dataDir}`);
  await end(pid, 'SIGINT', fastWithinMs, dataDir);
}

/** Returns "foreign" if unsure, because the lock file of a manually started server must not be removed. */
export async function ownershipOf(
  args: string[] | undefined,
  dataDir: string,
  clusterName: string,
): Promise<Ownership> {
  if (args === undefined) return 'foreign';
  const line = args.join(' ');
  // A server's children have titles that begin with "postgres: "; a lock file never names one of them.
  if (!/postgres|postmaster/.test(line) || line.startsWith('postgres: ')) return 'unrelated';
  const folder = args[args.indexOf('-D') + 1];
  const isOnDataDir = args.length > 1 ? folder === dataDir : line.includes(`-D ${dataDir} `);
  if (isOnDataDir) return line.includes(`cluster_name=${clusterName}`) ? 'ours' : 'foreign';
  const elsewhere = args.includes('-D') && folder?.startsWith('/') && (await canonicalPath(folder)) !== dataDir;
  return elsewhere ? 'unrelated' : 'foreign';
}

async function end(pid: number, signal: 'SIGINT' | 'SIGQUIT', withinMs: number, dataDir: string): Promise<void> {
  sendSignal(pid, signal);
  if (await untilGone(pid, withinMs)) return;
  if (signal === 'SIGINT') return end(pid, 'SIGQUIT', immediateWithinMs, dataDir);
  throw new DatabaseStartError(
    `The database server process ${pid}, left running on ${dataDir} by an earlier run, did not stop. End it with kill -QUIT ${pid}, then start again.`,
  );
}
