import type { ChildProcess } from 'node:child_process';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError, unless } from './errors.ts';
import { type Launcher, launch } from './launcher.ts';
import type { LockFile } from './lock.ts';

const fastWithinMs = 10_000;
const immediateWithinMs = 5_000;
const logEndBytes = 64 * 1024;

/** A running postgres that is our child. */
export interface Server {
  pid: number;
  /** Resolves when the process has ended, for whatever reason, with how: "ended by SIGKILL". */
  ended: Promise<string>;
  /** The last fatal line that the server has written, without its prefix; empty when there is none. */
  lastWords(): Promise<string>;
  logFile: string;
  /** Ends the server: a fast shutdown, then ever harder. Resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts postgres on a data directory and hands the lock on it over, to it and to every process that it forks. It is not
 * ready yet; throws DatabaseStartError when it cannot even be spawned.
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
  const child = launch(command, { output: output.fd, hand: options.lock.fd });
  const ended = endOf(child);
  await Promise.all([output.close(), options.lock.close()]);
  const { pid } = child;
  if (pid === undefined)
    throw new DatabaseStartError(`${command.file} cannot be run (${await ended}): install it again.`);
  endWithThisProcess(child, ended);
  return { pid, ended, logFile, lastWords: () => lastWords(logFile), stop: () => stop(child, ended) };
}

/** For an exit that forgets stop(), on systems that have no death signal. */
function endWithThisProcess(child: ChildProcess, ended: Promise<string>): void {
  const end = (): void => void child.kill('SIGINT');
  process.once('exit', end);
  void ended.then(() => process.off('exit', end));
}

/**
 * A file and not a pipe: a server must not wait for a service that is too busy to read. It grows by little, for it
 * begins anew with each start and the server is set to write of its own life only, not of failed statements. Never
 * through an existing name: as root we write into another user's folder, where a link could lead anywhere.
 */
async function openLog(logFile: string, account: Account): Promise<FileHandle> {
  await unless(['ENOENT'], rename(logFile, `${logFile}.old`));
  const file = await open(logFile, 'wx', 0o600);
  await file.chmod(0o600);
  // A base backup reads every file of the folder as the server's user.
  if (runsAsRoot()) await file.chown(account.uid, account.gid);
  return file;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
}

/** Through the child and not its pid: after its end the number may be someone else's. */
async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGINT');
  if (await isWithin(ended, fastWithinMs)) return;
  child.kill('SIGQUIT');
  if (await isWithin(ended, immediateWithinMs)) return;
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

/** The log is as long as the server's life, so only its end is read. */
async function lastWords(logFile: string): Promise<string> {
  const text = (await unless(['ENOENT'], readEnd(logFile))) ?? '';
  const lines = text.trim().split('\n');
  const serious = lines.findLast((line) => /\b(?:FATAL|PANIC):/.test(line));
  // A program that fails before it is a server writes one line without a level.
  const last = lines.findLast((line) => !/\b[A-Z]+: /.test(line)) ?? '';
  return (serious ?? last).replace(/^.*?\b(?:FATAL|PANIC):\s*/, '');
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
