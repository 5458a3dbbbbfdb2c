import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SettingsError, StartError, type Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';

interface WatchedFileOptions<Content> {
  readonly path: string;
  /** The setting that names the file. */
  readonly setting: string;
  readonly bytesMax: number;
  readonly pollMs: number;
  /** @throws SettingsError with one sentence per error. */
  readonly parse: (text: string, stopping: AbortSignal) => Content | Promise<Content>;
  /** Called with every valid version, including the first, and its SHA-256. */
  readonly onVersion: (content: Content, digest: string) => void;
  /** Called with the errors of a later version; the previous version stays in use. */
  readonly onFault: (message: string) => void;
}

/** The SHA-256 of the file's content, or the reason why the file can't be read. */
type Version = { readonly key: string } & ({ readonly bytes: Uint8Array } | { readonly fault: string });

/**
 * A file that is watched for changes. Its content is polled, because Kubernetes replaces a link above the mounted file
 * and a file watcher would follow the old link. A version is loaded when it is found twice in a row, which skips
 * half-written files.
 */
export class WatchedFile<Content> implements Stoppable {
  readonly #options: WatchedFileOptions<Content>;
  /** The last version that was validated and the last version that was found. */
  #judgedKey = '';
  #foundKey = '';
  #polling: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  private constructor(options: WatchedFileOptions<Content>) {
    this.#options = options;
  }

  /** @throws StartError with one sentence per error. */
  static async open<Content>(options: WatchedFileOptions<Content>): Promise<WatchedFile<Content>> {
    const file = new WatchedFile(options);
    try {
      await file.#load(await file.#read());
    } catch (error) {
      throw error instanceof SettingsError ? new StartError(error.message, { cause: error }) : error;
    }
    return file;
  }

  start(): void {
    this.#polling = this.#repeat();
  }

  /** Resolves when the running poll has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
  }

  async #repeat(): Promise<void> {
    const { pollMs } = this.#options;
    const { signal } = this.#stopping;
    for (await pause(pollMs, signal); !signal.aborted; await pause(pollMs, signal)) await this.#poll();
  }

  async #poll(): Promise<void> {
    const version = await this.#read();
    const isSettled = version.key === this.#foundKey;
    this.#foundKey = version.key;
    if (version.key === this.#judgedKey || !isSettled) return;
    try {
      await this.#load(version);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#judgedKey = version.key;
      this.#options.onFault((error as Error).message);
    }
  }

  /** @throws SettingsError */
  async #load(version: Version): Promise<void> {
    const { path, parse, onVersion } = this.#options;
    if ('fault' in version) throw new SettingsError(version.fault);
    if (!isUtf8(version.bytes)) throw new SettingsError(`${path} is not valid UTF-8. Save it as UTF-8.`);
    const content = await parse(new TextDecoder().decode(version.bytes), this.#stopping.signal);
    this.#judgedKey = version.key;
    onVersion(content, version.key);
  }

  async #read(): Promise<Version> {
    const { path, setting, bytesMax } = this.#options;
    const fault = (clause: string) => ({ key: clause, fault: `${path} ${clause}.` });
    try {
      // Otherwise, opening a pipe without a writer would wait for one.
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const status = await file.stat();
        if (!status.isFile()) return fault(`is not a file. Correct ${setting}`);
        const { size } = status;
        if (size > bytesMax) return fault(`is larger than ${bytesMax / 1024 ** 2} MiB; make it smaller`);
        const bytes = await file.readFile();
        return { key: createHash('sha256').update(bytes).digest('hex'), bytes };
      } finally {
        await file.close();
      }
    } catch (error) {
      return fault(`cannot be read (${(error as NodeJS.ErrnoException).code}). Correct ${setting} or the file`);
    }
  }
}
