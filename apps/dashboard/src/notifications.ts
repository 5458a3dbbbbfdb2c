import type { DeploymentEvent } from '@shiplog/contract';
import { type Address, addressOf } from './address.ts';
import { versionOf } from './board/box.ts';
import { wantsEvent } from './board/filter.ts';
import { onEvents } from './live/connection.ts';
import { go } from './navigation.ts';
import { prefer, preferences } from './preferences.ts';
import { statusWord } from './ui/status.tsx';

/** More at once say less than their number does. */
const atOnceMax = 3;

/** Whether this page can notify at all: browsers allow it over https and on localhost only. */
export const canNotify = 'Notification' in window && window.isSecureContext;

/**
 * Asks the browser's permission, and notifies from then on of status changes that match the filters of the view.
 * @returns a sentence where it cannot be.
 */
export async function notifyFor(search: string): Promise<string | undefined> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return 'The browser does not allow it; change that in the settings of this site.';
  prefer({ notifyFor: search });
  return undefined;
}

/** From now on each fresh event that is wanted is notified; what had to be caught up with is not. */
export function startNotifying(): void {
  onEvents((events, isFresh) => {
    const { notifyFor } = preferences.value;
    if (notifyFor === undefined || !canNotify || Notification.permission !== 'granted') return;
    const { filter } = addressOf(notifyFor);
    const wanted = events.filter((event) => isFresh(event) && wantsEvent(filter, event));
    for (const event of wanted.slice(0, atOnceMax)) {
      const { id, service, environment, actor } = event;
      const body = actor ? `by ${actor}` : '';
      show({ title: titleOf(event), body, tag: id, opens: { slot: { service, environment } } });
    }
    const more = wanted.length - atOnceMax;
    const tag = wanted.at(-1)?.id ?? '';
    if (more > 0) show({ title: `${more} more deployment events`, body: '', tag, opens: { view: 'feed' } });
  });
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** Where a press on it leads. */
  readonly opens: Partial<Address>;
}

/** Every tab shows it, and of one tag the browser shows one. Some browsers (Chrome on Android) refuse it after all. */
function show({ title, body, tag, opens }: Shown): void {
  try {
    const notification = new Notification(title, { body, tag: `shiplog-${tag}` });
    notification.onclick = () => {
      window.focus();
      notification.close();
      go(opens);
    };
  } catch {
    prefer({ notifyFor: undefined });
  }
}

export function titleOf(event: DeploymentEvent): string {
  return `${event.service} ${versionOf(event)} ${statusWord(event.status)} in ${event.environment}`;
}
