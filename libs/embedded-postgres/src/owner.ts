import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { ownPrefix } from './contents.ts';
import { DatabaseStartError } from './errors.ts';
import { LockFile } from './lock.ts';
import { isRunning, startMark } from './process-table.ts';

/** The right to run a server on one data directory. */
export interface Owner {
  /** Gives the directory back; a second call does nothing. */
  release(): Promise<void>;
}

/**
 * Claims a data directory for this process, or throws a DatabaseStartError that names the process which has it. The lock
 * decides, wherever that process is; what it has written into the file is only for the sentence.
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

/** The sentence for a data directory that another process works on. */
export function inUse(dataDir: string, who: string): DatabaseStartError {
  return new DatabaseStartError(
    `The data directory ${dataDir} is in use by ${who}: stop that process, or point DATA_DIR at another folder.`,
  );
}

/** Whoever has the lock may not have come to writing yet: then the text is that of an earlier owner, or none. */
function ownerIn(text: string): string {
  const [pid = '', mark = '-', host = ''] = text.split(' ');
  if (isRunning(Number(pid), mark === '-' ? undefined : mark)) return `process ${pid}`;
  const name = host === '' || host === hostname() ? 'a process' : `process ${pid} on ${host}`;
  return `${name} that this one cannot see (in another container?)`;
}
