import { Store } from '../state/store.ts';
import type { LinkState } from './messages.ts';
import { outageMs } from './source-times.ts';

/** After sleep or a frozen tab, the service has this long to answer. */
const backMs = 5000;

/** The start of an outage that has lasted for `outageMs`; `undefined` = no outage. */
export function outageOf(link: Store<LinkState>): Store<number | undefined> {
  const outage = new Store<number | undefined>(undefined);
  const openedAt = Date.now();
  let liveUntil = openedAt;
  let isLive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    clearTimeout(timer);
    const nowMs = Date.now();
    if (isLive) liveUntil = nowMs;
    isLive = link.value.link === 'live';
    const since = link.value.asOf || openedAt;
    const leftMs = Math.max(since + outageMs, liveUntil + backMs) - nowMs;
    outage.set(isLive || leftMs > 0 ? undefined : since);
    if (!isLive && leftMs > 0) timer = setTimeout(check, leftMs);
  };
  link.listen(check);
  check();
  return outage;
}
