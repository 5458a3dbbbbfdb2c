import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
/**
 * How long to wait for the exit of a program after a failed call, because the exit code explains more than the failed
 * call.
 */
const endReportedMs = 1000;

export interface DemoOptions {
  /** Started in this order, stopped in the reverse order. */
  readonly programs: readonly Program[];
  /** The environment of every program, in addition to its own settings. */
  readonly environment: Readonly<Record<string, string>>;
  readonly screen: Screen;
  /** Called once all programs are ready; `urls` by program name. */
  readonly show: (urls: ReadonlyMap<string, string>, folder: string, signal: AbortSignal) => Promise<void>;
}

/**
 * Starts the programs, fills them with example data, and stops them when `signal` is aborted.
 * @throws StartError if a port is in use or a program exits; the other programs are stopped too.
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
    // The database server of a killed program may still write files.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

interface Launch {
  readonly folder: string;
  /** Resolves with the URL once the program is ready; stays pending if it ends first. */
  readonly start: (program: Program, settings: Readonly<Record<string, string>>) => Promise<string>;
  readonly signal: AbortSignal;
}

async function launch({ programs, screen, show }: DemoOptions, { folder, start, signal }: Launch): Promise<void> {
  const urls = new Map<string, string>();
  for (const program of programs) {
    signal.throwIfAborted();
    for (const [name, text] of Object.entries(program.files ?? {})) await writeFile(join(folder, name), text);
    screen.progress(`  ${program.name}: starting`);
    const url = await start(program, { ...program.settings({ folder, urls }), PORT: String(program.port) });
    urls.set(program.name, url);
    screen.line(`  ${program.name}: ${url}`);
  }
  await show(urls, folder, signal);
}

/**
 * Each run gets a new folder: the demo must not touch ./data, and posting the history twice would produce wrong data.
 */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-demo-'));
  // If root starts the demo, the database runs as another user, who needs access to this folder.
  await chmod(folder, 0o711);
  return folder;
}

/** Checks the ports before the start, because a program's error would name its own variable, not the demo's. */
async function refuseTakenPorts(programs: readonly Program[]): Promise<void> {
  const sentences: string[] = [];
  for (const { port, portVariable } of programs) {
    if (port === 0 || !(await isTaken(port))) continue;
    sentences.push(`Port ${port} is in use by another program. Stop it, or set ${portVariable} to a free port.`);
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
