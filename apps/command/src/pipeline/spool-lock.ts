import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@shiplog/client';

const beatMs = 1000;
/** A lock that did not beat for so long has lost its holder. */
const silentMs = 5000;
const lookMs = 200;

const lockName = /^lock\.(\d{1,9})$/;
const free = 'free';

/**
 * Who may send what a folder holds: one process at a time, over containers that share the folder, without numbers of
 * processes, which mean nothing there, and without comparing clocks. Locks are files with rising numbers, and the highest
 * one counts. It is made by whoever comes first, for only one process can create a file; it beats by its time of change;
 * and it is never removed but by a higher one, so that nobody can take a number that was taken before.
 */
export class SpoolLock {
  readonly #folder: string;
  readonly #number: number;
  readonly #beating: ReturnType<typeof setInterval>;

  /** Waits until it is free, or its holder is gone. @throws the reason of the signal. */
  static async take(folder: string, clock: Clock, signal: AbortSignal): Promise<SpoolLock> {
    let heard: { readonly beat: string; readonly atMs: number } | undefined;
    for (;;) {
      signal.throwIfAborted();
      const highest = await highestOf(folder);
      const beat = highest === 0 ? undefined : await beatOf(folder, highest);
      const nowMs = clock.now().getTime();
      if (beat !== undefined && heard?.beat !== beat) heard = { beat, atMs: nowMs };
      const isTaken = beat !== undefined && heard !== undefined && nowMs - heard.atMs < silentMs;
      if (!isTaken && (await create(folder, highest + 1))) return new SpoolLock(folder, highest + 1);
      if (isTaken) await clock.sleep(lookMs, signal);
    }
  }

  private constructor(folder: string, number: number) {
    this.#folder = folder;
    this.#number = number;
    this.#beating = setInterval(() => {
      const now = new Date();
      utimes(this.#path, now, now).catch(() => undefined);
    }, beatMs);
    this.#beating.unref();
  }

  /** False where a process that was stopped for long has lost it to another. */
  async isHeld(): Promise<boolean> {
    return (await highestOf(this.#folder)) === this.#number;
  }

  async release(): Promise<void> {
    clearInterval(this.#beating);
    await writeFile(this.#path, free).catch(() => undefined);
  }

  get #path(): string {
    return join(this.#folder, `lock.${this.#number}`);
  }
}

async function highestOf(folder: string): Promise<number> {
  return Math.max(0, ...(await numbersIn(folder)));
}

async function numbersIn(folder: string): Promise<number[]> {
  return (await readdir(folder)).flatMap((name) => Number(lockName.exec(name)?.[1] ?? 0) || []);
}

/** What changes as long as its holder lives; nothing for a lock that is free. */
async function beatOf(folder: string, number: number): Promise<string | undefined> {
  try {
    const { mtimeMs, size } = await stat(join(folder, `lock.${number}`));
    return size === free.length ? undefined : `${number} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** Whether this process is the one that made it, and no higher one was there. */
async function create(folder: string, number: number): Promise<boolean> {
  try {
    await writeFile(join(folder, `lock.${number}`), randomUUID(), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  const others = (await numbersIn(folder)).filter((other) => other !== number);
  if (others.some((other) => other > number)) {
    await rm(join(folder, `lock.${number}`), { force: true });
    return false;
  }
  for (const other of others) await rm(join(folder, `lock.${other}`), { force: true });
  return true;
}
