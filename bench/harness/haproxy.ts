import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { haproxyConfiguration } from '@shiplog/testing/haproxy';
import { freePort } from '@shiplog/testing/ports';
import { openFolder } from './folder.ts';
import { requireProgram } from './programs.ts';

const answerWithinMs = 10_000;
/** Each connection needs two of the 20,000 file descriptors of the process. */
const connections = 9000;

export interface Haproxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts HAProxy with the shipped configuration in front of these ports. @throws Absent if it is not installed */
export async function startHaproxy(instances: readonly number[]): Promise<Haproxy> {
  const program = requireProgram('haproxy');
  const folder = await openFolder();
  const plainPort = await freePort();
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, await haproxyConfiguration({ instances, plainPort, connections }));
  const child = spawn(program, ['-f', path], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${plainPort}`;
  const givenUpAt = performance.now() + answerWithinMs;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > givenUpAt) {
      await close();
      throw new Error('HAProxy does not answer');
    }
    await sleep(20);
  }
  return { url, close };
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}
