import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, removeFolder, testFolder } from '@shiplog/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { execute, packageIn, root } from './support/package-in.ts';

/** A user without privileges, if root runs the tests. */
const stranger = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The settings with which this machine reaches the registry. */
const network = Object.fromEntries(
  ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'npm_config_registry'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

let place = '';
let tarball = '';

beforeAll(async () => {
  place = await makeFolder();
  tarball = await packageIn(place);
});

afterAll(() => removeFolder(place));

/** A folder with a space in its name, and an environment in which npm has no configuration and an empty cache. */
async function strangersPlace(): Promise<{ folder: string; env: Record<string, string> }> {
  const folder = join(await testFolder(), 'empty folder');
  await mkdir(folder);
  if (stranger.uid !== undefined) await chown(folder, stranger.uid, stranger.gid);
  const ports = { PORT: '0', DRIVER_PORT: '0', EMULATOR_PORT: '0', FETCHER_PORT: '0' };
  const { PATH = '' } = process.env;
  return {
    folder,
    env: { ...network, PATH, HOME: folder, TMPDIR: folder, npm_config_cache: join(folder, 'cache'), ...ports },
  };
}

/** Resolves when a program has printed this; the program ends with the test. */
function untilSaid(program: ChildProcessByStdio<null, Readable, Readable>, sentence: RegExp): Promise<RegExpExecArray> {
  onTestFinished(() => void program.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (piece: Buffer) => {
      said += piece;
      const found = sentence.exec(said);
      if (found) resolve(found);
    };
    program.stdout.on('data', read);
    program.stderr.on('data', read);
    program.once('close', () => reject(new Error(`The program ended before it printed the expected text:\n${said}`)));
  });
}

test('npx needs only the tarball to start a live board, and SIGTERM to npx stops all programs', async () => {
  const { folder, env } = await strangersPlace();
  const args = ['--yes', '--ignore-scripts', '--package', tarball, '--', 'shiplog', 'demo'];
  const npx = spawn('npx', args, { cwd: folder, env, ...stranger, stdio: ['ignore', 'pipe', 'pipe'] });
  const [, board = ''] = await untilSaid(npx, /Board +(\S+)[\s\S]*ends everything/);
  const page = await fetch(board);
  expect({ status: page.status, text: await page.text() }).toMatchObject({
    status: 200,
    text: expect.stringContaining('<script'),
  });
  const { items } = (await (await fetch(new URL('/api/services', board))).json()) as { items: string[] };
  expect(items.length).toBeGreaterThan(10);
  // Every running process holds the pipes open, so they close when the last process has ended.
  npx.kill('SIGTERM');
  await once(npx, 'close');
  await expect(fetch(board)).rejects.toThrow();
});

test('another user can run the service from a read-only installed package', async () => {
  const { folder, env } = await strangersPlace();
  const installed = await testFolder();
  const install = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--prefix', installed, tarball];
  await execute('npm', install, {
    cwd: installed,
    env: { ...env, HOME: installed, npm_config_cache: join(installed, 'cache') },
  });
  await execute('chmod', ['-R', 'a-w,a+rX', installed]);
  const bin = join(installed, 'node_modules/.bin/shiplog');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  expect((await execute(bin, ['--version'])).stdout.trim()).toBe(version);
  const service = spawn(bin, ['serve'], { cwd: folder, env, ...stranger, stdio: ['ignore', 'pipe', 'pipe'] });
  const [, url = ''] = await untilSaid(service, /"url":"([^"]+)"/);
  for (const path of ['/readyz', '/docs', '/openapi.json', '/'])
    expect((await fetch(new URL(path, url))).status).toBe(200);
  service.kill('SIGTERM');
  const [code] = (await once(service, 'close')) as [number];
  expect(code).toBe(0);
  await chmod(installed, 0o755);
  await execute('chmod', ['-R', 'u+w', installed]);
});
