import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@shiplog/server';
import { Child } from './child.ts';
import type { Program } from './programs.ts';
import type { Screen } from './screen.ts';

/** The default address of the programs. */
const loopback = '127.0.0.1';
/** When a program dies, its end explains more than the call that fails because of it. It is known within this time. */
const endReportedMs = 1000;

export interface DemoOptions {
  /** Started in this order, stopped in the reverse order. */
  readonly programs: readonly Program[];
  /** The environment of every program, besides its own settings. */
  readonly environment: Readonly<Record<string, string>>;
  readonly screen: Screen;
  /** Called once all are ready; `urls` by the names of the programs. */
  readonly show: (urls: ReadonlyMap<string, string>, folder: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Starts the programs, shows what they can do, and ends them when `signal` is aborted.
 * @throws StartError when a port is taken or a program ends by itself; the other programs are ended too.
 */
export async function runDemo(options: DemoOptions, signal: AbortSignal): Promise<void> {
  await refuseTakenPorts(options.programs);
  const folder = await makeFolder();
  const children: Child[] = [];
  const over = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      const start = (program: Program, settings: Readonly<Record<string, string>>) => {
        const child = new Child(program.name, program.main, { ...options.environment, ...settings });
        children.push(child);
        void child.ended().then(reject);
        return child.url;
      };
      launch(options, { folder, start, signal: over.signal }).catch((error) =>
        delay(endReportedMs, undefined, { signal: over.signal }).then(
          () => reject(error),
          () => undefined,
        ),
      );
    });
  } finally {
    over.abort();
    options.screen.line('Ending.');
    for (const child of children.reverse()) await child.stop();
    // The database server of a program that was killed may still write files.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

interface Launch {
  readonly folder: string;
  /** Resolves with the URL once the program is ready; stays pending if it ends before. */
  readonly start: (program: Program, settings: Readonly<Record<string, string>>) => Promise<string>;
  readonly signal: AbortSignal;
}

async function launch({ programs, screen, show }: DemoOptions, { folder, start, signal }: Launch): Promise<void> {
  const urls = new Map<string, string>();
  for (const program of programs) {
    signal.throwIfAborted();
    screen.progress(`  ${program.name}: starting`);
    const url = await start(program, { ...program.settings({ folder, urls }), PORT: String(program.port) });
    urls.set(program.name, url);
    screen.line(`  ${program.name}: ${url}`);
  }
  await show(urls, folder, signal);
}

/** A new folder for each run: the demo must not touch ./data, and a history that is posted twice is wrong. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-demo-'));
  // Started by root, the database runs as another user, who must enter this folder to reach the data.
  await chmod(folder, 0o711);
  return folder;
}

/** Checked before the start, because the message of a program names its own variable and not the one of the demo. */
async function refuseTakenPorts(programs: readonly Program[]): Promise<void> {
  const sentences: string[] = [];
  for (const { port, portVariable } of programs) {
    if (port === 0 || !(await isTaken(port))) continue;
    sentences.push(`Port ${port} is taken by another program; stop it, or set ${portVariable} to a free one.`);
  }
  if (sentences.length > 0) throw new StartError(sentences.join('\n'));
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'));
    server.listen({ port, host: loopback }, () => server.close(() => resolve(false)));
  });
}
