import type { CatalogItem } from '@shiplog/contract';
import type { Ownership } from '../board/ownership.ts';
import type { PreferenceStore } from './preferences.ts';
import { Store } from './store.ts';

/** The owner of each service according to the catalog, and the viewer's favourites. */
export function ownershipOf(
  catalog: Store<{ readonly items: ReadonlyMap<string, CatalogItem> }>,
  preferences: PreferenceStore,
): Store<Ownership> {
  const now = (): Ownership => ({ items: catalog.value.items, favourites: preferences.value.favourites });
  const ownership = new Store(now());
  const update = () => {
    const { items, favourites } = ownership.value;
    const isSame = JSON.stringify(preferences.value.favourites) === JSON.stringify(favourites);
    if (catalog.value.items !== items || !isSame) ownership.set(now());
  };
  catalog.listen(update);
  preferences.listen(update);
  return ownership;
}
