import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Drawer } from '../drawer/drawer.tsx';
import { FeedView } from '../feed/feed-view.tsx';
import { BoardView } from '../matrix/board-view.tsx';
import { addressOf, type View, views } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { listen } from '../ui/listen.ts';
import { WholeVersion } from '../ui/whole-version.tsx';
import { Counts } from './counts.tsx';
import { Freshness } from './freshness.tsx';
import { Later } from './later.tsx';
import { OutageBand } from './outage-band.tsx';
import { ViewMenu } from './view-menu.tsx';

const names: Readonly<Record<View, string>> = {
  board: 'Board',
  swimlanes: 'Swimlanes',
  feed: 'Feed',
  analytics: 'Analytics',
};

/** The page: its head, and one of the views. */
export function Shell() {
  const { navigation, preferences, outage } = useApp();
  const { view, slot, quiet } = useAddress();
  const { theme } = useStore(preferences);
  const isOut = useStore(outage) !== undefined;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${names[view]} · Shiplog`;
  }, [view]);
  useEffect(() => {
    return listen(document, { click: (event: MouseEvent) => stayOnPage(event, navigation) });
  }, [navigation]);
  return (
    <div class={`page ${quiet ? 'quiet' : ''} ${isOut ? 'outage' : ''}`}>
      <header>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <span class="brand">
          <img src="mark.svg" alt="" />
          Shiplog
        </span>
        {!quiet && (
          <nav aria-label="Views">
            {views.map((name) => (
              <Link key={name} to={{ view: name, slot: undefined }} aria-current={name === view ? 'page' : undefined}>
                {names[name]}
              </Link>
            ))}
          </nav>
        )}
        <span class="space" />
        <Counts />
        <Freshness />
        {quiet ? <Link to={{ quiet: false }}>Leave quiet mode</Link> : <ViewMenu />}
      </header>
      <OutageBand />
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">{names[view]}</h1>
        {content(view)}
      </main>
      <WholeVersion />
      {slot && (
        <Drawer key={JSON.stringify(slot)} slot={slot} onClose={() => navigation.go({ slot: undefined })}>
          <OutageBand />
        </Drawer>
      )}
    </div>
  );
}

function content(view: View): ComponentChildren {
  if (view === 'board') return <BoardView />;
  if (view === 'feed') return <FeedView />;
  if (view === 'swimlanes')
    return (
      <Later
        name={view}
        load={() => import('../swimlanes/swimlanes-view.tsx').then((module) => module.SwimlanesView)}
      />
    );
  return (
    <Later name={view} load={() => import('../analytics/analytics-view.tsx').then((module) => module.AnalyticsView)} />
  );
}

/** Links to other views of this page load nothing. */
function stayOnPage(event: MouseEvent, navigation: Navigation): void {
  const link = (event.target as Element).closest('a');
  const isPlain =
    !event.defaultPrevented &&
    event.button === 0 &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey;
  const href = link?.getAttribute('href');
  if (!isPlain || !href?.startsWith('?')) return;
  event.preventDefault();
  navigation.go(addressOf(href));
}
