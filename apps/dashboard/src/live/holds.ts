import { answeredStatus } from '@shiplog/client';
import type { AnswerOf, endpoints, Hold } from '@shiplog/contract';
import { type Holds, holdsAt, noHolds } from '../board/holds.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import { settleLater } from './patience.ts';
import { pagesOf, startRequest } from './request.ts';

/** `undefined` until the service has answered or the page no longer waits for it. */
export type HoldsStore = Store<Holds | undefined>;

const everyMs = 60_000;
const upcomingHours = 24;
const pagesMax = 10;

/** The holds of now and of the next day, refreshed at each change and each minute, and judged by the service's clock. */
export function holdsOf({ board, client, now, onHoldsChanged }: Connection): HoldsStore {
  const store: HoldsStore = new Store(undefined);
  let items: readonly Hold[] = [];
  const update = () => store.set(holdsAt(items, now.present.value, store.value));
  const settle = () => store.value ?? store.set(noHolds);
  settleLater(board, settle);
  const ask = async (signal: AbortSignal) => {
    const found: Hold[] = [];
    const page = (from: { readonly cursor?: string }) =>
      client.listHolds({ query: { upcoming: upcomingHours, ...from }, signal }).catch(withoutHolds);
    for await (const each of pagesOf(page, pagesMax)) found.push(...each.items);
    items = found;
    update();
  };
  const { changed } = startRequest((signal) => ask(signal).finally(settle), { everyMs, settleMs: 0 });
  onHoldsChanged(changed);
  now.present.listen(update);
  return store;
}

/** The mock and earlier services have no holds. */
function withoutHolds(error: unknown): { readonly body: AnswerOf<(typeof endpoints)['listHolds']> } {
  if (answeredStatus(error) === 404) return { body: { items: [], next_cursor: null } };
  throw error;
}
