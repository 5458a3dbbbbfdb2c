import type { View } from '../state/address.ts';

/** In the order of the navigation; the key opens the view after G. */
export const viewNames: Readonly<Record<View, { readonly title: string; readonly key: string }>> = {
  board: { title: 'Board', key: 'B' },
  swimlanes: { title: 'Pipelines', key: 'P' },
  releases: { title: 'Releases', key: 'R' },
  compare: { title: 'Compare', key: 'C' },
  feed: { title: 'Feed', key: 'F' },
  analytics: { title: 'Analytics', key: 'A' },
  quality: { title: 'Log quality', key: 'Q' },
};
