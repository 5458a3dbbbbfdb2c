import type { ComponentType } from 'preact';
import { BoardView } from '../matrix/board-view.tsx';
import type { View } from '../state/address.ts';

/** One entry of the navigation: what the page shows there, at once or when it is first opened. */
type ShownView = { readonly title: string } & (
  | { readonly here: ComponentType }
  | { readonly load: () => Promise<ComponentType> }
);

/** Every view, in the order of the navigation. */
export const shownViews: Readonly<Record<View, ShownView>> = {
  board: { title: 'Board', here: BoardView },
  swimlanes: { title: 'Pipelines', load: async () => (await import('../pipelines/pipelines-view.tsx')).PipelinesView },
  releases: { title: 'Releases', load: async () => (await import('../releases/releases-view.tsx')).ReleasesView },
  compare: { title: 'Compare', load: async () => (await import('../compare/compare-view.tsx')).CompareView },
  feed: { title: 'Feed', load: async () => (await import('../feed/feed-view.tsx')).FeedView },
  analytics: { title: 'Analytics', load: async () => (await import('../analytics/analytics-view.tsx')).AnalyticsView },
  quality: { title: 'Log quality', load: async () => (await import('../quality/quality-view.tsx')).QualityView },
};
