import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LinkState } from '../src/live/messages.ts';
import { outageOf } from '../src/live/outage.ts';
import { disconnectedMs, lostMs, outageMs, sourceTimes } from '../src/live/source-times.ts';
import { Store } from '../src/state/store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { graceMs } = sourceTimes;

/** A page that has been live for a minute; `lose` changes its link after `afterMs`. */
function livePage() {
  const link = new Store<LinkState>({ link: 'live', reason: undefined, asOf: Date.now() });
  const outage = outageOf(link);
  vi.advanceTimersByTime(60_000);
  const brokeAt = Date.now();
  const lose = (afterMs: number, state: Partial<LinkState>) => {
    vi.advanceTimersByTime(afterMs);
    link.set({ ...link.value, reason: 'refused', asOf: brokeAt, ...state });
  };
  return { outage, brokeAt, lose };
}

test('five seconds after the stream broke, the page is disconnected since that moment if the service is unreachable', () => {
  const { outage, brokeAt, lose } = livePage();
  lose(graceMs, { link: 'polling', lostAt: brokeAt });
  lose(100, { link: 'away', lostAt: brokeAt });
  vi.advanceTimersByTime(5000 - graceMs - 101);
  expect(outage.value).toBe(undefined);
  vi.advanceTimersByTime(1);
  expect([lostMs, outage.value]).toEqual([5000, brokeAt]);
  lose(0, { link: 'live', lostAt: undefined });
  expect(outage.value).toBe(undefined);
});

test('a single failed check has time for another one before the page is disconnected', () => {
  const { outage, brokeAt, lose } = livePage();
  lose(0, { link: 'away' });
  vi.advanceTimersByTime(disconnectedMs - 1);
  expect(outage.value).toBe(undefined);
  vi.advanceTimersByTime(1);
  expect(outage.value).toBe(brokeAt);
  expect(disconnectedMs).toBeGreaterThan(sourceTimes.pollMs);
});

test('while the board can be polled, the page is connected without a stream', () => {
  const { outage, brokeAt, lose } = livePage();
  lose(graceMs, { link: 'polling', lostAt: brokeAt });
  vi.advanceTimersByTime(outageMs - graceMs - 1);
  expect(outage.value).toBe(undefined);
  vi.advanceTimersByTime(1);
  expect(outage.value).toBe(brokeAt);
});
