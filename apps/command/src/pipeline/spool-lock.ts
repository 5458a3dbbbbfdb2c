import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@shiplog/client';

const beatMs = 1000;
/** A lock without a heartbeat for this long has lost its holder. */
const silentMs = 5000;
const pollMs = 200;

const lockName = /^lock\.(\d{1,9})$/;
const free = 'free';

/**
 * A lock on sending the events of a folder, for one process at a time, also across containers that share the folder. It
 * uses no process ids, which mean nothing there, and compares no clocks. Locks are files with rising numbers; the highest
 * counts. Only one process can create a file, its modification time is the heartbeat, and only a higher lock removes a
 * lower one, so that no number is taken twice.
 */
export class SpoolLock {
  readonly #folder: string;
  readonly #number: number;
  readonly #beating: ReturnType<typeof setInterval>;

  /** Waits until the lock is free or its holder is gone. @throws the reason of the signal. */
  static async acquire(folder: string, clock: Clock, signal: AbortSignal): Promise<SpoolLock> {
    let seen: { readonly beat: string; readonly atMs: number } | undefined;
    for (;;) {
      signal.throwIfAborted();
      const highest = await highestOf(folder);
      const beat = highest === 0 ? undefined : await beatOf(folder, highest);
      const nowMs = clock.now().getTime();
      if (beat !== undefined && seen?.beat !== beat) seen = { beat, atMs: nowMs };
      const isHeld = beat !== undefined && seen !== undefined && nowMs - seen.atMs < silentMs;
      if (!isHeld && (await create(folder, highest + 1))) return new SpoolLock(folder, highest + 1);
      if (isHeld) await clock.sleep(pollMs, signal);
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

  /** False if this process was suspended so long that another one took the lock. */
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

/** The heartbeat of a lock; `undefined` if it is free. */
async function beatOf(folder: string, number: number): Promise<string | undefined> {
  try {
    const { mtimeMs, size } = await stat(join(folder, `lock.${number}`));
    return size === free.length ? undefined : `${number} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** Whether this process created the lock and no higher one exists. */
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
