import { Store } from '../state/store.ts';
import type { LinkState } from './messages.ts';
import { outageMs } from './source-times.ts';

/** A page that was away itself (its machine slept, its tab was frozen) gives the service so long to answer first. */
const backMs = 5000;

/** Since when the service has not answered, if that is too long; `undefined` = there is no outage. */
export function outageOf(link: Store<LinkState>): Store<number | undefined> {
  const outage = new Store<number | undefined>(undefined);
  const openedAt = Date.now();
  let liveUntil = openedAt;
  let isLive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    const nowMs = Date.now();
    if (isLive) liveUntil = nowMs;
    isLive = link.value.link === 'live';
    const since = link.value.asOf || openedAt;
    const leftMs = Math.max(since + outageMs, liveUntil + backMs) - nowMs;
    outage.set(isLive || leftMs > 0 ? undefined : since);
    if (!isLive && leftMs > 0) timer = setTimeout(look, leftMs);
  };
  link.listen(look);
  look();
  return outage;
}
