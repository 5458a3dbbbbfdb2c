import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A temporary folder that the database server can access, because the server runs as another user if root starts it.
 */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-bench-'));
  await chmod(folder, 0o755);
  return folder;
}
