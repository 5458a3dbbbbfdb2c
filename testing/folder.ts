import { readFileSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const memory = '/dev/shm';
const memoryBytesMin = 4e9;

/**
 * The parent folder of the tests' files: in memory if there is enough, because a new database server spends most of its
 * start flushing its first files to disk. `TMPDIR` overrides it.
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

/** A folder that the database's user can enter even if root runs the tests; the caller removes it. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(temporaryPlace, 'shiplog-test-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Retries, because a database server may still be writing its last files after its service was killed. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** A folder for one test, removed when the test is over. */
export async function testFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Makes a folder for the tests of one file, removed afterwards; the returned function gives paths in it. */
export function fileFolder(): (name: string) => string {
  let folder = '';
  beforeAll(async () => {
    folder = await makeFolder();
  });
  afterAll(() => removeFolder(folder));
  return (name) => join(folder, name);
}
