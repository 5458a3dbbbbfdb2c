import { answeredStatus } from '@shiplog/client';
import type { Catalog, CatalogItem, CatalogPreset } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { startRequest } from './request.ts';

/** What the service's file says of services, and the views that it offers to everyone. */
export interface KnownCatalog {
  readonly items: ReadonlyMap<string, CatalogItem>;
  readonly presets: readonly CatalogPreset[];
  /** The service has answered, or did not in time: there is nothing to wait for. */
  readonly isKnown: boolean;
}

export type CatalogStore = Store<KnownCatalog>;

const everyMs = 60_000;
/** Nobody waits longer for it. */
const patienceMs = 1000;

/** The catalog, asked for again each minute and when services come that it does not list. A service without one knows nothing. */
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
