import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Catalog, noCatalog } from '@shiplog/catalog';
import { SettingsError, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { CatalogText, CatalogVerdict } from './catalog-thread.ts';
import type { ServiceMetrics } from './metrics.ts';
import { WatchedFile } from './watched-file.ts';

interface CatalogFileOptions {
  /** If absent, the catalog is empty. */
  readonly path: string | undefined;
  readonly pollMs: number;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

const catalogBytesMax = 4 * 1024 * 1024;

/** The catalog file (questions.md 11 and 12.11). */
export class CatalogFile implements Stoppable {
  #current = noCatalog;
  #file: WatchedFile<Catalog> | undefined;

  private constructor() {}

  /** @throws StartError with one sentence per error. */
  static async open({ path, pollMs, metrics, logger }: CatalogFileOptions): Promise<CatalogFile> {
    const catalog = new CatalogFile();
    if (path === undefined) return catalog;
    catalog.#file = await WatchedFile.open({
      path,
      setting: 'CATALOG_FILE',
      bytesMax: catalogBytesMax,
      pollMs,
      parse: (text, stopping) => readCatalog({ text, path }, stopping),
      onVersion: (content, digest) => {
        if (catalog.#current !== noCatalog) logger.info({ digest }, 'loaded the changed catalog');
        catalog.#current = content;
        metrics.catalogInfo.reset();
        metrics.catalogInfo.set({ digest }, 1);
      },
      onFault: (message) => {
        metrics.catalogFaults.inc();
        logger.warn(`The catalog file is invalid; still using the previous catalog: ${message}`);
      },
    });
    return catalog;
  }

  get current(): Catalog {
    return this.#current;
  }

  start(): void {
    this.#file?.start();
  }

  /** Resolves when the running poll has ended. */
  async stop(): Promise<void> {
    await this.#file?.stop();
  }
}

/** Much more memory than the largest valid catalog needs. */
const readMs = 30_000;
const heapMiB = 512;

/** Always uses the built file, even in tests that run from source. */
const threadFile = new URL('../dist/catalog-thread.js', import.meta.url);

/**
 * Parses a catalog in a separate thread, because a few hundred KiB of malicious YAML can take many seconds.
 * @throws SettingsError with one sentence per error, including its line.
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
