import type { ChildProcess } from 'node:child_process';
import { GroupWitness } from './group-witness.ts';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** Forwards signals of this process to a command, except those that the command also got. */
export class SignalRelay {
  readonly first: Promise<NodeJS.Signals>;
  readonly #names: readonly NodeJS.Signals[];
  readonly #witness: GroupWitness;
  #received: NodeJS.Signals | undefined;
  #handle: (signal: NodeJS.Signals) => void = () => undefined;
  readonly #listener = (signal: NodeJS.Signals) => this.#handle(signal);

  /** @param ignored signals that the command ignores, like this process. */
  constructor(ignored: readonly NodeJS.Signals[]) {
    this.#witness = new GroupWitness(ignored);
    this.#names = forwarded.filter((name) => !ignored.includes(name));
    this.first = new Promise((resolve) => {
      this.#handle = (signal) => {
        this.#received ??= signal;
        resolve(signal);
      };
    });
    for (const name of this.#names) process.on(name, this.#listener);
  }

  /** The signal that arrived before the command started, if any. In that case the command is not started. */
  get received(): NodeJS.Signals | undefined {
    return this.#received;
  }

  /** Resolves when signals of the group can be told from others. */
  ready(): Promise<void> {
    return this.#witness.ready();
  }

  passTo(child: ChildProcess): void {
    this.#handle = (signal) => {
      void this.#witness.hasGroupGot(signal).then((isDelivered) => isDelivered || child.kill(signal));
    };
  }

  end(stop: () => void): void {
    this.#handle = stop;
  }

  close(): void {
    for (const name of this.#names) process.off(name, this.#listener);
    this.#witness.close();
  }
}
