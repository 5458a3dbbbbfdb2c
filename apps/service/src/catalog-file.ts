import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { SettingsError, StartError, type Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { CatalogText, CatalogVerdict } from './catalog-thread.ts';
import { Catalog, noCatalog } from './domain/catalog.ts';
import type { ServiceMetrics } from './metrics.ts';

interface CatalogFileOptions {
  /** If absent, the catalog is empty. */
  readonly path: string | undefined;
  readonly pollMs: number;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

const catalogBytesMax = 4 * 1024 * 1024;

/** The SHA-256 of the file's content, or the reason why the file can't be read. */
type Version = { readonly key: string } & ({ readonly bytes: Uint8Array } | { readonly fault: string });

/**
 * The catalog file (questions.md 11 and 12.11). Its content is polled, because Kubernetes replaces a link above the
 * mounted file and a file watcher would follow the old link. A version is loaded when it is found twice in a row, which
 * skips half-written files.
 */
export class CatalogFile implements Stoppable {
  readonly #options: CatalogFileOptions;
  #current = noCatalog;
  /** The last version that was validated and the last version that was found. */
  #judgedKey = '';
  #foundKey = '';
  #polling: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  private constructor(options: CatalogFileOptions) {
    this.#options = options;
  }

  /** @throws StartError with one sentence per error. */
  static async open(options: CatalogFileOptions): Promise<CatalogFile> {
    const file = new CatalogFile(options);
    const { path } = options;
    if (path === undefined) return file;
    const version = await readVersion(path);
    try {
      await file.#load(version, path);
    } catch (error) {
      throw error instanceof SettingsError ? new StartError(error.message, { cause: error }) : error;
    }
    return file;
  }

  get current(): Catalog {
    return this.#current;
  }

  start(): void {
    if (this.#options.path !== undefined) this.#polling = this.#repeat(this.#options.path);
  }

  /** Resolves when the running poll has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
  }

  async #repeat(path: string): Promise<void> {
    const { pollMs } = this.#options;
    const { signal } = this.#stopping;
    for (await pause(pollMs, signal); !signal.aborted; await pause(pollMs, signal)) await this.#poll(path);
  }

  async #poll(path: string): Promise<void> {
    const { metrics, logger } = this.#options;
    const version = await readVersion(path);
    const isSettled = version.key === this.#foundKey;
    this.#foundKey = version.key;
    if (version.key === this.#judgedKey || !isSettled) return;
    try {
      await this.#load(version, path);
      logger.info({ digest: version.key }, 'loaded the changed catalog');
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#judgedKey = version.key;
      metrics.catalogFaults.inc();
      logger.warn(`The catalog file is invalid; still using the previous catalog: ${(error as Error).message}`);
    }
  }

  /** @throws SettingsError */
  async #load(version: Version, path: string): Promise<void> {
    if ('fault' in version) throw new SettingsError(version.fault);
    if (!isUtf8(version.bytes)) throw new SettingsError(`${path} is not valid UTF-8. Save it as UTF-8.`);
    const text = new TextDecoder().decode(version.bytes);
    this.#current = await readCatalog({ text, path }, this.#stopping.signal);
    this.#judgedKey = version.key;
    const { catalogInfo } = this.#options.metrics;
    catalogInfo.reset();
    catalogInfo.set({ digest: version.key }, 1);
  }
}

async function readVersion(path: string): Promise<Version> {
  const fault = (clause: string) => ({ key: clause, fault: `${path} ${clause}.` });
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > catalogBytesMax) return fault(`is larger than ${catalogBytesMax / 1024 ** 2} MiB; make it smaller`);
      const bytes = await file.readFile();
      return { key: createHash('sha256').update(bytes).digest('hex'), bytes };
    } finally {
      await file.close();
    }
  } catch (error) {
    return fault(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Much more memory than the largest valid catalog needs. */
const readMs = 30_000;
const heapMiB = 512;

/** Always uses the built file, even in tests that run from source. */
const threadFile = new URL('../dist/catalog-thread.js', import.meta.url);

/**
 * Parses a catalog in a separate thread, because a few hundred KiB of malicious YAML can take many seconds.
 * @throws SettingsError with one sentence per mistake, including its line.
 */
async function readCatalog(sent: CatalogText, stopping: AbortSignal): Promise<Catalog> {
  // Don't inherit the options of this process, such as the loader of tests that run from source.
  const thread = new Worker(threadFile, {
    execArgv: [],
    workerData: sent,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  });
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(readMs)]);
  try {
    const [verdict] = (await once(thread, 'message', { signal })) as [CatalogVerdict];
    if ('fault' in verdict) throw new SettingsError(verdict.fault);
    return new Catalog(verdict.content.entries, verdict.content.presets);
  } catch (error) {
    if (signal.aborted)
      throw new SettingsError(`${sent.path} takes more than ${readMs / 1000} s to read. Simplify it.`);
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new SettingsError(`${sent.path} takes more than ${heapMiB} MiB of memory to read. Simplify it.`);
  } finally {
    await thread.terminate();
  }
}
