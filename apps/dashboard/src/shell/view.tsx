import type { ComponentType } from 'preact';
import { BoardView } from '../matrix/board-view.tsx';
import type { View } from '../state/address.ts';
import { imported } from '../state/imported.ts';
import { Later } from '../ui/later.tsx';

const loaders: Readonly<Record<Exclude<View, 'board'>, () => Promise<ComponentType>>> = {
  swimlanes: async () => (await imported(() => import('../pipelines/pipelines-view.tsx'))).PipelinesView,
  releases: async () => (await imported(() => import('../releases/releases-view.tsx'))).ReleasesView,
  compare: async () => (await imported(() => import('../compare/compare-view.tsx'))).CompareView,
  feed: async () => (await imported(() => import('../feed/feed-view.tsx'))).FeedView,
  analytics: async () => (await imported(() => import('../analytics/analytics-view.tsx'))).AnalyticsView,
  quality: async () => (await imported(() => import('../quality/quality-view.tsx'))).QualityView,
};

export function CurrentView({ view }: { readonly view: View }) {
  return view === 'board' ? <BoardView /> : <Later name={view} load={loaders[view]} />;
}
