import { readFileSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '@shiplog/embedded-postgres';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const memory = '/dev/shm';
const memoryBytesMin = 4e9;

/**
 * The parent folder for test files. It is in memory if there is enough, because a new database server spends most of
 * its start flushing its first files to disk. `TMPDIR` overrides this.
 */
export const temporaryPlace = process.env.TMPDIR ?? (hasMemory() ? memory : tmpdir());

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    // Some tests run programs from this folder.
    const forbidsPrograms = / \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'));
    return bavail * bsize >= memoryBytesMin && !forbidsPrograms;
  } catch {
    return false;
  }
}

/** A folder that the database's user can enter even if root runs the tests. The caller must remove it. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(temporaryPlace, `shiplog-test-${process.pid}-`));
  await chmod(folder, 0o755);
  return folder;
}

/** Removes the folders of test runs that were killed, which would fill the memory. */
export async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(temporaryPlace);
  const abandoned = names.filter((name) => {
    const [, pid] = /^shiplog-test-(\d+)-/.exec(name) ?? [];
    return pid !== undefined && !isRunning(Number(pid));
  });
  await Promise.all(abandoned.map((name) => removeFolder(join(temporaryPlace, name))));
}

/** Retries, because a database server may still be writing its last files after its service was killed. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** A folder for one test. Removed when the test ends. */
export async function testFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/**
 * Creates a folder for the tests of one file and removes it afterwards. The returned function gives paths in the
 * folder.
 */
export function fileFolder(): (name: string) => string {
  let folder = '';
  beforeAll(async () => {
    folder = await makeFolder();
  });
  afterAll(() => removeFolder(folder));
  return (name) => join(folder, name);
}
