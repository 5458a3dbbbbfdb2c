import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';

/** A program that a yardstick needs and that is not on the machine. */
export class Absent extends Error {}

const debianPackages: Readonly<Record<string, string>> = {
  pgbench: 'postgresql-contrib',
  wrk: 'wrk',
  nginx: 'nginx, libnginx-mod-nchan',
};

/** @throws Absent with the Debian package that has it. */
export function requireProgram(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', ...postgresFolders()];
  const path = folders.map((folder) => `${folder}/${name}`).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Absent(`${name} is not on this machine (Debian: ${debianPackages[name]})`);
  return path;
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => `${root}/${version}/bin`) : [];
}

const execute = promisify(execFile);

/** Runs a program to its end and gives its standard output. */
export async function run(
  program: string,
  parameters: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await execute(program, parameters, {
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

export function versionOf(name: string): string {
  try {
    return execFileSync(requireProgram(name), [name === 'nginx' ? '-v' : '--version'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .toString()
      .split('\n', 1)
      .join('')
      .trim();
  } catch (error) {
    // wrk prints its version and usage with exit code 1.
    const { stdout } = error as { stdout?: Buffer };
    return stdout?.toString().split('\n', 1)[0]?.trim() || 'absent';
  }
}
