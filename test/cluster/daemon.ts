import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Who runs the programs: PostgreSQL, PgBouncer and Patroni refuse root. */
export const user = 'postgres';

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Where what it writes goes. */
  readonly log: string;
}

/** A program of the system, run as the database's user. */
export class Daemon {
  readonly #process: ChildProcess;

  constructor({ command, args, environment, folder, log }: DaemonOptions) {
    const { PATH = '' } = process.env;
    this.#process = spawn(
      'setpriv',
      [`--reuid=${user}`, `--regid=${user}`, '--init-groups', '--pdeathsig=KILL', command, ...args],
      {
        // As systemd starts it, so that relative paths lead nowhere.
        cwd: '/',
        env: { PATH: `${PATH}:/usr/sbin`, HOME: folder, LANG: 'C.UTF-8', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const file = createWriteStream(log, { flags: 'a' });
    for (const stream of [this.#process.stdout, this.#process.stderr]) stream?.pipe(file, { end: false });
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Resolves when it has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
