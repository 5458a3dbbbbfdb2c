import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError } from './errors.ts';
import { type Command, outputOf, systemPath } from './launcher.ts';

/** The descriptor of the passed file in the started program: the first one after the standard streams. */
const passedFdNumber = 3;
/** LOCK_EX is 2 and LOCK_NB is 4 on every system. */
const perl = `open(my $f, "+<&=", ${passedFdNumber}) or die; flock($f, 2 | 4) or $!{EWOULDBLOCK} ? exit 1 : die "$!\\n"`;
/** Node can't lock files, so use flock on Linux and perl on macOS. */
export const lockHelpers: readonly Command[] = [
  { file: 'flock', args: ['-n', String(passedFdNumber)] },
  { file: 'perl', args: ['-e', perl] },
];

/**
 * A file that the kernel can lock. The lock belongs to the open file: a program that receives the file also holds the
 * lock, which ends when the last holder has closed the file or died. Unlike a pid, a lock works between containers that
 * share the folder.
 */
export class LockFile {
  readonly #path: string;
  readonly #file: FileHandle;

  /** Opens or creates the file. Never remove it, because a lock on a removed file has no effect. */
  static async open(path: string, account: Account): Promise<LockFile> {
    // Root opens the file in another user's folder, where a link could point to any file.
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    // A base backup runs as the server's user and must be able to read every file in the folder.
    if (runsAsRoot()) await file.chown(account.uid, account.gid);
    return new LockFile(path, file);
  }

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  get fd(): number {
    return this.#file.fd;
  }

  /**
   * False if another process holds the lock.
   * @throws DatabaseStartError if files can't be locked here.
   */
  async take(helpers = lockHelpers): Promise<boolean> {
    const reasons: string[] = [];
    for (const helper of helpers) {
      const answer = await outputOf({ ...helper, env: { PATH: systemPath, LC_ALL: 'C' } }, { passedFd: this.fd });
      if (answer.code === 0) return true;
      if (answer.code === 1 && answer.text === '') return false;
      reasons.push(answer.lastLine);
    }
    throw new DatabaseStartError(
      `The data directory ${dirname(this.#path)} can't be locked (${reasons.join('; ')}), and a second program on it would destroy data. Install the program flock and keep the data on a local disk, or set DATABASE_URL to a PostgreSQL 14 or newer server.`,
    );
  }

  /** The text that the last holder wrote. */
  async read(): Promise<string> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.toString('utf8', 0, bytesRead);
  }

  /** The inode. A copy of the file has a different one. */
  async inode(): Promise<string> {
    return String((await this.#file.stat({ bigint: true })).ino);
  }

  async write(text: string): Promise<void> {
    await this.#file.truncate();
    await this.#file.write(text, 0);
  }

  /** Closes the file; a second call does nothing. */
  async close(): Promise<void> {
    if (this.fd !== -1) await this.#file.close();
  }
}
