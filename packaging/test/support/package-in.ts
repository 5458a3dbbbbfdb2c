import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../../..');
export const execute = promisify(execFile);

/** Builds the package as from a shell, without the variables of a test run; returns its path. */
export async function made(): Promise<string> {
  const env = { ...process.env, NODE_ENV: undefined };
  const { stdout } = await execute('npm', ['run', '--silent', 'package'], { cwd: root, env });
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

/** Builds the package and copies it to a folder, so that no later run replaces it. */
export async function packageIn(folder: string): Promise<string> {
  const tarball = join(folder, 'shiplog.tgz');
  await copyFile(await made(), tarball);
  return tarball;
}
