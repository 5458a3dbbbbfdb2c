import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../../..');
export const execute = promisify(execFile);

/** Makes the package; gives where it is. */
export async function made(): Promise<string> {
  const { stdout } = await execute('npm', ['run', '--silent', 'package'], { cwd: root });
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

/** The same as a copy in a folder, which no later run replaces. */
export async function packageIn(folder: string): Promise<string> {
  const tarball = join(folder, 'shiplog.tgz');
  await copyFile(await made(), tarball);
  return tarball;
}
