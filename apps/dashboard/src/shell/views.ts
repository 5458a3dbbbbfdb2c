import type { View } from '../state/address.ts';

/** The views in the order of the navigation. Pressing G and then `key` opens a view. */
export const viewNames: Readonly<Record<View, { readonly title: string; readonly key: string }>> = {
  board: { title: 'Board', key: 'B' },
  changes: { title: 'Changes', key: 'C' },
  releases: { title: 'Releases', key: 'R' },
  analytics: { title: 'Analytics', key: 'A' },
};
