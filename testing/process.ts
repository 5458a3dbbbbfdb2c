import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryPlace } from './folder.ts';
import { Watchers } from './watchers.ts';

/** Our programs, by folder name. */
type Program = 'service' | 'demo-driver' | 'mock' | 'ci-emulator' | 'fetcher' | 'relay' | 'demo';

type Start = [
  program: Program,
  environment: Readonly<Record<string, string>>,
  options?: { readonly nodeArgs?: readonly string[] },
];

/** Tests run the kit from its sources, benchmarks from its build. */
const kitFolder = import.meta.dirname.replace(/dist$/, '');

function mainPath(program: Program): string {
  return join(kitFolder, '../apps', program, 'dist/main.js');
}

/**
 * Runs first in each program. If the parent process is killed, the system closes the channel between the two. The
 * program then stops as on SIGTERM instead of running without a parent.
 */
const tether = `data:text/javascript,${encodeURIComponent(`
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
`)}`;

/** One of our programs as a separate process that runs the built files and can be killed. */
export class ProgramProcess {
  readonly child: ChildProcess;
  /** The text that the program wrote to standard output and standard error. */
  output = '';
  readonly #exited: Promise<number | null>;
  readonly #watchers = new Watchers();

  /** Starts a program with only these settings and unlimited retention; it is killed when the test is over. */
  static spawn(...start: Start): ProgramProcess {
    const started = new ProgramProcess(...start);
    onTestFinished(() => started.kill());
    return started;
  }

  /** Like `spawn`, but the caller ends the program. */
  static start(...start: Start): ProgramProcess {
    return new ProgramProcess(...start);
  }

  private constructor(...[program, environment, { nodeArgs = [] } = {}]: Start) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(process.execPath, [...nodeArgs, '--enable-source-maps', '--import', tether, mainPath(program)], {
      // Many tests post old events, which a service must not remove during a test.
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

  /** Resolves with the program's URL when it logs that it is ready. Rejects with its output if it ends first. */
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

  /** Resolves with the exit code, or `null` if a signal ended the process. */
  exited(): Promise<number | null> {
    return this.#exited;
  }

  /** Sends SIGKILL and resolves when the process has ended. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#exited;
  }

  /** Sends SIGTERM and returns the exit code. */
  terminate(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.#exited;
  }
}
