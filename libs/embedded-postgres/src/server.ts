import type { ChildProcess } from 'node:child_process';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { type Launcher, launch } from './launcher.ts';
import type { LockFile } from './lock.ts';

const fastShutdownMs = 10_000;
const immediateShutdownMs = 5_000;
const logEndBytes = 64 * 1024;

/** A server that runs as a child of this process. */
export interface Server {
  pid: number;
  /** Resolves when the process has ended: "ended by SIGKILL". */
  ended: Promise<string>;
  /** The last fatal line in the server's log without its prefix, or ''. */
  lastError(): Promise<string>;
  logFile: string;
  /** Requests a fast shutdown, then an immediate one, then kills the server. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts postgres and passes the lock to it and to every process that it forks. Does not wait until it is ready.
 * @throws DatabaseStartError if it can't be spawned.
 */
export async function spawnServer(options: {
  dataDir: string;
  lock: LockFile;
  account: Account;
  launcher: Launcher;
  postgres: string;
  settings: Record<string, string>;
}): Promise<Server> {
  const logFile = join(options.dataDir, `${ownPrefix}log`);
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = options.launcher.command(options.postgres, ['-D', options.dataDir, ...settings]);
  const output = await openLog(logFile, options.account);
  const child = launch(command, { output: output.fd, passedFd: options.lock.fd });
  const ended = endOf(child);
  await Promise.all([output.close(), options.lock.close()]);
  const { pid } = child;
  if (pid === undefined) throw new DatabaseStartError(`Can't run ${command.file} (${await ended}). Reinstall it.`);
  endWithThisProcess(child, ended);
  return { pid, ended, logFile, lastError: () => lastError(logFile), stop: () => stop(child, ended) };
}

/** Used on systems without a parent death signal. */
function endWithThisProcess(child: ChildProcess, ended: Promise<string>): void {
  const end = (): void => void child.kill('SIGINT');
  process.once('exit', end);
  void ended.then(() => process.off('exit', end));
}

/**
 * Uses a file, because a server that writes to a pipe blocks while the service is too busy to read. The file must not
 * exist yet: root opens it in another user's folder, where the name could be a link to any file.
 */
async function openLog(logFile: string, account: Account): Promise<FileHandle> {
  await ignoring(['ENOENT'], rename(logFile, `${logFile}.old`));
  const file = await open(logFile, 'wx', 0o600);
  await file.chmod(0o600);
  // A base backup runs as the server's user and must be able to read every file in the folder.
  if (runsAsRoot()) await file.chown(account.uid, account.gid);
  return file;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
}

/** Signals are sent through the child object, because another process may get its pid after it ends. */
async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGINT');
  if (await isWithin(ended, fastShutdownMs)) return;
  child.kill('SIGQUIT');
  if (await isWithin(ended, immediateShutdownMs)) return;
  child.kill('SIGKILL');
  await ended;
}

function isWithin(ended: Promise<string>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, withinMs, false);
  });
  return Promise.race([ended.then(() => true), late]).finally(() => clearTimeout(timer));
}

async function lastError(logFile: string): Promise<string> {
  const text = (await ignoring(['ENOENT'], readEnd(logFile))) ?? '';
  const lines = text.trim().split('\n');
  const fatal = lines.findLast((line) => /\b(?:FATAL|PANIC):/.test(line));
  // A program that fails early writes a single line without a log level.
  const last = lines.findLast((line) => !/\b[A-Z]+: /.test(line)) ?? '';
  return (fatal ?? last).replace(/^.*?\b(?:FATAL|PANIC):\s*/, '');
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - logEndBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Defaults that the caller may change, and settings that the supervisor relies on. log_min_messages "log" ranks above
 * "error", so failed statements don't fill the log, which is not rotated. The supervisor quotes the log in its error
 * messages.
 */
export function serverSettings(
  chosen: Record<string, string>,
  fixed: { clusterName: string; socketDir: string; port: number },
): Record<string, string> {
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...chosen,
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    listen_addresses: '',
    port: String(fixed.port),
    unix_socket_directories: fixed.socketDir,
    unix_socket_permissions: '0700',
    cluster_name: fixed.clusterName,
  };
}
