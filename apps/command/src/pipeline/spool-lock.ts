import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@shiplog/client';

const beatMs = 1000;
/** A lock with an older heartbeat has lost its holder. */
const silentMs = 5000;
const pollMs = 200;

const lockName = /^lock\.(\d{1,9})$/;
const free = 'free';

/**
 * A lock for sending the events of a folder, held by one process at a time, even across containers that share the
 * folder. It uses neither process ids, which mean nothing in another container, nor clocks, which may differ. Locks are
 * files with increasing numbers, and the highest number holds the lock. Only one process can create a file, its
 * modification time is the heartbeat, and only a higher lock removes a lower one, so no number is used twice.
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

  /** Returns false if this process was suspended for so long that another process took the lock. */
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

/** Returns whether this process created the lock and no higher one exists. */
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
