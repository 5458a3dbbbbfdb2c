import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useEffect } from 'preact/hooks';
import { changeOf, unknownIn, views } from '../state/address.ts';
import { imported } from '../state/imported.ts';
import type { Navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { useIsOut } from '../ui/age.tsx';
import { useAddress, useApp, useBoard } from '../ui/app.ts';
import { isPending } from '../ui/commands.ts';
import { Freshness } from '../ui/freshness.tsx';
import { Later } from '../ui/later.tsx';
import { Link } from '../ui/link.tsx';
import { listen } from '../ui/listen.ts';
import { phone, useMedia } from '../ui/use-media.ts';
import { LazyOverlay } from './lazy-overlay.tsx';
import { OutageBand } from './outage-band.tsx';
import { PaletteLauncher } from './palette-launcher.tsx';
import { CurrentView, loadAhead } from './view.tsx';
import { viewNames } from './views.ts';

const loadDrawer = async () => (await imported(() => import('../history/history-drawer.tsx'))).Drawer;

const loadWall = async () => (await imported(() => import('../wall/wall-view.tsx'))).WallView;

export function Shell() {
  const { navigation, preferences } = useApp();
  const { view, slot, board, asof } = useAddress();
  const { theme } = useStore(preferences);
  const isPhone = useMedia(phone);
  const isOut = useIsOut();
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${viewNames[view].title} · Shiplog`;
  }, [view]);
  useEffect(() => {
    return listen(document, { click: (event: MouseEvent) => stayOnPage(event, navigation) });
  }, [navigation]);
  const isWall = view === 'board' && board.layout === 'wall';
  const isReady = useBoard() !== undefined;
  // The other views then open during an outage, too.
  useEffect(() => {
    if (isReady && !isWall) void loadAhead([loadDrawer, loadWall]);
  }, [isReady, isWall]);
  if (isWall) {
    return <Later name="wall" load={loadWall} />;
  }
  return (
    <div class={`page ${isOut ? 'outage' : ''}`}>
      <header>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <span class="brand">
          <img src="mark.svg" alt="" />
          Shiplog
        </span>
        {!isPhone && (
          <nav aria-label="Views">
            {views.map((name) => (
              <Link key={name} to={{ view: name, slot: undefined }} aria-current={name === view ? 'page' : undefined}>
                {viewNames[name].title}
              </Link>
            ))}
          </nav>
        )}
        <span class="space" />
        <PaletteLauncher />
        <Freshness />
        <Later
          name="settings"
          load={async () => (await imported(() => import('./settings-menu.tsx'))).SettingsMenu}
          meanwhile={
            <span class="square soft">
              <Mark shape="settings" />
            </span>
          }
        />
      </header>
      <OutageBand />
      {asof !== undefined && view === 'board' && board.layout === 'grid' && (
        <div class={asof === 'now' && !isPending('before') ? 'past-room' : 'past-room dated'}>
          <Later
            name="past"
            load={async () => (await imported(() => import('../time-travel/time-travel.tsx'))).TimeTravel}
          />
        </div>
      )}
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">{viewNames[view].title}</h1>
        <UnknownParameters />
        <CurrentView />
      </main>
      {isPhone && (
        <Later
          name="tabs"
          load={async () => (await imported(() => import('./tabs.tsx'))).Tabs}
          meanwhile={<nav class="tabs-room" aria-label="Views" />}
        />
      )}
      <Later
        name="whole-version"
        load={async () => (await imported(() => import('../ui/whole-version.tsx'))).WholeVersion}
        meanwhile=""
      />
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

/** Says which parts of the link that was opened mean nothing. */
function UnknownParameters() {
  useAddress();
  const names = unknownIn(location.search);
  if (names.length === 0) return null;
  return (
    <p class="small" role="status">
      This link has parameters that don’t exist in this view: {names.join(', ')}
    </p>
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
  // State that the address of another view doesn't set stays unchanged.
  navigation.go(changeOf(href));
}
