import { answeredStatus } from '@shiplog/client';
import type { Catalog, CatalogItem, CatalogPreset } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { settleLater } from './patience.ts';
import { startRequest } from './request.ts';

/** The service's catalog: facts about services, and presets that everyone can use. */
export type CatalogStore = Store<{
  readonly items: ReadonlyMap<string, CatalogItem>;
  readonly presets: readonly CatalogPreset[];
  /** The service has answered or the request has timed out, so the page need not wait for the catalog. */
  readonly isKnown: boolean;
}>;

const everyMs = 60_000;

/** The catalog, refreshed each minute and when an unlisted service appears; empty if Shiplog's service has none. */
export function catalogOf(connection: Connection): CatalogStore {
  const { client, board } = connection;
  const catalog: CatalogStore = new Store({ items: new Map(), presets: [], isKnown: false });
  const settle = () => catalog.value.isKnown || catalog.set({ ...catalog.value, isKnown: true });
  settleLater(board, settle);
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

const empty: Catalog = { items: [], presets: [] };
const noCatalog = JSON.stringify(empty);

/** The mock has no catalog. */
function withoutCatalog(error: unknown): { readonly body: Catalog } {
  if (answeredStatus(error) === 404) return { body: empty };
  throw error;
}
