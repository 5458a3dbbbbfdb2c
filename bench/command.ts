import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { endpoints, keyHeaders } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { openFolder } from './harness/folder.ts';
import { postLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { run } from './harness/programs.ts';
import { keys, openStage, type Stage } from './harness/stage.ts';

const rounds = 5;
const starts = 11;
const importedRows = 20_000;
const wrkSeconds = 2;
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The path of the command in the installed package. */
const binary = join(root, 'packaging/dist/package/apps/command/dist/main.js');

/** The command-line tool: the time that it adds to a pipeline, and its import speed. */
export async function command(): Promise<Outcome> {
  await run(process.execPath, [join(root, 'packaging/package.js')]);
  const stage = await openStage();
  const folder = await openFolder();
  try {
    return { figures: [...(await callFigures(stage)), await importFigure(stage, folder)] };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await stage.close();
  }
}

async function callFigures(stage: Stage): Promise<Figure[]> {
  const help: number[] = [];
  const post: number[] = [];
  const told = ['post', '--service', 'pay', '--environment', 'prod', '--status', 'success'];
  for (let round = -1; round < starts; round += 1) {
    const node = await milliseconds(['-e', '0'], stage);
    const helped = await milliseconds([binary, '--help'], stage);
    const fetched = await milliseconds(['--input-type=module', '-e', plainPost(stage, round)], stage);
    const posted = await milliseconds([binary, ...told, '--deployment-id', `bench-${round}`], stage);
    if (round < 0) continue;
    help.push(helped - node);
    post.push(posted - fetched);
  }
  const figure = { goal: 'command', unit: 'ms' };
  return [
    { ...figure, title: 'shiplog --help, in addition to the start of Node', measured: help, reach: { atMost: 100 } },
    {
      ...figure,
      title: 'shiplog post, in addition to Node posting with fetch',
      measured: post,
      reach: { atMost: 150 },
    },
  ];
}

async function importFigure(stage: Stage, folder: string): Promise<Figure> {
  const imported: number[] = [];
  const posted: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const file = join(folder, `${round}.ndjson`);
    await writeRows(file, round);
    const took = await milliseconds([binary, 'import', file], stage);
    const { perSecond } = await postLoad(stage, 8, wrkSeconds);
    if (round < 0) continue;
    imported.push(importedRows / (took / 1000));
    posted.push(perSecond);
  }
  return {
    goal: 'command',
    title: `shiplog import, ${importedRows.toLocaleString('en')} rows, including its start`,
    measured: imported,
    unit: '/s',
    yardstick: { title: 'wrk with 8 connections', measured: posted },
    reach: { atLeast: 0.5 },
  };
}

/** The duration of a process. @throws if it fails */
function milliseconds(args: readonly string[], stage: Stage): Promise<number> {
  const { PATH = '' } = process.env;
  const env = { PATH, SHIPLOG_URL: stage.url, SHIPLOG_API_KEY: keys.api };
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(performance.now() - startedAt);
      else reject(new Error(`${args.join(' ')} exited with ${code}`));
    });
  });
}

/** The source of a program that only posts. */
function plainPost({ url }: Stage, round: number): string {
  const headers = { [keyHeaders.api]: keys.api, 'content-type': 'application/json' };
  const init = JSON.stringify({ method: 'POST', headers, body: JSON.stringify(row(`plain-${round}`, 0)) });
  return `await (await fetch('${url}${endpoints.appendDeployment.path}', ${init})).text();`;
}

function writeRows(path: string, round: number): Promise<void> {
  const rows = (function* () {
    for (let n = 0; n < importedRows; n += 1) yield `${JSON.stringify(row(`import-${round}-${n >> 1}`, n))}\n`;
  })();
  return pipeline(Readable.from(rows), createWriteStream(path));
}

/** Row number n of an import. Rows are one second apart, and each deployment has two. */
function row(deployment_id: string, n: number) {
  return {
    deployment_id,
    service: `service-${(n >> 1) % 100}`,
    environment: `env-${(n >> 1) % 5}`,
    version: '1.2.3',
    status: n % 2 === 0 ? 'in-progress' : 'success',
    happened_at: new Date(Date.now() - (importedRows - n) * 1000).toISOString(),
    run_url: `https://ci.example.com/runs/${n}`,
    actor: `actor-${n % 40}`,
    ref: 'refs/heads/main',
    sha: '0123456789abcdef',
  };
}
