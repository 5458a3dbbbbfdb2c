import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolder } from './harness/folder.ts';
import type { Outcome } from './harness/outcome.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rounds = 5;

/** P15: the time from `npm start` to ready with an existing database. */
export async function start(): Promise<Outcome> {
  const folder = await openFolder();
  try {
    const seconds: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const time = await startOnce(join(folder, 'data'));
      if (round >= 0) seconds.push(time);
    }
    return {
      figures: [
        { goal: 'P15', title: 'npm start → ready, warm', measured: seconds, unit: 's', reach: { atMost: 1.5 } },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function startOnce(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    let seconds = Number.NaN;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (Number.isNaN(seconds) && output.includes('"url"')) {
        seconds = (performance.now() - startedAt) / 1000;
        child.kill('SIGTERM');
      }
    });
    child.on('close', () =>
      Number.isNaN(seconds) ? reject(new Error(`npm start did not become ready:\n${output}`)) : resolve(seconds),
    );
  });
}
