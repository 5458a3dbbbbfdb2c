import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { LockFile } from './lock.ts';
import { isRunning, startMark } from './process-table.ts';

/** The right to run a server on one data directory. */
export interface Owner {
  /** A second call does nothing. */
  release(): Promise<void>;
}

/**
 * Claims a data directory for this process. Only the lock decides who owns it; the text in the lock file is for the
 * error message.
 * @throws DatabaseStartError with the process that holds the lock.
 */
export async function claimOwner({ dataDir, account }: { dataDir: string; account: Account }): Promise<Owner> {
  const lock = await LockFile.open(join(dataDir, `${ownPrefix}lock`), account);
  try {
    const text = await lock.read();
    if (!(await lock.take())) throw inUse(dataDir, ownerIn(text));
    const inode = await lock.inode();
    await refuseTornCopy(dataDir, inode, text.split(' ')[3]);
    await lock.write([process.pid, startMark(process.pid) ?? '-', hostname(), inode].join(' '));
  } catch (error) {
    await lock.close();
    throw error;
  }
  return { release: () => lock.close() };
}

/**
 * PostgreSQL would start on a copy that was made while a server was writing, and events could be missing or damaged.
 * Such a copy contains the server's pid file and a lock file with a different inode.
 */
async function refuseTornCopy(dataDir: string, inode: string, inodeOfOwner: string | undefined): Promise<void> {
  if (inodeOfOwner === undefined || inodeOfOwner === inode) return;
  const pidFile = join(dataDir, 'postmaster.pid');
  if ((await ignoring(['ENOENT'], stat(pidFile))) === undefined) return;
  throw new DatabaseStartError(
    `The data directory ${dataDir} was copied while its database server was running, so the copy may be damaged. Copy it again while the service is stopped. If no server ran during the copy, remove ${pidFile} and start again.`,
  );
}

export function inUse(dataDir: string, who: string): DatabaseStartError {
  return new DatabaseStartError(
    `The data directory ${dataDir} is in use by ${who}. Stop that process, or point DATA_DIR at another folder.`,
  );
}

/** If the holder has not written its text yet, the text is empty or from an earlier owner. */
function ownerIn(text: string): string {
  const [pid = '', mark = '-', host = ''] = text.split(' ');
  if (isRunning(Number(pid), mark === '-' ? undefined : mark)) return `process ${pid}`;
  const name = host === '' || host === hostname() ? 'a process' : `process ${pid} on ${host}`;
  return `${name} that this one can't see (in another container?)`;
}
