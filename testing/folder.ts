import { readFileSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const memory = '/dev/shm';
const memoryBytesMin = 4e9;

/**
 * Where tests put files: in memory where there is enough of it, since most of what a new database server takes is the
 * flushing of its first files. `TMPDIR` names another place.
 */
export const temporaryPlace = process.env.TMPDIR ?? (hasMemory() ? memory : tmpdir());

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    // Some tests start programs that they have put there.
    const forbidsPrograms = / \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'));
    return bavail * bsize >= memoryBytesMin && !forbidsPrograms;
  } catch {
    return false;
  }
}

/** A folder, passable for the user that root hands the database to; removed by the caller. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(temporaryPlace, 'shiplog-test-'));
  await chmod(folder, 0o755);
  return folder;
}

/** A database server whose service was killed may still be writing its last files there. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** A folder for one test; gone when the test is over. */
export async function testFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** A folder for the tests of one file, of whose places it gives the paths; gone afterwards. */
export function fileFolder(): (name: string) => string {
  let folder = '';
  beforeAll(async () => {
    folder = await makeFolder();
  });
  afterAll(() => removeFolder(folder));
  return (name) => join(folder, name);
}
