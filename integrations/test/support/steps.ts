import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder, testKeys } from '@shiplog/testing';
import { parseAllDocuments } from 'yaml';
import { testMock } from '../../../apps/mock/test/support/mock.ts';

export const folder = join(import.meta.dirname, '../..');
export const script = join(folder, 'shiplog-post.sh');

/** The programs that the script uses, except `sleep`. */
export const scriptPrograms = [
  'sh',
  'od',
  'awk',
  'sed',
  'tr',
  'cut',
  'tail',
  'grep',
  'mktemp',
  'rm',
  'cat',
  'date',
  'dirname',
  'curl',
];

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with only these environment variables and PATH. */
export function run(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  return new Promise((resolve) => {
    const child = execFile(file, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(child.exitCode ?? -1) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Posts with the script and the key of the mock. */
export function post(url: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return run('sh', [script, ...args], { SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api, ...environment });
}

/** Whether a program is installed. */
export function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** A mock with an empty log, stopped after the test. */
export async function emptyMock() {
  const mock = await testMock();
  await mock.post('/_mock/demo', { enabled: false });
  return { url: mock.url, events: () => mock.events() };
}

/** A PATH with only these installed programs and these scripts. */
export async function pathWith(
  programs: readonly string[],
  scripts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const place = await testFolder();
  for (const program of programs) {
    const found = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
    if (found) await symlink(found, join(place, program));
  }
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(place, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(place, name), 0o755);
  }
  return place;
}

/** The documents in a YAML file of a tool. */
export function documentsOf(path: string): unknown[] {
  return parseAllDocuments(readFileSync(join(folder, path), 'utf8')).map((document) => document.toJS());
}
