import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StartError, type Stoppable } from '@shiplog/server';

/** The programs need at most 10 s to stop. */
const stopMs = 12_000;
const linesKept = 8;

/**
 * Runs in the child before the program and stops it when the launcher dies: the system closes the IPC channel even if
 * the launcher is killed. The alternatives are worse: reading a pipe on standard input would need code in the programs,
 * and watching the parent's pid would need polling. Without unref, the channel would keep an idle program running.
 */
const stopWithLauncher = `data:text/javascript,${encodeURIComponent(`
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
`)}`;

/** A program that runs as a child process. */
export class Child implements Stoppable {
  readonly name: string;
  readonly #process: ChildProcess;
  readonly #closed: Promise<string>;
  readonly #lastLines: string[] = [];
  /** The address in the ready line; stays pending if the program ends first. */
  readonly url: Promise<string>;
  #ready = false;

  constructor(name: string, main: string, environment: Readonly<Record<string, string>>) {
    this.name = name;
    this.#process = spawn(process.execPath, ['--enable-source-maps', '--import', stopWithLauncher, main], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C reaches every process in the terminal's group. In separate groups, the demo can stop them in order.
      detached: true,
    });
    this.#closed = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(`could not be started (${error.message})`));
      this.#process.once('close', (code, signal) =>
        resolve(signal ? `was terminated by ${signal}` : `exited with ${code}`),
      );
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

  /** Resolves when the program has ended, with an error for the user. */
  async ended(): Promise<StartError> {
    const how = await this.#closed;
    const when = this.#ready ? '' : ' before it was ready';
    const last = this.#lastLines.map((line) => `\n  ${line}`).join('');
    return new StartError(`The ${this.name} ${how}${when}. ${last ? `Last output:${last}` : 'It printed nothing.'}`);
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

/** The text of a log line; for the ready line also the URL. */
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
