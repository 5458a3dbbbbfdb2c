import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** A folder, passable for the user that root hands the database to; removed by the caller. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-test-'));
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
