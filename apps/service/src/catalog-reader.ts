import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SettingsError } from '@shiplog/server';
import type { CatalogText, CatalogVerdict } from './catalog-thread.ts';
import { Catalog } from './domain/catalog.ts';

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
      throw new SettingsError(`${sent.path} takes more than ${readMs / 1000} s to read; make it simpler.`);
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new SettingsError(`${sent.path} takes more than ${heapMiB} MiB of memory to read; make it simpler.`);
  } finally {
    await thread.terminate();
  }
}
