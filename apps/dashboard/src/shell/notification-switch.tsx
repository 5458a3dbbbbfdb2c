import { useRef, useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { Alert } from '../ui/alert.tsx';
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
  const shown = useRef<HTMLLabelElement>(null);
  const toggle = async () => {
    if (search !== undefined) preferences.prefer({ notifyFor: undefined });
    else setFault(await notifyFor(app, navigation.linkTo({})));
  };
  // The command has no other place that shows its result. For other filters, it replaces those of the notifications.
  const toggleInSight = async () => {
    const link = navigation.linkTo({});
    if (search === link) preferences.prefer({ notifyFor: undefined });
    else setFault(await notifyFor(app, link));
    shown.current?.closest('details')?.setAttribute('open', '');
  };
  useCommand('notify', canNotify() ? () => void toggleInSight() : undefined);
  if (!canNotify()) return <p class="small">Notifications require HTTPS or localhost.</p>;
  return (
    <>
      <label ref={shown}>
        <input type="checkbox" checked={search !== undefined} onChange={toggle} /> notify me of{' '}
        {search === undefined ? "events that match this view's filters" : notifiedOf(app, search)}
      </label>
      {search !== undefined && (
        <p class="small">
          Notifications appear while a tab with Shiplog is open. <a href={search}>Open the view with these filters</a>
        </p>
      )}
      <Alert text={fault} />
    </>
  );
}
