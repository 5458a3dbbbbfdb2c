import { expect, test } from 'vitest';
import { ageOf, longAgeOf } from '../src/age.ts';

test.each([
  [2, 'now', 'just now'],
  [59, '59 s', '59 seconds ago'],
  [60, '1 min', '1 minute ago'],
  [7199, '1 h', '1 hour ago'],
  [200_000, '2 d', '2 days ago'],
  [-60, 'now', 'just now'],
  [-61, 'dated 1 min ahead', 'dated 1 minute ahead'],
  [-3590, 'dated 1 h ahead', 'dated 1 hour ahead'],
  [-10_795, 'dated 3 h ahead', 'dated 3 hours ahead'],
  [-200_000, 'dated 2 d ahead', 'dated 2 days ahead'],
])('an age of %i seconds is shown as %j, and in words as %j', (seconds, short, long) => {
  const nowMs = Date.parse('2026-05-04T10:00:00Z');
  expect([ageOf(nowMs - seconds * 1000, nowMs), longAgeOf(nowMs - seconds * 1000, nowMs)]).toEqual([short, long]);
});
