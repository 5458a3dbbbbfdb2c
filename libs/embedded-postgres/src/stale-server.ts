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

/** Whether the process that the lock file of a data directory names is a server of this program, of somebody else, or no server on it. */
export type Ownership = 'ours' | 'foreign' | 'unrelated';

/**
 * Ends the server that an earlier run has left on a data directory when it crashed, and returns the lock for the next
 * server. Only the owner of the directory may call it. Throws DatabaseStartError when a server runs on it that this
 * program did not start, or when the old one does not end.
 */
export async function replaceStaleServer(options: {
  dataDir: string;
  /** The name that this program gives its server on this data directory, and no other. */
  clusterName: string;
  account: Account;
  log: (line: string) => void;
  signal: AbortSignal | undefined;
}): Promise<LockFile> {
  const { dataDir, clusterName, account } = options;
  const lockFile = join(dataDir, 'postmaster.pid');
  const text = await ignoring(['ENOENT'], readFile(lockFile, 'utf8'));
  if (text !== undefined) await stopNamed(Number.parseInt(text, 10), options);
  // Backends that are computing outlive a killed server, and a new server refuses to start while they run.
  const backends = processesTitled(`postgres: ${clusterName}: `, account.uid);
  await Promise.all(backends.map((backend) => end(backend, 'SIGQUIT', immediateWithinMs, dataDir)));
  const lock = await lockForServer(options);
  // PostgreSQL respects a lock file while any process has its pid, even a zombie or, after a reboot, an unrelated one.
  await rm(lockFile, { force: true });
  return lock;
}

/**
 * The lock that a server and its children hold for as long as one of them lives. A service that crashes in another
 * container leaves a server that is not visible from here; on Linux it ends by itself a moment later.
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

/**
 * Decides by the command line. In doubt the answer is "foreign": somebody may have started the server by hand, perhaps
 * with another spelling of the path, and the lock file that protects it must stay.
 */
export async function ownershipOf(
  args: string[] | undefined,
  dataDir: string,
  clusterName: string,
): Promise<Ownership> {
  if (args === undefined) return 'foreign';
  const line = args.join(' ');
  // Children of a server have titles that begin with "postgres: ", and a lock file never names one of them.
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
    `The database server process ${pid}, left on ${dataDir} by an earlier run, does not end. End it with kill -QUIT ${pid}, then start again.`,
  );
}
