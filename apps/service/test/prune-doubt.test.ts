import { expect, test } from 'vitest';
import { isConfirmed, pruneDoubt } from '../src/domain/prune-doubt.ts';

const hours = (count: number) => count * 3_600_000;
const inUse = { quietMs: hours(1), overdueMs: hours(24 * 100) };
const quiet = { quietMs: hours(49), overdueMs: hours(24 * 100) };

test.each([
  ['a day of a log in use', { rows: 300, total: 100_000, ...inUse }, undefined],
  ['half of a log in use', { rows: 500, total: 1000, ...inUse }, undefined],
  ['more than half', { rows: 501, total: 1000, ...inUse }, 'most-of-log'],
  [
    'more than half, imported just now',
    { rows: 670, total: 1000, quietMs: 0, overdueMs: hours(24 * 700) },
    'most-of-log',
  ],
  ['5 % after 48 quiet hours', { rows: 50, total: 1000, ...quiet }, undefined],
  ['more than 5 % after 48 quiet hours', { rows: 51, total: 1000, ...quiet }, 'clock-ahead'],
  ['more than 5 % within 48 quiet hours', { rows: 51, total: 1000, ...quiet, quietMs: hours(48) }, undefined],
  [
    'all after a jump of 400 days',
    { rows: 100, total: 100, quietMs: hours(24 * 400), overdueMs: hours(9000) },
    'clock-ahead',
  ],
  [
    'all of a small log after a jump',
    { rows: 9, total: 9, quietMs: hours(24 * 400), overdueMs: hours(840) },
    'clock-ahead',
  ],
  [
    'the last rows of a small quiet log, beyond the retention since yesterday',
    { rows: 2, total: 3, quietMs: hours(9000), overdueMs: hours(24) },
    undefined,
  ],
  ['a few late rows of a small log in use', { rows: 3, total: 4, ...inUse }, undefined],
])('%s', (_, run, doubt) => {
  expect(pruneDoubt(run)).toBe(doubt);
});

test.each([
  [1000, undefined, false],
  [1000, 1000, true],
  [1100, 1000, true],
  [1101, 1000, false],
  [500, 1000, true],
  [499, 1000, false],
  [1_010_000, 1_000_000, true],
  [1_010_001, 1_000_000, false],
])('pruning %d rows with PRUNE_CONFIRM=%s is confirmed: %s', (rows, confirmed, is) => {
  expect(isConfirmed(rows, confirmed)).toBe(is);
});
