import type { CatalogItem } from '@shiplog/contract';
import type { Whose } from '../board/whose.ts';
import type { PreferenceStore } from './preferences.ts';
import { Store } from './store.ts';

/** Whose each service is, by the catalog and by what this viewer has marked, as both change. */
export function whoseOf(
  catalog: Store<{ readonly items: ReadonlyMap<string, CatalogItem> }>,
  preferences: PreferenceStore,
): Store<Whose> {
  const now = (): Whose => ({ items: catalog.value.items, favourites: preferences.value.favourites });
  const whose = new Store(now());
  const tell = () => {
    const { items, favourites } = now();
    const before = whose.value;
    if (items !== before.items || JSON.stringify(favourites) !== JSON.stringify(before.favourites)) {
      whose.set({ items, favourites });
    }
  };
  catalog.listen(tell);
  preferences.listen(tell);
  return whose;
}
