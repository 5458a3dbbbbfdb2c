import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { eventFaults } from './event.ts';
import type { Wanted } from './posting.ts';

/** Names sort in the order in which events were kept. */
const keptName = /^\d{15}-\d{6}-[0-9a-f-]{36}\.json$/;

/**
 * Events that the log has not yet, each a file of a folder: the event and its reporter, and no key (command.md 10.4). A file
 * is there whole or not at all, also after a crash.
 */
export class Spool {
  readonly folder: string;
  #kept = 0;

  /** @throws the error of the file system where the folder cannot be made. */
  static async open(folder: string): Promise<Spool> {
    await makeFolder(resolve(folder));
    return new Spool(folder);
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the name of its file once it is on the disk. */
  async keep({ event, reporter }: Wanted, now: Date): Promise<string> {
    this.#kept += 1;
    const order = `${String(now.getTime()).padStart(15, '0')}-${String(this.#kept).padStart(6, '0')}`;
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

  /** The names of what waits, in order. */
  async waiting(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => keptName.test(name)).sort();
  }

  /** What a file holds, unless it is gone, or nothing that can be posted. */
  async read(name: string): Promise<Wanted | 'gone' | 'unreadable'> {
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

  /** What the log will never take is kept for people and not posted again. Returns its path. */
  async setAside(name: string): Promise<string> {
    const path = join(this.folder, `${name}.refused`);
    await rename(join(this.folder, name), path);
    return path;
  }

  /** A file that was renamed may be lost in a crash of the machine until its folder is written; not every system can. */
  async #sync(): Promise<void> {
    const folder = await open(this.folder).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }
}

/**
 * Makes a folder and those above it. `recursive` of Node 20 tries without end where a folder that is there takes none and
 * says that it is missing, as those below /proc do; a deployment would wait for it for ever.
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

/** A folder that is there is what was wanted, whoever made it and whatever the system says to the attempt. */
function unlessThere(path: string): (error: unknown) => Promise<void> {
  return async (error) => {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw error;
  };
}
