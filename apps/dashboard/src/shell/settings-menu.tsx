import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { themes } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { holdsTitle, runCommand } from '../ui/commands.ts';
import { Menu } from '../ui/menu.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { SignedIn } from './signed-in.tsx';

/** Settings of this user, for all tabs of this browser. */
export function SettingsMenu() {
  const { navigation, preferences } = useApp();
  const { board } = useAddress();
  const { theme, singleKeys, notifyFor } = useStore(preferences);
  return (
    <Menu
      look="square soft"
      title={
        <>
          <Mark shape="settings" />
          <span class="unseen">Settings</span>
          {notifyFor !== undefined && (
            <span class="row notifying" title="Notifications are on">
              <Mark shape="bell" />
              <span class="unseen">, notifications are on</span>
            </span>
          )}
        </>
      }
    >
      <SignedIn />
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
      <label class="key-hint">
        <input type="checkbox" checked={singleKeys} onChange={() => preferences.prefer({ singleKeys: !singleKeys })} />{' '}
        single-key shortcuts (? lists them)
      </label>
      <NotificationSwitch />
      <p>
        <button
          type="button"
          class="chip"
          onClick={() => {
            preferences.prefer({ firstSteps: true });
            navigation.go({ view: 'board', slot: undefined, asof: undefined, board: { ...board, layout: 'grid' } });
          }}
        >
          First steps
        </button>
      </p>
      <p>
        <button
          type="button"
          class="chip"
          onClick={(event) => {
            event.currentTarget.closest('details')?.removeAttribute('open');
            runCommand('holds', navigation);
          }}
        >
          {holdsTitle}
        </button>
      </p>
      <p>
        <a href="docs">API documentation</a>
      </p>
    </Menu>
  );
}
