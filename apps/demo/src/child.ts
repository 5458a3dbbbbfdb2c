import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StartError, type Stoppable } from '@shiplog/server';

/** The programs give themselves 10 s to stop. */
const stopMs = 12_000;
const linesKept = 8;

/**
 * Runs in the child before the program. A launcher that is killed can stop nobody, so each child holds on to it by the
 * IPC channel: the system closes that with the launcher, however it ended, and the child stops as on a signal. It asks
 * nothing of the programs; a pipe on their standard input would have to be read by each, and watching the parent's pid
 * means polling. Without unref, the channel would keep a program running that has nothing to do.
 */
const tether = `data:text/javascript,${encodeURIComponent(`
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
`)}`;

/** One program as a process of its own. */
export class Child implements Stoppable {
  readonly name: string;
  readonly #process: ChildProcess;
  readonly #closed: Promise<string>;
  readonly #lastLines: string[] = [];
  /** Where it listens, once it says so; pending for ever where it ends before. */
  readonly url: Promise<string>;
  #ready = false;

  constructor(name: string, main: string, environment: Readonly<Record<string, string>>) {
    this.name = name;
    this.#process = spawn(process.execPath, ['--enable-source-maps', '--import', tether, main], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C reaches every process of the terminal's group: out of it, the programs are stopped by us and in order.
      detached: true,
    });
    this.#closed = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(`could not be started (${error.message})`));
      this.#process.once('close', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`));
    });
    this.url = new Promise((resolve) => {
      const onUrl = (url: string) => {
        this.#ready = true;
        resolve(url);
      };
      this.#readLines(this.#process.stdout, onUrl);
      this.#readLines(this.#process.stderr, onUrl);
    });
  }

  /** Resolves when it has ended, with what a person has to know of it. */
  async ended(): Promise<StartError> {
    const how = await this.#closed;
    const when = this.#ready ? '' : ' before it was ready';
    const last = this.#lastLines.map((line) => `\n  ${line}`).join('');
    return new StartError(`The ${this.name} ${how}${when}. ${last ? `Its last lines:${last}` : 'It said nothing.'}`);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    const force = setTimeout(() => this.#process.kill('SIGKILL'), stopMs);
    await this.#closed;
    clearTimeout(force);
  }

  #readLines(stream: Readable | null, onUrl: (url: string) => void): void {
    if (!stream) return;
    createInterface({ input: stream }).on('line', (line) => {
      const { text, url } = readLogLine(line);
      if (url !== undefined) onUrl(url);
      if (text.trim() === '') return;
      this.#lastLines.push(text);
      if (this.#lastLines.length > linesKept) this.#lastLines.shift();
    });
  }
}

/** A line of a program's log: what it says, and, where it is the one that says that it is ready, the URL. */
export function readLogLine(line: string): { readonly text: string; readonly url?: string } {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    return { text: line };
  }
  if (typeof fields !== 'object' || fields === null) return { text: line };
  const { msg, url, err } = fields as { msg?: unknown; url?: unknown; err?: { message?: unknown } };
  const cause = typeof err?.message === 'string' ? `: ${err.message}` : '';
  return {
    text: typeof msg === 'string' ? `${msg}${cause}` : line,
    ...(typeof url === 'string' ? { url } : {}),
  };
}
