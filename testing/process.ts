import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryPlace } from './folder.ts';
import { Watchers } from './watchers.ts';

/** Our programs, by the folder that they live in. */
type Program = 'service' | 'demo-driver' | 'mock' | 'ci-emulator' | 'fetcher' | 'relay' | 'demo';

/** Tests run the kit from its sources, benches from what is built of them. */
const kitFolder = import.meta.dirname.replace(/dist$/, '');

function mainPath(program: Program): string {
  return join(kitFolder, '../apps', program, 'dist/main.js');
}

/**
 * Runs in a program first. Whoever started it may be killed and end nothing any more; the channel between them is then
 * closed by the system, and the program stops as on a signal instead of going on for nobody.
 */
const tether = `data:text/javascript,${encodeURIComponent(`
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
`)}`;

/** One of our programs as its own process, from the built files, so that it can be killed. */
export class ProgramProcess {
  readonly child: ChildProcess;
  /** All that it wrote on standard output and standard error. */
  output = '';
  readonly #exited: Promise<number | null>;
  readonly #watchers = new Watchers();

  /** Spawns it with these variables and no other settings, but that it keeps everything; killed when the test is over. */
  static spawn(
    program: Program,
    environment: Readonly<Record<string, string>>,
    options: { nodeArgs?: string[] } = {},
  ): ProgramProcess {
    const started = new ProgramProcess(program, environment, options.nodeArgs);
    onTestFinished(() => started.kill());
    return started;
  }

  /** The same, ended by the caller. */
  static start(
    program: Program,
    environment: Readonly<Record<string, string>>,
    options: { nodeArgs?: string[] } = {},
  ): ProgramProcess {
    return new ProgramProcess(program, environment, options.nodeArgs);
  }

  private constructor(
    program: Program,
    environment: Readonly<Record<string, string>>,
    nodeArgs: readonly string[] = [],
  ) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(process.execPath, [...nodeArgs, '--enable-source-maps', '--import', tether, mainPath(program)], {
      // Many tests post events of long ago: a service removes none of them in the middle of a test, whatever the year.
      env: { PATH, HOME, TMPDIR: temporaryPlace, HISTORY_RETENTION_DAYS: '1000000', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        this.#watchers.changed();
      });
    }
    this.#exited = new Promise((resolve) => this.child.on('close', (code) => resolve(code)));
    void this.#exited.then(() => this.#watchers.changed());
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves with its URL once it says that it is ready; rejects with its output when it ends before. */
  async ready(): Promise<string> {
    const url = () => /"url":"([^"]+)"/.exec(this.output)?.[1];
    await this.until(() => url() !== undefined || !this.running);
    const found = url();
    if (found === undefined) throw new Error(`it ended before it was ready:\n${this.output}`);
    return found;
  }

  until(condition: () => boolean): Promise<void> {
    return this.#watchers.until(condition);
  }

  /** Resolves with the exit code, `null` after a signal. */
  exited(): Promise<number | null> {
    return this.#exited;
  }

  /** SIGKILL, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#exited;
  }

  /** SIGTERM; gives the exit code. */
  terminate(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.#exited;
  }
}
