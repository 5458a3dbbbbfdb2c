import { themes } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { NotificationSwitch } from './notification-switch.tsx';

/** The look of the page for this user, in all tabs of this browser. */
export function ViewMenu() {
  const { preferences } = useApp();
  const { theme, density, absoluteTimes } = useStore(preferences);
  return (
    <Menu title="View ▾">
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
        one line a row
      </label>
      <label>
        <input
          type="checkbox"
          checked={absoluteTimes}
          onChange={() => preferences.prefer({ absoluteTimes: !absoluteTimes })}
        />{' '}
        absolute times (UTC)
      </label>
      <NotificationSwitch />
      <p>
        <Link to={{ quiet: true }}>Quiet mode for a wall display</Link>
      </p>
      <p>
        <a href="docs">API documentation</a>
      </p>
    </Menu>
  );
}
