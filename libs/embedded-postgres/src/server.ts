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

/** A running postgres, a child of this process. */
export interface Server {
  pid: number;
  /** Resolves when the process has ended, with how it ended: "ended by SIGKILL". */
  ended: Promise<string>;
  /** The last fatal line in the log of the server, without its prefix; empty when there is none. */
  lastError(): Promise<string>;
  logFile: string;
  /** Asks for a fast shutdown, then for an immediate one, then kills the server. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts postgres on a data directory and passes the lock on to it and to every process that it forks. Does not wait
 * until it is ready. Throws DatabaseStartError when it cannot be spawned.
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

/** For systems without a parent death signal, when this process exits without calling stop(). */
function endWithThisProcess(child: ChildProcess, ended: Promise<string>): void {
  const end = (): void => void child.kill('SIGINT');
  process.once('exit', end);
  void ended.then(() => process.off('exit', end));
}

/**
 * A file, because a server that writes to a pipe waits while the service is too busy to read. The file stays small: each
 * start begins a new one, and the server logs no failed statements (settings.ts). It is never opened under a name that
 * exists: root writes into the folder of another user here, and the name could be a link to any file.
 */
async function openLog(logFile: string, account: Account): Promise<FileHandle> {
  await ignoring(['ENOENT'], rename(logFile, `${logFile}.old`));
  const file = await open(logFile, 'wx', 0o600);
  await file.chmod(0o600);
  // A base backup reads every file of the folder as the user of the server.
  if (runsAsRoot()) await file.chown(account.uid, account.gid);
  return file;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
}

/** Signals go through the child, because its pid may belong to another process once it has ended. */
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

/** Reads only the end of the log, which grows for as long as the server runs. */
async function lastError(logFile: string): Promise<string> {
  const text = (await ignoring(['ENOENT'], readEnd(logFile))) ?? '';
  const lines = text.trim().split('\n');
  const fatal = lines.findLast((line) => /\b(?:FATAL|PANIC):/.test(line));
  // When the program fails early, before it is a server, it writes one line without a level.
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
