import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Command, connectCommands, demoCommands, demoUrl, postCommands } from '../src/first-run/commands.ts';

const local = 'http://127.0.0.1:3000';
const remote = "https://log.acme.example/it's";

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as pasted, with a stand-in for each program that prints its arguments and these variables. */
async function pasted(
  commands: readonly Command[],
  name: string,
  { typed = '', env = {} }: { readonly typed?: string; readonly env?: Record<string, string> } = {},
): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'first-run-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const variables = 'GITHUB_|GITLAB_|API_KEY|CONTROL_API_KEY|DASHBOARD_|SHIPLOG_|[A-Z_]*PORT';
  const script = `#!/bin/sh\nprintf '%s\\n' "\${0##*/} $*"\nenv | grep -E '^(${variables})' | sort\n`;
  for (const program of ['npm', 'shiplog', 'curl']) {
    await writeFile(join(folder, program), script);
    await chmod(join(folder, program), 0o755);
  }
  const text = commands.find((command) => command.name === name)?.text ?? '';
  return new Promise((resolve) => {
    const path = `${folder}:/usr/bin:/bin`;
    const child = execFile('sh', ['-c', text], { env: { PATH: path, ...env } }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
    // A shell that stops early doesn't read what was typed.
    child.stdin?.on('error', () => undefined).end(typed);
  });
}

const posts = (baseUrl: string) => postCommands(baseUrl, '2026-05-04T09:12:02.000Z');

test('the fetcher gets the token that was typed in, and the service that shows the page', async () => {
  const github = await pasted(connectCommands(local), 'GitHub', { typed: 'ghp_1\n' });
  expect(github.stdout.split('\n')).toEqual([
    'GitHub token: npm run fetcher',
    'DASHBOARD_API_BASE_URL=http://127.0.0.1:3000',
    'GITHUB_REPOS=*',
    'GITHUB_TOKEN=ghp_1',
    '',
  ]);
  const gitlab = await pasted(connectCommands(local), 'GitLab', { typed: 'glpat-1\nacme\n' });
  expect(gitlab.stdout).toContain('GITLAB_PROJECTS=acme/**\nGITLAB_TOKEN=glpat-1\n');
});

test('away from loopback, where the development key is not valid, the shell asks for the key', async () => {
  for (const [commands, name] of [
    [posts(remote), 'curl'],
    [posts(remote), 'shiplog'],
    [connectCommands(remote), 'GitHub'],
  ] as const) {
    const without = await pasted(commands, name, { typed: 'ghp_1\n' });
    expect(without.stderr).toContain('API_KEY: set it to the key of the service');
    const withKey = await pasted(commands, name, { typed: 'ghp_1\n', env: { API_KEY: 'secret' } });
    expect(withKey.stdout).toMatch(/API_KEY=secret|X-Api-Key: secret/);
    expect(withKey.stdout).toContain(remote);
  }
});

test('on loopback the development key is used unless API_KEY is set', async () => {
  expect((await pasted(posts(local), 'curl')).stdout).toContain('X-Api-Key: dev-api-key');
  expect((await pasted(posts(local), 'curl', { env: { API_KEY: 'own' } })).stdout).toContain('X-Api-Key: own');
  expect((await pasted(posts(local), 'shiplog')).stdout).toContain('SHIPLOG_API_KEY=dev-api-key');
});

test('the demo has another port than the service', async () => {
  expect((await pasted(demoCommands(local), 'npm')).stdout).toBe(
    'npm run demo\nDRIVER_PORT=0\nEMULATOR_PORT=0\nFETCHER_PORT=0\nPORT=3010\n',
  );
  expect(demoUrl('http://127.0.0.1:3010')).toBe('http://127.0.0.1:3020/');
});

test('every script that a command runs exists', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const run = [...connectCommands(local), ...demoCommands(local)].flatMap(
    ({ text }) => text.match(/(?<=npm run )\w+/) ?? [],
  );
  expect(new Set(run)).toEqual(new Set(['fetcher', 'demo']));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(run));
});
