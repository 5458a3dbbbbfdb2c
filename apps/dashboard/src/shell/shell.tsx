import { useEffect } from 'preact/hooks';
import { addressOf, views } from '../state/address.ts';
import { imported } from '../state/imported.ts';
import type { Navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, usePast } from '../ui/app.ts';
import { isPending } from '../ui/commands.ts';
import { Freshness } from '../ui/freshness.tsx';
import { Later } from '../ui/later.tsx';
import { Link } from '../ui/link.tsx';
import { listen } from '../ui/listen.ts';
import { phone, useMedia } from '../ui/use-media.ts';
import { WholeVersion } from '../ui/whole-version.tsx';
import { LazyOverlay } from './lazy-overlay.tsx';
import { OutageBand } from './outage-band.tsx';
import { PaletteLauncher } from './palette-launcher.tsx';
import { Tabs } from './tabs.tsx';
import { CurrentView } from './view.tsx';
import { ViewMenu } from './view-menu.tsx';
import { viewNames } from './views.ts';

const loadDrawer = async () => (await imported(() => import('../history/history-drawer.tsx'))).Drawer;

export function Shell() {
  const { navigation, preferences, outage } = useApp();
  const { view, slot, quiet, asof } = useAddress();
  const { theme } = useStore(preferences);
  const isPhone = useMedia(phone);
  const isPast = usePast() !== undefined;
  // An outage does not affect past boards.
  const isOut = useStore(outage) !== undefined && !isPast;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${viewNames[view].title} · Shiplog`;
  }, [view]);
  useEffect(() => {
    return listen(document, { click: (event: MouseEvent) => stayOnPage(event, navigation) });
  }, [navigation]);
  if (quiet && view === 'board') {
    return <Later name="wall" load={async () => (await imported(() => import('../wall/wall-view.tsx'))).WallView} />;
  }
  return (
    <div class={`page ${quiet ? 'quiet' : ''} ${isOut ? 'outage' : ''}`}>
      <header>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <span class="brand">
          <img src="mark.svg" alt="" />
          Shiplog
        </span>
        {!quiet && !isPhone && (
          <nav aria-label="Views">
            {views.map((name) => (
              <Link key={name} to={{ view: name, slot: undefined }} aria-current={name === view ? 'page' : undefined}>
                {viewNames[name].title}
              </Link>
            ))}
          </nav>
        )}
        <span class="space" />
        <PaletteLauncher hasButton={!quiet} />
        <Freshness />
        {quiet ? <Link to={{ quiet: false }}>Leave quiet mode</Link> : !isPhone && <ViewMenu />}
      </header>
      <OutageBand />
      {asof !== undefined && view === 'board' && !quiet && (
        <div class={asof === 'now' && !isPending('before') ? 'past-room' : 'past-room dated'}>
          <Later
            name="past"
            load={async () => (await imported(() => import('../time-travel/time-travel.tsx'))).TimeTravel}
          />
        </div>
      )}
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">{viewNames[view].title}</h1>
        <CurrentView view={view} />
      </main>
      {isPhone && !quiet && <Tabs />}
      <WholeVersion />
      {slot && (
        <LazyOverlay
          load={loadDrawer}
          props={{
            key: JSON.stringify(slot),
            slot,
            onClose: () => navigation.go({ slot: undefined }),
            children: <OutageBand />,
          }}
        />
      )}
    </div>
  );
}

/** Opens links to other views without loading the page. */
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
