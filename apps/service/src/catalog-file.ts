import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { SettingsError, StartError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { CatalogText, CatalogVerdict } from './catalog-thread.ts';
import { Catalog, noCatalog } from './domain/catalog.ts';
import type { ServiceMetrics } from './metrics.ts';

/** The catalog as it is at a moment; it changes when its file does. */
export interface CatalogSource {
  readonly current: Catalog;
}

interface CatalogFileOptions {
  /** Without one, nothing is known of any service. */
  readonly path: string | undefined;
  readonly pollMs: number;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

const catalogBytesMax = 4 * 1024 * 1024;

/** What the file holds at a moment, by its SHA-256, or why it cannot be read. */
type Version = { readonly key: string } & ({ readonly bytes: Uint8Array } | { readonly fault: string });

/**
 * The file of the catalog, looked at again and again (questions.md 11 and 12.11): by its content, because a mount of
 * Kubernetes exchanges a link somewhere above it, and a watcher of the file would follow the old one. A version is judged
 * when it is found twice in a row, so that one that is half written is not. One with a fault leaves the last good one.
 */
export class CatalogFile implements CatalogSource, Stoppable {
  readonly #options: CatalogFileOptions;
  #current = noCatalog;
  /** What was judged last, and what was found since. */
  #judgedKey = '';
  #foundKey = '';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  private constructor(options: CatalogFileOptions) {
    this.#options = options;
  }

  /** @throws StartError with a sentence for each fault. */
  static async open(options: CatalogFileOptions): Promise<CatalogFile> {
    const file = new CatalogFile(options);
    const { path } = options;
    if (path === undefined) return file;
    const version = await readVersion(path);
    try {
      await file.#take(version, path);
    } catch (error) {
      throw error instanceof SettingsError ? new StartError(error.message, { cause: error }) : error;
    }
    return file;
  }

  get current(): Catalog {
    return this.#current;
  }

  start(): void {
    const { path, pollMs } = this.#options;
    if (path === undefined || this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(path).finally(() => this.start());
    }, pollMs);
  }

  /** Resolves when the look that is under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(path: string): Promise<void> {
    const { metrics, logger } = this.#options;
    const version = await readVersion(path);
    const isSettled = version.key === this.#foundKey;
    this.#foundKey = version.key;
    if (version.key === this.#judgedKey || !isSettled) return;
    try {
      await this.#take(version, path);
      logger.info({ digest: version.key }, 'loaded the changed catalog');
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#judgedKey = version.key;
      metrics.catalogFaults.inc();
      logger.warn(`The catalog file is invalid; still using the previous catalog: ${(error as Error).message}`);
    }
  }

  /** @throws SettingsError */
  async #take(version: Version, path: string): Promise<void> {
    if ('fault' in version) throw new SettingsError(version.fault);
    this.#current = await readCatalog({ text: textOf(version.bytes, path), path }, this.#stopping.signal);
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

function textOf(bytes: Uint8Array, path: string): string {
  if (!isUtf8(bytes)) throw new SettingsError(`${path} is not valid UTF-8. Save it as UTF-8.`);
  return new TextDecoder().decode(bytes);
}

/** Many times what the largest file takes that is a catalog. */
const readMs = 30_000;
const heapMiB = 512;

/** As it is built, also for tests that run from the sources. */
const threadFile = new URL('../dist/catalog-thread.js', import.meta.url);

/**
 * Reads the text of a catalog in a thread of its own. Whoever writes the file may be a stranger to those who run the
 * service, and YAML can be written so that some hundred KiB take many seconds, in which an event loop answers nobody.
 * @throws SettingsError with a sentence for each mistake, each with its line.
 */
export async function readCatalog(sent: CatalogText, stopping: AbortSignal): Promise<Catalog> {
  // Without the options of this process, such as those of a test that runs from the sources.
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
