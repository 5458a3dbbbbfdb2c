import { parentPort, workerData } from 'node:worker_threads';
import { type CatalogContent, parseCatalog } from '@shiplog/catalog';
import { SettingsError } from '@shiplog/server/settings';

/** The message that `catalog-file.ts` sends to this thread. */
export interface CatalogText {
  readonly text: string;
  readonly path: string;
}

export type CatalogVerdict = { readonly content: CatalogContent } | { readonly fault: string };

const { text, path } = workerData as CatalogText;

function verdict(): CatalogVerdict {
  try {
    return { content: parseCatalog(text, path) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { fault: error.message };
  }
}

parentPort?.postMessage(verdict());
