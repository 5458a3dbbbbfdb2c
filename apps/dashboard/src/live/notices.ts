import { answeredStatus } from '@shiplog/client';
import type { Hold, Outage } from '@shiplog/contract';
import { type Noted, type Notices, noNotices, noticesAt } from '../board/notices.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { settleLater } from './patience.ts';
import { itemsOf, type Listing, startRequest } from './request.ts';

/** `undefined` until the service has answered or the page no longer waits for it. */
export type NoticesStore = Store<Notices | undefined>;

const everyMs = 60_000;
const upcomingHours = 24;
const pagesMax = 10;
const clockErrorMs = 1000;

/**
 * The holds in force or beginning within a day, and the open outages, by the service's clock. Refreshed at each change
 * and every minute.
 */
export function noticesOf({ board, client, now, onNoticesChanged }: Connection): NoticesStore {
  const store: NoticesStore = new Store(undefined);
  let noted: Noted | undefined;
  const update = () => noted && store.set(noticesAt(noted, now.present.value, store.value));
  const settle = () => store.value ?? store.set(noNotices);
  settleLater(board, settle);
  const ask = async (signal: AbortSignal) => {
    const [holds, outages] = await Promise.all([
      listed<Hold>((from) => client.listHolds({ query: { upcoming: upcomingHours, ...from }, signal })),
      listed<Outage>((from) => client.listOutages({ query: { open: 'true', ...from }, signal })),
    ]);
    noted = { holds, outages };
    // What begins now is shown now, even if this machine's clock is up to a second behind the service's.
    now.tick();
    update();
    setTimeout(() => now.tick(), clockErrorMs);
  };
  const { changed } = startRequest((signal) => ask(signal).finally(settle), { everyMs, settleMs: 0 });
  onNoticesChanged(changed);
  now.present.listen(update);
  return store;
}

/** The items of a list; none of the mock and of earlier services, which don't have it. */
function listed<Item>(
  ask: (from: { readonly cursor?: string }) => Promise<{ readonly body: Listing<Item> }>,
): Promise<Item[]> {
  const without = (error: unknown): Item[] => {
    if (answeredStatus(error) === 404) return [];
    throw error;
  };
  return itemsOf(ask, pagesMax).catch(without);
}
