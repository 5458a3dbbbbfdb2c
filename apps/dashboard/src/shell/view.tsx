import type { ComponentType } from 'preact';
import { BoardView } from '../matrix/board-view.tsx';
import type { Address } from '../state/address.ts';
import { imported } from '../state/imported.ts';
import { useAddress } from '../ui/app.ts';
import { Later } from '../ui/later.tsx';

const loadProgress = async () => (await imported(() => import('../progress/progress.tsx'))).Progress;

const pages = {
  changes: async () => (await imported(() => import('../changes/changes-view.tsx'))).ChangesView,
  compared: async () => (await imported(() => import('../compare/compare-view.tsx'))).CompareView,
  releases: async () => (await imported(() => import('../releases/releases-view.tsx'))).ReleasesView,
  analytics: async () => (await imported(() => import('../analytics/analytics-view.tsx'))).AnalyticsView,
} satisfies Record<string, () => Promise<ComponentType>>;

/** The page for an address, which is loaded when it is first opened; `undefined` for the board. */
function pageOf({ view, release }: Address): keyof typeof pages | undefined {
  switch (view) {
    case 'board':
      return undefined;
    case 'changes':
      return 'changes';
    case 'releases':
      return release.tab === 'reach' ? 'compared' : 'releases';
    case 'analytics':
      return 'analytics';
  }
}

export function CurrentView() {
  const page = pageOf(useAddress());
  return page === undefined ? <BoardView loadProgress={loadProgress} /> : <Later name={page} load={pages[page]} />;
}

const recheckMs = 200;
/** What the page still loads after this time may never arrive. */
const patienceMs = 5000;

/**
 * Loads the scripts of all views and of these parts, one at a time, whenever the browser is idle. What the page itself
 * is loading comes first.
 */
export async function loadAhead(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const latestMs = performance.now() + patienceMs;
  const isWaiting = () => document.querySelector('.waiting') !== null && performance.now() < latestMs;
  for (const load of [loadProgress, ...Object.values(pages), ...parts]) {
    while (isWaiting()) await new Promise((resolve) => setTimeout(resolve, recheckMs));
    await new Promise<unknown>((resolve) =>
      'requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, 1000),
    );
    // A script that fails is loaded when its view is opened.
    await load().catch(() => undefined);
  }
}
