import { answeredStatus } from '@shiplog/client';
import type { Catalog, CatalogItem, CatalogPreset } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { startRequest } from './request.ts';

/** The service's catalog: facts about services, and presets that everyone can use. */
export interface KnownCatalog {
  readonly items: ReadonlyMap<string, CatalogItem>;
  readonly presets: readonly CatalogPreset[];
  /** The service has answered or has run out of time: nothing needs to wait for it. */
  readonly isKnown: boolean;
}

export type CatalogStore = Store<KnownCatalog>;

const everyMs = 60_000;
/** The page doesn't wait longer for it. */
const patienceMs = 1000;

/** The catalog, refreshed each minute and when a service appears that it doesn't list; empty where the service has none. */
export function catalogOf(connection: Connection): CatalogStore {
  const { client, board } = connection;
  const catalog = new Store<KnownCatalog>({ items: new Map(), presets: [], isKnown: false });
  const settle = () => catalog.value.isKnown || catalog.set({ ...catalog.value, isKnown: true });
  setTimeout(settle, patienceMs);
  let known = '';
  const ask = async (signal: AbortSignal) => {
    const { body } = await client.getCatalog({ signal }).catch(withoutCatalog);
    const text = JSON.stringify(body);
    if (text === known) return;
    known = text;
    catalog.set({
      items: new Map(body.items.map((item) => [item.service, item])),
      presets: body.presets,
      isKnown: true,
    });
  };
  const { changed } = startRequest((signal) => ask(signal).finally(settle), { everyMs });
  board.listen(() => {
    const isListed = (service: string) => catalog.value.items.has(service);
    if (board.value && known !== noCatalog && ![...board.value.rows.keys()].every(isListed)) changed();
  });
  return catalog;
}

const noCatalog = JSON.stringify({ items: [], presets: [] });

/** The mock has no catalog. */
function withoutCatalog(error: unknown): { readonly body: Catalog } {
  if (answeredStatus(error) === 404) return { body: { items: [], presets: [] } };
  throw error;
}
