import { execFileSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';

const sizeBytes = 640 * 1024 * 1024;
/** A full disk has this much left, less than a table grows by at once under load. */
const leftBytes = 256 * 1024;
const attemptsMax = 50;

/** A file system of its own, in memory, whose size can change: full at one call, and roomy again. */
export class SmallDisk {
  readonly #folder: string;

  /** Mounts it on a folder. @throws where this user or system may not mount. */
  static mount(folder: string): SmallDisk {
    mount(['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=755`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** The server goes on writing, and a file system cannot become smaller than what it holds: then it is tried again. */
  async fill(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { blocks, bfree, bsize } = await statfs(this.#folder);
      try {
        return this.#resize((blocks - bfree) * bsize + leftBytes);
      } catch (error) {
        if (attempt === attemptsMax) throw error;
      }
    }
  }

  free(): void {
    this.#resize(sizeBytes);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#folder], { stdio: 'pipe' });
  }

  #resize(bytes: number): void {
    mount(['-o', `remount,size=${bytes}`, this.#folder]);
  }
}

function mount(parameters: readonly string[]): void {
  execFileSync('mount', parameters, { stdio: 'pipe' });
}
