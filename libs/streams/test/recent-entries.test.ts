import { expect, test } from 'vitest';
import { type Entry, RecentEntries } from '../src/index.ts';

const entry = (n: number, frame = 'x'): Entry => ({ id: String(n).padStart(4, '0'), key: 'a', frame });
const ids = (entries: readonly Entry[]) => entries.map(({ id }) => Number(id));

test('returns the entries after a position, and whether they are complete', () => {
  const recent = new RecentEntries({ entriesMax: 3, charactersMax: 100 }, '0000');
  recent.add([1, 2].map((n) => entry(n)));
  expect(ids(recent.after('0000'))).toEqual([1, 2]);
  expect(recent.reachBackTo('0000')).toBe(true);
  recent.add([3, 4].map((n) => entry(n)));
  expect(ids(recent.after('0002'))).toEqual([3, 4]);
  expect(recent.reachBackTo('0001')).toBe(true);
  expect(recent.reachBackTo('0000')).toBe(false);
  expect(recent.after('0004')).toEqual([]);
});

test('keeps at most the maximum number of characters, and excludes an entry that exceeds it', () => {
  const recent = new RecentEntries({ entriesMax: 100, charactersMax: 10 }, '0000');
  recent.add([entry(1, '12345'), entry(2, '12345'), entry(3, '1')]);
  expect(ids(recent.after('0000'))).toEqual([2, 3]);
  recent.add([entry(4, '12345678901')]);
  expect(recent.after('0000')).toEqual([]);
  expect(recent.reachBackTo('0003')).toBe(false);
  expect(recent.reachBackTo('0004')).toBe(true);
});
