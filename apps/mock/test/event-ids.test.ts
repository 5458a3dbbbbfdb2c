import { expect, test } from 'vitest';
import { EventIds } from '../src/event-ids.ts';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nowMs = Date.parse('2026-05-04T09:12:02.123Z');

test('an id is a UUIDv7 with the current millisecond', () => {
  const id = new EventIds().next(nowMs);
  expect(id).toMatch(uuid7);
  expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(nowMs);
});

test.each([
  ['stands still', (n: number) => nowMs + 0 * n],
  ['advances', (n: number) => nowMs + n],
  ['steps back', (n: number) => nowMs - n],
  ['jumps back and forth', (n: number) => nowMs + (n % 2) * 60_000],
])('ids strictly increase even while the clock %s', (_, at) => {
  const ids = new EventIds();
  const made = Array.from({ length: 10_000 }, (_, n) => ids.next(at(n)));
  for (const id of made) expect(id).toMatch(uuid7);
  expect(new Set(made).size).toBe(made.length);
  expect([...made].sort()).toEqual(made);
});
