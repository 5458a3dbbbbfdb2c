import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Tells whether a signal went to the whole process group (from a terminal or `kill -- -pgid`), so that the command
 * received it too, or only to this process. Node doesn't report the sender. Standard input doesn't tell either: a
 * terminal also signals a command that reads a file, and a process with a terminal can be signalled by its id. So this
 * class starts a cat process in the same group. A signal to the group ends cat; otherwise cat still echoes. When this
 * process ends, cat ends too.
 */
export class GroupWitness {
  readonly #ignored: readonly NodeJS.Signals[];
  #cat: ChildProcess;
  #asked: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param ignored signals that must not end the witness. */
  constructor(ignored: readonly NodeJS.Signals[]) {
    this.#ignored = ignored;
    this.#cat = catIgnoring(ignored);
  }

  /** Whether the whole group received the latest signal. Calls must not overlap. */
  hasGroupGot(signal: NodeJS.Signals): Promise<boolean> {
    const answer = this.#asked.then(() => this.#ask(signal));
    this.#asked = answer;
    return answer;
  }

  close(): void {
    this.#isClosed = true;
    this.#cat.kill('SIGKILL');
  }

  async #ask(signal: NodeJS.Signals): Promise<boolean> {
    const witness = this.#cat;
    const hasEnded = () => witness.pid === undefined || witness.exitCode !== null || witness.signalCode !== null;
    if (!hasEnded()) {
      await new Promise<void>((resolve) => {
        witness.once('exit', () => resolve());
        witness.stdout?.once('data', () => resolve());
        witness.stdin?.write('.');
      });
      witness.removeAllListeners('exit');
      witness.stdout?.removeAllListeners('data');
    }
    if (hasEnded() && !this.#isClosed) this.#cat = catIgnoring(this.#ignored);
    return witness.signalCode === signal;
  }
}

function catIgnoring(ignored: readonly NodeJS.Signals[]): ChildProcess {
  const traps = ignored.map((name) => `trap '' ${name.slice('SIG'.length)};`);
  // SIGQUIT must not leave a core file.
  const script = [...traps, 'ulimit -c 0;', 'exec cat'].join(' ');
  const started = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  started.on('error', () => undefined);
  for (const stream of [started.stdin, started.stdout]) stream.on('error', () => undefined);
  return started;
}
