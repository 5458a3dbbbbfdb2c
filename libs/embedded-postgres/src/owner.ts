import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError } from './errors.ts';
import { LockFile } from './lock.ts';
import { isRunning, startMark } from './process-table.ts';

/** The right to run a server on one data directory. */
export interface Owner {
  /** Releases the directory; a second call does nothing. */
  release(): Promise<void>;
}

/**
 * Claims a data directory for this process, or throws a DatabaseStartError that names the process that has it. Only the
 * lock decides; what its holder has written into the file is for the message.
 */
export async function claimOwner({ dataDir, account }: { dataDir: string; account: Account }): Promise<Owner> {
  const lock = await LockFile.open(join(dataDir, `${ownPrefix}lock`), account);
  try {
    if (!(await lock.take())) throw inUse(dataDir, ownerIn(await lock.read()));
    await lock.write([process.pid, startMark(process.pid) ?? '-', hostname()].join(' '));
  } catch (error) {
    await lock.close();
    throw error;
  }
  return { release: () => lock.close() };
}

/** The error for a data directory that another process uses. */
export function inUse(dataDir: string, who: string): DatabaseStartError {
  return new DatabaseStartError(
    `The data directory ${dataDir} is in use by ${who}: stop that process, or point DATA_DIR at another folder.`,
  );
}

/** The holder of the lock may not have written yet; then the text is that of an earlier owner, or empty. */
function ownerIn(text: string): string {
  const [pid = '', mark = '-', host = ''] = text.split(' ');
  if (isRunning(Number(pid), mark === '-' ? undefined : mark)) return `process ${pid}`;
  const name = host === '' || host === hostname() ? 'a process' : `process ${pid} on ${host}`;
  return `${name} that this one cannot see (in another container?)`;
}
