import type { Hold } from '@shiplog/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noticesAt } from '../src/board/notices.ts';
import { Clock, type Connection } from '../src/live/connection.ts';
import { noticesOf } from '../src/live/notices.ts';
import { Store } from '../src/state/store.ts';
import { aHold as holdOf } from './support/holds.ts';

const now = Date.parse('2026-12-24T12:00:00Z');
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

const aHold = (given: Partial<Hold>) => holdOf(given, now);
const heldAt = (holds: readonly Hold[], ms: number) => noticesAt({ holds, outages: [] }, ms);

const exception = (services: string[], until: string) => ({
  ...{ id: 'e', services, until, reason: 'hotfix', by: null, created_at: at(-0.5) },
});

test('a freeze of all services marks its columns, one of some services their cells', () => {
  const all = heldAt([aHold({})], now);
  expect(all.ofColumn('prod-eu')?.text).toMatch(/^frozen until .*: Christmas \(Ines\)$/);
  expect(all.ofColumn('staging')).toBeUndefined();
  expect(all.ofSlot('pay', 'prod-eu', undefined)).toBeUndefined();
  const some = heldAt([aHold({ kind: 'lock', services: ['pay*'] })], now);
  expect(some.ofColumn('prod')).toBeUndefined();
  expect(some.ofSlot('pay-api', 'prod', undefined)?.kind).toBe('lock');
  expect(some.ofSlot('shop', 'prod', undefined)).toBeUndefined();
});

test('a hold is shown from its begin (inclusive) until its end (exclusive) or its release', () => {
  const isShown = (hold: Hold, ms: number) => heldAt([hold], ms).ofColumn('prod') !== undefined;
  const hold = aHold({ from: at(0), until: at(1) });
  expect([now - 1, now, now + 3_599_999, now + 3_600_000].map((ms) => isShown(hold, ms))).toEqual([
    ...[false, true, true, false],
  ]);
  expect(isShown(aHold({ released: { at: at(-0.2), by: null, reason: null } }), now)).toBe(false);
});

test('a freeze is announced within a day before its begin', () => {
  const announced = (hours: number) => heldAt([aHold({ from: at(hours), until: at(hours + 1) })], now).freezes.length;
  expect([announced(24), announced(24.1), announced(0)]).toEqual([1, 0, 1]);
  expect(heldAt([aHold({ kind: 'lock', from: at(1), until: at(2) })], now).freezes).toEqual([]);
});

test('an exception lifts the mark of its services until it ends', () => {
  const hold = aHold({ services: ['pay*'], exceptions: [exception(['pay-api'], at(0.5))] });
  const [before, after] = [heldAt([hold], now), heldAt([hold], now + 1_800_000)];
  expect(before.ofSlot('pay-api', 'prod', undefined)).toBeUndefined();
  expect(before.ofSlot('pay-web', 'prod', undefined)).toBeDefined();
  expect(after.ofSlot('pay-api', 'prod', undefined)).toBeDefined();
  expect(after.key).not.toBe(before.key);
});

test('a bad version marks the cells that run it, by version or sha', () => {
  const bad = heldAt([aHold({ kind: 'bad', version: '1.4.2', until: null, services: ['pay'] })], now);
  const of = (release: { version?: string; sha?: string } | undefined) => bad.ofSlot('pay', 'prod', release)?.kind;
  expect([of({ version: '1.4.2' }), of({ sha: '1.4.2' }), of({ version: '1.4.1' }), of(undefined)]).toEqual([
    ...['bad', 'bad', undefined, undefined],
  ]);
  expect(bad.ofSlot('shop', 'prod', { version: '1.4.2' })).toBeUndefined();
  expect(bad.ofColumn('prod')).toBeUndefined();
});

test('a tick of the clock does not count as the answer of the service', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  onTestFinished(() => void vi.useRealTimers().unstubAllGlobals());
  const listing = (items: readonly Hold[]) => ({ body: { items, next_cursor: null } });
  let answer = (_: ReturnType<typeof listing>) => {};
  const connection = {
    board: new Store(undefined),
    now: new Clock(),
    onNoticesChanged: () => () => {},
    client: {
      listHolds: () => new Promise((resolve) => (answer = resolve)),
      listOutages: async () => listing([]),
    },
  };
  const notices = noticesOf(connection as unknown as Connection);
  await vi.advanceTimersByTimeAsync(0);
  connection.now.setOffset(500);
  expect(notices.value).toBeUndefined();
  const from = new Date(Date.now()).toISOString();
  answer(listing([aHold({ from, until: null })]));
  await vi.advanceTimersByTimeAsync(0);
  expect(notices.value?.freezes).toHaveLength(1);
});
