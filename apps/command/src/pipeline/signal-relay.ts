import type { ChildProcess } from 'node:child_process';
import { GroupWitness } from './group-witness.ts';

const passed = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** Passes the signals of this process on to a command, but for those that the command got itself. */
export class SignalRelay {
  /** Resolves with the first signal. */
  readonly first: Promise<NodeJS.Signals>;
  readonly #names: readonly NodeJS.Signals[];
  readonly #witness: GroupWitness;
  #received: NodeJS.Signals | undefined;
  #take: (signal: NodeJS.Signals) => void = () => undefined;
  readonly #listener = (signal: NodeJS.Signals) => this.#take(signal);

  /** @param ignored those that the command ignores, as this process does. */
  constructor(ignored: readonly NodeJS.Signals[]) {
    this.#witness = new GroupWitness(ignored);
    this.#names = passed.filter((name) => !ignored.includes(name));
    this.first = new Promise((resolve) => {
      this.#take = (signal) => {
        this.#received ??= signal;
        resolve(signal);
      };
    });
    for (const name of this.#names) process.on(name, this.#listener);
  }

  /** The signal that came before there was a command: it is not started then. */
  get received(): NodeJS.Signals | undefined {
    return this.#received;
  }

  passTo(child: ChildProcess): void {
    this.#take = (signal) => {
      void this.#witness.hasGroupGot(signal).then((isDelivered) => isDelivered || child.kill(signal));
    };
  }

  /** From now on a signal is not the command's, which is gone. */
  end(stop: () => void): void {
    this.#take = stop;
  }

  close(): void {
    for (const name of this.#names) process.off(name, this.#listener);
    this.#witness.close();
  }
}
