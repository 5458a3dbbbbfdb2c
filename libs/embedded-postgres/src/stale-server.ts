import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { StartupFault, unless } from './fault.ts';
import { inUse } from './owner.ts';
import { commandLine, isRunning, processesTitled, sendSignal, untilGone } from './process-table.ts';
import { canonicalPath } from './reach.ts';

const fastWithinMs = 5_000;
const immediateWithinMs = 5_000;

/** Whose a process is that has the pid which a data directory's lock file names. */
export type Verdict = 'ours' | 'foreign' | 'unrelated';

/**
 * Ends what a predecessor that died has left running on a data directory. To be called by its owner only.
 * Throws StartupFault when a server runs on it that this program did not start, or when the old one does not end.
 */
export async function stopStaleServer(options: {
  dataDir: string;
  /** The name that this program gives its server on this data directory, and no other. */
  clusterName: string;
  account: Account;
  log: (line: string) => void;
}): Promise<void> {
  const { dataDir, clusterName, account } = options;
  const lockFile = join(dataDir, 'postmaster.pid');
  const text = await unless(['ENOENT'], readFile(lockFile, 'utf8'));
  if (text !== undefined) await stopNamed(Number.parseInt(text, 10), options);
  // Backends outlive a killed server while they compute, and a new server refuses to start beside them.
  const left = processesTitled(`postgres: ${clusterName}: `, account.uid);
  await Promise.all(left.map((backend) => end(backend, 'SIGQUIT', immediateWithinMs, dataDir)));
  // PostgreSQL believes a lock file as long as any process has its pid: a zombie, or a stranger after a restart.
  await rm(lockFile, { force: true });
}

async function stopNamed(pid: number, options: Parameters<typeof stopStaleServer>[0]): Promise<void> {
  const { dataDir, clusterName, log } = options;
  const verdict = isRunning(pid) ? await judge(commandLine(pid), dataDir, clusterName) : 'unrelated';
  if (verdict === 'foreign') throw inUse(dataDir, pid);
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
  throw new StartupFault(
    `An earlier run left the database server process ${pid} on ${dataDir} and it does not end: end it with kill -QUIT ${pid} and start again.`,
  );
}
