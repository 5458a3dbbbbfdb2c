import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** The user that runs the programs, because PostgreSQL, PgBouncer and Patroni refuse to run as root. */
export const user = 'postgres';

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The file for the program's output. */
  readonly log: string;
}

/** A system program that runs as the database's user. */
export class Daemon {
  readonly #process: ChildProcess;

  constructor({ command, args, environment, folder, log }: DaemonOptions) {
    const { PATH = '' } = process.env;
    this.#process = spawn(
      'setpriv',
      [`--reuid=${user}`, `--regid=${user}`, '--init-groups', '--pdeathsig=KILL', command, ...args],
      {
        // Use the same working directory as systemd, so that relative paths don't work by accident.
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

  /** Sends a signal and resolves when the program has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
