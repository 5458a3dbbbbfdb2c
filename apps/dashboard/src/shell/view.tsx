import type { ComponentType } from 'preact';
import { BoardView } from '../matrix/board-view.tsx';
import type { View } from '../state/address.ts';
import { Later } from '../ui/later.tsx';

const loaders: Readonly<Record<Exclude<View, 'board'>, () => Promise<ComponentType>>> = {
  swimlanes: async () => (await import('../pipelines/pipelines-view.tsx')).PipelinesView,
  releases: async () => (await import('../releases/releases-view.tsx')).ReleasesView,
  compare: async () => (await import('../compare/compare-view.tsx')).CompareView,
  feed: async () => (await import('../feed/feed-view.tsx')).FeedView,
  analytics: async () => (await import('../analytics/analytics-view.tsx')).AnalyticsView,
  quality: async () => (await import('../quality/quality-view.tsx')).QualityView,
};

export function CurrentView({ view }: { readonly view: View }) {
  return view === 'board' ? <BoardView /> : <Later name={view} load={loaders[view]} />;
}
