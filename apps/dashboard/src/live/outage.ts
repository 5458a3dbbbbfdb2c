import { Store } from '../state/store.ts';
import type { LinkState } from './messages.ts';
import { disconnectedMs, lostMs, outageMs } from './source-times.ts';

/**
 * When the page was disconnected: it has had no response for `disconnectedMs`, no stream and no response for `lostMs`,
 * or a board that is `outageMs` old, or its session has ended; `undefined` = connected. After sleep or a frozen tab,
 * the service has `disconnectedMs`.
 */
export function outageOf(link: Store<LinkState>): Store<number | undefined> {
  const outage = new Store<number | undefined>(undefined);
  const openedAt = Date.now();
  let liveUntil = openedAt;
  let isLive = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    clearTimeout(timer);
    const nowMs = Date.now();
    if (link.value.link === 'ended') return outage.set(link.value.asOf || nowMs);
    if (isLive) liveUntil = nowMs;
    isLive = link.value.link === 'live';
    const isAway = link.value.link === 'away';
    const { lostAt, asOf } = link.value;
    const endedAt = isAway ? Math.min(liveUntil, lostAt ?? liveUntil) : liveUntil;
    const since = isAway ? endedAt : asOf || openedAt;
    const patienceMs = isAway && lostAt !== undefined ? lostMs : disconnectedMs;
    const leftMs = Math.max(since + (isAway ? 0 : outageMs), endedAt + patienceMs) - nowMs;
    outage.set(isLive || leftMs > 0 ? undefined : since);
    if (!isLive && leftMs > 0) timer = setTimeout(check, leftMs);
  };
  link.listen(check);
  check();
  return outage;
}
