import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { eventFaults } from './event.ts';
import type { EventToPost } from './posting.ts';

/** File names sort in the order in which events were added. */
const eventName = /^\d{15}-\d{6}-[0-9a-f-]{36}\.json$/;

/**
 * Unsent events, one file each. A file has the event and its reporter but no key (command.md 10.4). Even after a crash,
 * a file is either complete or absent.
 */
export class Spool {
  readonly folder: string;
  #added = 0;

  /** Opens the folder and creates it if necessary. @throws the file system error if the folder can't be created. */
  static async open(folder: string): Promise<Spool> {
    await makeFolder(resolve(folder));
    return new Spool(folder);
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores an event. Returns the file name once the event is on disk. */
  async add({ event, reporter }: EventToPost, now: Date): Promise<string> {
    this.#added += 1;
    const order = `${String(now.getTime()).padStart(15, '0')}-${String(this.#added).padStart(6, '0')}`;
    const name = `${order}-${randomUUID()}.json`;
    const draft = join(this.folder, `.${name}`);
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ event, reporter })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(this.folder, name));
    await this.#sync();
    return name;
  }

  /** The file names of unsent events, in order. */
  async waiting(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => eventName.test(name)).sort();
  }

  async read(name: string): Promise<EventToPost | 'gone' | 'unreadable'> {
    try {
      const { event, reporter } = JSON.parse(await readFile(join(this.folder, name), 'utf8'));
      const isWhole = typeof reporter === 'string' && eventFaults(event).length === 0;
      return isWhole ? { event, reporter, isFresh: false } : 'unreadable';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unreadable';
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }

  /** Renames the file of an event that the log will never accept, so that it isn't posted again. Returns the path. */
  async setAside(name: string): Promise<string> {
    const path = join(this.folder, `${name}.refused`);
    await rename(join(this.folder, name), path);
    return path;
  }

  /**
   * Syncs the folder, because otherwise a crash of the machine may lose a renamed file. Some systems don't support
   * this.
   */
  async #sync(): Promise<void> {
    const folder = await open(this.folder).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }
}

/**
 * Creates a folder and its parents. In Node 20, `recursive` loops forever if an existing folder refuses new folders
 * with ENOENT, as folders below /proc do.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path));
      await mkdir(path).catch(unlessThere(path));
    } else {
      await unlessThere(path)(error);
    }
  }
}

/** Ignores any error of the attempt if the folder exists. */
function unlessThere(path: string): (error: unknown) => Promise<void> {
  return async (error) => {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw error;
  };
}
