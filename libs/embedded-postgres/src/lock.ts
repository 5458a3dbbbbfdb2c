import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError } from './errors.ts';
import { type Command, outputOf, systemPath } from './launcher.ts';

/** Where a program finds a file that it was handed: the first number after its output and its errors. */
const handedFd = 3;
/** LOCK_EX and LOCK_NB, which are the same numbers everywhere. */
const perl = `open(my $f, "+<&=", ${handedFd}) or die; flock($f, 2 | 4) or $!{EWOULDBLOCK} ? exit 1 : die "$!\\n"`;
/** Node cannot lock files. Linux comes with the one, macOS with the other. */
export const lockHelpers: readonly Command[] = [
  { file: 'flock', args: ['-n', String(handedFd)] },
  { file: 'perl', args: ['-e', perl] },
];

/**
 * A file that the kernel can lock. The lock belongs to the opened file and not to a process: a program that was handed
 * the file has it too, and it ends when the last of them has closed the file or died, however. Processes of other
 * containers meet it where they share the folder, which no number of a process would tell them.
 */
export class LockFile {
  readonly #path: string;
  readonly #file: FileHandle;

  /** Opens the file, making it when it is absent. It is never removed: a lock on a removed file keeps nobody out. */
  static async open(path: string, account: Account): Promise<LockFile> {
    // As root this is another user's folder, where a link could lead anywhere.
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    // A base backup reads every file of the folder as the server's user.
    if (runsAsRoot()) await file.chown(account.uid, account.gid);
    return new LockFile(path, file);
  }

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** For handing the file to a program. */
  get fd(): number {
    return this.#file.fd;
  }

  /** Whether the lock is taken; false when someone else has it. Throws DatabaseStartError where nothing can be locked. */
  async take(helpers = lockHelpers): Promise<boolean> {
    const reasons: string[] = [];
    for (const helper of helpers) {
      const answer = await outputOf({ ...helper, env: { PATH: systemPath, LC_ALL: 'C' } }, { hand: this.fd });
      if (answer.code === 0) return true;
      if (answer.code === 1 && answer.text === '') return false;
      reasons.push(answer.lastLine);
    }
    throw new DatabaseStartError(
      `The data directory ${dirname(this.#path)} cannot be locked (${reasons.join('; ')}), and a second program on it would destroy data: install the program flock and keep the data on a disk of this machine, or set DATABASE_URL to a PostgreSQL 14 or newer server.`,
    );
  }

  /** What the one who has the lock has written last. */
  async read(): Promise<string> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.toString('utf8', 0, bytesRead);
  }

  async write(text: string): Promise<void> {
    await this.#file.truncate();
    await this.#file.write(text, 0);
  }

  /** Lets the file go; a second call does nothing. */
  async close(): Promise<void> {
    if (this.fd !== -1) await this.#file.close();
  }
}
