import { linkTo } from '../state/navigation.ts';
import { prefer, preferences, themes } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { Menu } from '../ui/menu.tsx';
import { NotificationSwitch } from './notification-switch.tsx';

/** How things look to this user, in all tabs of this browser. */
export function ViewMenu() {
  const { theme, density, absoluteTimes } = useStore(preferences);
  return (
    <Menu title="View ▾">
      <fieldset>
        <legend>Colours</legend>
        {themes.map((name) => (
          <label key={name}>
            <input type="radio" name="theme" checked={theme === name} onChange={() => prefer({ theme: name })} /> {name}
          </label>
        ))}
      </fieldset>
      <label>
        <input
          type="checkbox"
          checked={density === 'compact'}
          onChange={() => prefer({ density: density === 'compact' ? 'normal' : 'compact' })}
        />{' '}
        one line a row
      </label>
      <label>
        <input type="checkbox" checked={absoluteTimes} onChange={() => prefer({ absoluteTimes: !absoluteTimes })} />{' '}
        absolute times (UTC)
      </label>
      <NotificationSwitch />
      <p>
        <a href={linkTo({ quiet: true })}>Quiet mode for a wall display</a>
      </p>
      <p>
        <a href="docs">API documentation</a>
      </p>
    </Menu>
  );
}
