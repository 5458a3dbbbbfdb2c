import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError, unless } from './errors.ts';
import { LockFile } from './lock.ts';
import { inUse } from './owner.ts';
import { commandLine, isRunning, processesTitled, sendSignal, untilGone } from './process-table.ts';
import { canonicalPath } from './reach.ts';

const fastWithinMs = 5_000;
const immediateWithinMs = 5_000;
const unseenWithinMs = 10_000;
const unseenPollMs = 100;

/** Whose a process is that has the pid which a data directory's lock file names. */
export type Verdict = 'ours' | 'foreign' | 'unrelated';

/**
 * Ends what a predecessor that died has left running on a data directory, and gives the lock for the server that comes
 * next. To be called by the owner of the directory only. Throws DatabaseStartError when a server runs on it that this program
 * did not start, or when the old one does not end.
 */
export async function succeedStaleServer(options: {
  dataDir: string;
  /** The name that this program gives its server on this data directory, and no other. */
  clusterName: string;
  account: Account;
  log: (line: string) => void;
  signal: AbortSignal | undefined;
}): Promise<LockFile> {
  const { dataDir, clusterName, account } = options;
  const lockFile = join(dataDir, 'postmaster.pid');
  const text = await unless(['ENOENT'], readFile(lockFile, 'utf8'));
  if (text !== undefined) await stopNamed(Number.parseInt(text, 10), options);
  // Backends outlive a killed server while they compute, and a new server refuses to start beside them.
  const left = processesTitled(`postgres: ${clusterName}: `, account.uid);
  await Promise.all(left.map((backend) => end(backend, 'SIGQUIT', immediateWithinMs, dataDir)));
  const lock = await lockForServer(options);
  // PostgreSQL believes a lock file as long as any process has its pid: a zombie, or a stranger after a restart.
  await rm(lockFile, { force: true });
  return lock;
}

/**
 * The lock that a server and its children have for as long as one of them lives. A service that dies in another
 * container leaves a server that is not seen from here; on Linux it ends by itself a moment later.
 */
async function lockForServer(options: Parameters<typeof succeedStaleServer>[0]): Promise<LockFile> {
  const { dataDir, account, log, signal } = options;
  const lock = await LockFile.open(join(dataDir, `${ownPrefix}server-lock`), account);
  try {
    if (await lock.take()) return lock;
    log(`waiting for a database server that this program cannot see (in another container?) to end on ${dataDir}`);
    for (const deadline = performance.now() + unseenWithinMs; performance.now() < deadline; ) {
      await delay(unseenPollMs, undefined, { signal });
      if (await lock.take()) return lock;
    }
    throw inUse(dataDir, 'a database server that this program cannot see (in another container?)');
  } catch (error) {
    await lock.close();
    throw error;
  }
}

async function stopNamed(pid: number, options: Parameters<typeof succeedStaleServer>[0]): Promise<void> {
  const { dataDir, clusterName, log } = options;
  const verdict = isRunning(pid) ? await judge(commandLine(pid), dataDir, clusterName) : 'unrelated';
  if (verdict === 'foreign') throw inUse(dataDir, `process ${pid}`);
  if (verdict === 'unrelated') return;
  log(`stopping the database server (process ${pid}) that an earlier run left on ${dataDir}`);
  await end(pid, 'SIGINT', fastWithinMs, dataDir);
}

/**
 * What a command line says about its process. The default is "foreign": a server started by hand, perhaps with
 * another spelling of the path, is somebody's work, and the lock file that protects it must stay.
 */
export async function judge(args: string[] | undefined, dataDir: string, clusterName: string): Promise<Verdict> {
  if (args === undefined) return 'foreign';
  const line = args.join(' ');
  // Children of a server call themselves so, and a lock file never names one of these.
  if (!/postgres|postmaster/.test(line) || line.startsWith('postgres: ')) return 'unrelated';
  const named = args[args.indexOf('-D') + 1];
  const names = args.length > 1 ? named === dataDir : line.includes(`-D ${dataDir} `);
  if (names) return line.includes(`cluster_name=${clusterName}`) ? 'ours' : 'foreign';
  const elsewhere = args.includes('-D') && named?.startsWith('/') && (await canonicalPath(named)) !== dataDir;
  return elsewhere ? 'unrelated' : 'foreign';
}

async function end(pid: number, signal: 'SIGINT' | 'SIGQUIT', withinMs: number, dataDir: string): Promise<void> {
  sendSignal(pid, signal);
  if (await untilGone(pid, withinMs)) return;
  if (signal === 'SIGINT') return end(pid, 'SIGQUIT', immediateWithinMs, dataDir);
  throw new DatabaseStartError(
    `An earlier run left the database server process ${pid} on ${dataDir} and it does not end: end it with kill -QUIT ${pid} and start again.`,
  );
}
