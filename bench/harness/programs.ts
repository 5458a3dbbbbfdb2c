import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';

/** Thrown if a program that a yardstick needs is not installed. */
export class Absent extends Error {}

const debianPackages: Readonly<Record<string, string>> = {
  pgbench: 'postgresql-contrib',
  wrk: 'wrk',
  haproxy: 'haproxy',
  nginx: 'nginx',
  'ngx_nchan_module.so': 'libnginx-mod-nchan',
  chromium: 'chromium',
};

/** The path of a program or a module. @throws Absent with the name of its Debian package. */
export function requireProgram(name: string): string {
  const path = find(name);
  if (path === undefined) throw new Absent(absence(name));
  return path;
}

/** A sentence (without a full stop) for each program that a benchmark needs but that is not installed. */
export function absences(): string[] {
  return Object.keys(debianPackages)
    .filter((name) => find(name) === undefined)
    .map(absence);
}

function absence(name: string): string {
  return `${name} is not on this machine (Debian: ${debianPackages[name]})`;
}

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/lib/nginx/modules', ...postgresFolders()];
  return folders.map((folder) => `${folder}/${name}`).find((candidate) => existsSync(candidate));
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => `${root}/${version}/bin`) : [];
}

const execute = promisify(execFile);

/** Runs a program and returns its standard output. */
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

/** A version such as `4.1.0`; `absent` if the program is not installed, `unknown` if it doesn't report a version. */
export function versionOf(name: string): string {
  const path = find(name);
  if (path === undefined) return 'absent';
  const ask = name.endsWith('.so')
    ? ['dpkg-query', '-W', '-f', `\${Version}`, debianPackages[name] ?? name]
    : [path, name === 'nginx' ? '-v' : '--version'];
  return /\d+\.[\w.+~-]+/.exec(outputOf(ask))?.[0] ?? 'unknown';
}

/**
 * The output of a command, whatever its exit code. Uses standard error if standard output is empty. Empty if the
 * command can't be started.
 */
export function outputOf([program = '', ...parameters]: readonly string[], folder?: string): string {
  const { stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8', cwd: folder });
  return (stdout || stderr || '').trim();
}
