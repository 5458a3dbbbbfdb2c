import { expect, test } from 'vitest';
import { builtText, paceText, progressText } from '../src/domain/fold-build.ts';
import { foldingTimes, nextPause } from '../src/folding.ts';

test('the progress of a build has its rate and the time left', () => {
  const [begin, now] = [
    { events: 10_000, total: 3_000_000 },
    { events: 1_210_000, total: 3_010_000 },
  ];
  expect(progressText(now)).toBe('1,210,000 of about 3,010,000 events are in');
  expect(paceText(begin, now, 60)).toBe('20,000 a second, about 90 s left');
  expect(paceText(begin, now, 120)).toBe('10,000 a second, about 3 minutes left');
  expect(paceText(begin, now, 6000)).toBe('200 a second, about 2.5 hours left');
  expect(paceText(begin, begin, 60)).toBe('no progress yet');
  expect(builtText(1_200_000, 80)).toBe('1,200,000 events in 80 s, 15,000 a second');
});

test.each([
  [200, 0, 1000],
  [200, 100, 1000],
  [200, 1000, 200],
  [1000, 500, 1000],
  [1000, 2000, 500],
  [1000, 8000, 200],
])('after a pause of %i ms with %i events, the next one is %i ms long', (lastMs, rows, due) => {
  expect(nextPause(lastMs, rows, foldingTimes)).toBe(due);
});
