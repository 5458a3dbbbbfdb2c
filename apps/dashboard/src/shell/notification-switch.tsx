import { useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { canNotify, notifiedOf, notifyFor } from './notifications.ts';

export function NotificationSwitch() {
  const app = useApp();
  const { connection, navigation, preferences } = app;
  const { notifyFor: search } = useStore(preferences);
  // The words for the filters name the environments of production.
  useStore(connection.stages);
  const [fault, setFault] = useState<string>();
  const toggle = async () => {
    if (search !== undefined) preferences.prefer({ notifyFor: undefined });
    else setFault(await notifyFor(app, navigation.linkTo({})));
  };
  useCommand('notify', canNotify() ? () => void toggle() : undefined);
  if (!canNotify()) return <p class="small">Notifications require HTTPS or localhost.</p>;
  return (
    <>
      <label>
        <input type="checkbox" checked={search !== undefined} onChange={toggle} /> notify me of{' '}
        {search === undefined ? "events that match this view's filters" : notifiedOf(app, search)}
      </label>
      {search !== undefined && (
        <a class="small" href={search}>
          Open the view with these filters
        </a>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
