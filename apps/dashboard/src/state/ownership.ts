import type { CatalogItem } from '@shiplog/contract';
import type { Ownership } from '../board/ownership.ts';
import type { PreferenceStore } from './preferences.ts';
import { Store } from './store.ts';

/** Whose each service is, by the catalog and by what this viewer has marked, as both change. */
export function ownershipOf(
  catalog: Store<{ readonly items: ReadonlyMap<string, CatalogItem> }>,
  preferences: PreferenceStore,
): Store<Ownership> {
  const now = (): Ownership => ({ items: catalog.value.items, favourites: preferences.value.favourites });
  const ownership = new Store(now());
  const tell = () => {
    const { items, favourites } = now();
    const before = ownership.value;
    if (items !== before.items || JSON.stringify(favourites) !== JSON.stringify(before.favourites)) {
      ownership.set({ items, favourites });
    }
  };
  catalog.listen(tell);
  preferences.listen(tell);
  return ownership;
}
