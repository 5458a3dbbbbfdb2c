import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, testFolder, until } from '@shiplog/testing';
import { onTestFinished, test } from 'vitest';

const program = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync);
if (program === undefined) process.stderr.write('proxy: all tests are skipped: nginx is not on this machine\n');

/** A test that needs nginx. */
export const testBehindNginx = test.skipIf(program === undefined);

const configuration = new URL('../../../deploy/nginx.conf', import.meta.url);

/** nginx with the shipped configuration before two instances; gives its URL. Ended when the test is over. */
export async function startNginx(instances: readonly [port: number, port: number]): Promise<string> {
  const folder = await testFolder();
  const port = await freePort();
  const site = (await readFile(configuration, 'utf8'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${instances[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${instances[1]}`);
  await writeFile(join(folder, 'shiplog.conf'), site);
  await writeFile(join(folder, 'nginx.conf'), surroundings);
  const child = spawn(program ?? '', ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/metrics`).then(
      () => true,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await answers()));
  if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  return url;
}

/** What a system's own nginx.conf has around a site. */
const surroundings = `
daemon off;
worker_processes 2;
pid nginx.pid;
error_log error.log;
events { worker_connections 768; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join('\n  ')}
  gzip on;
  include shiplog.conf;
}
`;
