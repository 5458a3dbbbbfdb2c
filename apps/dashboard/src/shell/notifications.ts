import type { DeploymentEvent } from '@shiplog/contract';
import { literalGlob, pluralize, versionOf } from '@shiplog/text';
import { type Filter, wantsEvent } from '../board/filter.ts';
import { productionNames } from '../board/scope.ts';
import { stagesOn } from '../board/stages.ts';
import { filterLabels } from '../filters/filter-labels.ts';
import { type Address, addressOf, changesOf } from '../state/address.ts';
import type { App } from '../ui/app.ts';
import { statusLabel } from '../ui/status.tsx';

interface Notice {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly opens: Partial<Address>;
}

/** Whether the browser supports notifications here: only over HTTPS and on localhost. */
export function canNotify(): boolean {
  return 'Notification' in window && window.isSecureContext;
}

/**
 * Requests the browser's permission, and enables notifications of status changes that match the filters of the view. A
 * first notification says so.
 * @returns a sentence to display if the browser refuses.
 */
export async function notifyFor(app: App, search: string): Promise<string | undefined> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return 'The browser blocks notifications. Allow them in its settings for this site.';
  const body = `You will be notified of ${notifiedOf(app, search)}`;
  if (!show({ title: 'Notifications are on', body, tag: 'shiplog-on' })) {
    return 'This browser shows notifications only of installed apps.';
  }
  app.preferences.prefer({ notifyFor: search });
  return undefined;
}

/** The filters of the notifications, in words: "events that match: environment prod, failed only". */
export function notifiedOf(app: App, search: string): string {
  const labels = filterLabels({ ...addressOf(search), filter: filterOf(app, search) });
  return labels.length > 0 ? `events that match: ${labels.join(', ')}` : 'all events';
}

/**
 * Notifies of new events that match. Ignores events from before the page caught up, and all events while a past board
 * is shown.
 */
export function startNotifying(app: App): void {
  const { connection, past, preferences, ownership } = app;
  connection.onEvents((events, isFresh) => {
    const { notifyFor } = preferences.value;
    if (past.value.shown !== undefined) return;
    if (notifyFor === undefined || !canNotify() || Notification.permission !== 'granted') return;
    const filter = filterOf(app, notifyFor);
    const wanted = events.filter((event) => isFresh(event) && wantsEvent(filter, event, ownership.value));
    for (const { title, body, tag, opens } of noticesOf(wanted)) {
      const notification = show({ title, body, tag: `shiplog-${tag}` });
      if (!notification) return preferences.prefer({ notifyFor: undefined });
      notification.onclick = () => {
        window.focus();
        notification.close();
        app.navigation.go(opens);
      };
    }
  });
}

/** The filter of a view. Changes are about production if they name no environment. */
function filterOf({ connection, preferences }: App, search: string): Filter {
  const { view, filter } = addressOf(search);
  if (view !== 'changes' || filter.environments.length > 0) return filter;
  const { environments = [] } = connection.board.value ?? {};
  const stages = stagesOn(environments, connection.stages.value, preferences.value.production);
  return { ...filter, environments: productionNames(stages).map(literalGlob) };
}

/** Every tab shows the notification; the browser merges them by tag. `undefined` if it throws (Chrome on Android does). */
function show({ title, body, tag }: Omit<Notice, 'opens'>): Notification | undefined {
  try {
    return new Notification(title, { body, tag });
  } catch {
    return undefined;
  }
}

/** The maximum number of events that get separate notifications. Other simultaneous events are only counted. */
const atOnceMax = 3;

export function noticesOf(events: readonly DeploymentEvent[]): Notice[] {
  const single = events.slice(0, atOnceMax).map((event) => {
    const { id, service, environment, actor } = event;
    const body = actor ? `by ${actor}` : '';
    return { title: titleOf(event), body, tag: id, opens: { slot: { service, environment } } };
  });
  const more = events.length - atOnceMax;
  if (more <= 0) return single;
  const title = pluralize(more, 'more deployment event');
  return [...single, { title, body: '', tag: events.at(-1)?.id ?? '', opens: changesOf({}) }];
}

function titleOf(event: DeploymentEvent): string {
  return `${event.service} ${versionOf(event)} ${statusLabel(event.status)} in ${event.environment}`;
}
