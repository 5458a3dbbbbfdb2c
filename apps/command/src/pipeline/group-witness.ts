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

  /** Until cat runs, its shell may lose a signal: dash catches SIGINT, and forgets it if it starts cat meanwhile. */
  ready(): Promise<void> {
    return this.#inTurn(() => echoed(this.#cat));
  }

  /** Whether the whole group received the latest signal. */
  hasGroupGot(signal: NodeJS.Signals): Promise<boolean> {
    return this.#inTurn(() => this.#ask(signal));
  }

  /** One question at a time: the echo of another could be from before the signal. */
  #inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#asked.then(ask);
    this.#asked = answer;
    return answer;
  }

  close(): void {
    this.#isClosed = true;
    this.#cat.kill('SIGKILL');
  }

  async #ask(signal: NodeJS.Signals): Promise<boolean> {
    const witness = this.#cat;
    await echoed(witness);
    if (hasEnded(witness) && !this.#isClosed) this.#cat = catIgnoring(this.#ignored);
    return witness.signalCode === signal;
  }
}

/** Whether cat has ended, or could not be started. */
function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/** Resolves when cat echoes or has ended. */
async function echoed(cat: ChildProcess): Promise<void> {
  if (hasEnded(cat)) return;
  await new Promise<void>((resolve) => {
    cat.once('exit', () => resolve());
    cat.stdout?.once('data', () => resolve());
    cat.stdin?.write('.');
  });
  cat.removeAllListeners('exit');
  cat.stdout?.removeAllListeners('data');
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
