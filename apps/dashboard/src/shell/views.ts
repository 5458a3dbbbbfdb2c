import type { View } from '../state/address.ts';

/** The views in the order of the navigation. Pressing G and then `key` opens a view. */
export const viewNames: Readonly<Record<View, { readonly title: string; readonly key: string }>> = {
  board: { title: 'Board', key: 'B' },
  swimlanes: { title: 'Pipelines', key: 'P' },
  releases: { title: 'Releases', key: 'R' },
  compare: { title: 'Compare', key: 'C' },
  feed: { title: 'Feed', key: 'F' },
  analytics: { title: 'Analytics', key: 'A' },
  quality: { title: 'Log quality', key: 'Q' },
};
