import { expect, test } from 'vitest';
import { durationMs } from '../src/index.ts';

test.each([
  ['7d', 604_800_000],
  ['12h', 43_200_000],
  ['90m', 5_400_000],
  ['30s', 30_000],
  ['0s', 0],
  ['1.12:00:00', 129_600_000],
  ['01:02:03', 3_723_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(['', '30', '5w', '1.5h', '-1h', '1 h', '24:00:00', '1:60:00', '1.1', '٣h', '1h\n'])(
  '%j is not a duration',
  (text) => {
    expect(durationMs(text)).toBeUndefined();
  },
);
