import { useState } from 'preact/hooks';
import { themes } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { Alert } from '../ui/alert.tsx';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { canNotify, notifyFor } from './notifications.ts';

export function ViewMenu() {
  return (
    <Menu title="View ▾">
      <ViewSettings />
    </Menu>
  );
}

/** Display settings of this user, for all tabs of this browser. */
export function ViewSettings() {
  const { preferences } = useApp();
  const { theme, density, absoluteTimes, singleKeys } = useStore(preferences);
  return (
    <>
      <fieldset>
        <legend>Colours</legend>
        {themes.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="theme"
              checked={theme === name}
              onChange={() => preferences.prefer({ theme: name })}
            />{' '}
            {name}
          </label>
        ))}
      </fieldset>
      <label>
        <input
          type="checkbox"
          checked={density === 'compact'}
          onChange={() => preferences.prefer({ density: density === 'compact' ? 'normal' : 'compact' })}
        />{' '}
        one line per row
      </label>
      <label>
        <input
          type="checkbox"
          checked={absoluteTimes}
          onChange={() => preferences.prefer({ absoluteTimes: !absoluteTimes })}
        />{' '}
        absolute times (UTC)
      </label>
      <label class="key-hint">
        <input type="checkbox" checked={singleKeys} onChange={() => preferences.prefer({ singleKeys: !singleKeys })} />{' '}
        single-key shortcuts (? lists them)
      </label>
      <NotificationSwitch />
      <p>
        <ExportButton />
      </p>
      <p>
        <Link to={{ view: 'board', slot: undefined, asof: 'now' }}>Board at another time</Link>
      </p>
      <p>
        <Link to={{ view: 'board', slot: undefined, quiet: true }}>Wall display</Link>
      </p>
      <p>
        <a href="docs">API documentation</a>
      </p>
    </>
  );
}

function ExportButton() {
  const app = useApp();
  const hasBoard = useStore(app.connection.board) !== undefined;
  const [fault, setFault] = useState<string>();
  const run = async () => {
    try {
      (await import('./export-board.ts')).exportBoard(app);
      setFault(undefined);
    } catch {
      // After an upgrade the service no longer has the script that this page requests.
      setFault("Can't export the board. Reload the page and try again.");
    }
  };
  return (
    <>
      <button type="button" class="chip" disabled={!hasBoard} onClick={() => void run()}>
        Export the board as HTML
      </button>
      <Alert text={fault} />
    </>
  );
}

function NotificationSwitch() {
  const { navigation, preferences } = useApp();
  const { notifyFor: search } = useStore(preferences);
  const [fault, setFault] = useState<string>();
  if (!canNotify()) return <p class="small">Notifications require HTTPS or localhost.</p>;
  const toggle = async () => {
    if (search !== undefined) preferences.prefer({ notifyFor: undefined });
    else setFault(await notifyFor(preferences, navigation.linkTo({})));
  };
  return (
    <>
      <label>
        <input type="checkbox" checked={search !== undefined} onChange={toggle} /> notify me of events that match this
        view's filters
      </label>
      {search !== undefined && (
        <a class="small" href={search}>
          Open the notification filters
        </a>
      )}
      <Alert text={fault} />
    </>
  );
}
