import { themes } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { ExportButton } from './export-button.tsx';
import { NotificationSwitch } from './notification-switch.tsx';

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
