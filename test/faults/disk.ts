import { execFileSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';

const sizeBytes = 640 * 1024 * 1024;
/** The free space on a full disk. A table grows in larger steps under load. */
const leftBytes = 256 * 1024;
const attemptsMax = 50;

/** A separate in-memory file system that a test can fill and free again. */
export class SmallDisk {
  readonly #folder: string;

  /** Mounts the file system on a folder. @throws if mounting is not permitted. */
  static mount(folder: string): SmallDisk {
    mount(['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=755`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Fills the disk. Retries, because the server keeps writing, and a file system can't shrink below the size of its
   * content.
   */
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
