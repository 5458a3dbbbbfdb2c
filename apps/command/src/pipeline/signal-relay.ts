import type { ChildProcess } from 'node:child_process';

const passed = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
/** What a terminal sends to all that runs in it, the command included. */
const fromTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Passes the signals of this process on to a command. One that a terminal sends has reached the command already, and would
 * reach it twice.
 */
export class SignalRelay {
  /** Resolves with the first signal. */
  readonly first: Promise<NodeJS.Signals>;
  #received: NodeJS.Signals | undefined;
  #take: (signal: NodeJS.Signals) => void = () => undefined;
  readonly #listener = (signal: NodeJS.Signals) => this.#take(signal);

  constructor() {
    this.first = new Promise((resolve) => {
      this.#take = (signal) => {
        this.#received ??= signal;
        resolve(signal);
      };
    });
    for (const name of passed) process.on(name, this.#listener);
  }

  /** The signal that came before there was a command: it is not started then. */
  get received(): NodeJS.Signals | undefined {
    return this.#received;
  }

  passTo(child: ChildProcess): void {
    this.#take = (signal) => {
      if (!(process.stdin.isTTY && fromTerminal.includes(signal))) child.kill(signal);
    };
  }

  /** From now on a signal is not the command's, which is gone. */
  end(stop: () => void): void {
    this.#take = stop;
  }

  close(): void {
    for (const name of passed) process.off(name, this.#listener);
  }
}
