import { expect, test } from 'vitest';
import type { Place, PlaceMark } from '../src/board/progress.ts';
import { countedMarks, markLooks, strokeTo, toneOf } from '../src/board/progress-words.ts';

const placesOf = (...marks: PlaceMark[]): Place[] =>
  marks.map((mark, index) => ({ environment: `e${index}`, mark, event: undefined }));

test.each<[PlaceMark[], ReturnType<typeof strokeTo>, ReturnType<typeof toneOf>]>([
  [['ok', 'ok'], 'solid', ''],
  [['newer', 'not'], 'solid', ''],
  [['passed', 'ok'], 'solid', ''],
  [['ok', 'run'], 'dashed', 'run'],
  [['stuck', 'bad', 'ok'], 'broken', 'bad'],
  [['waits', 'not'], 'dotted', 'wait'],
  [['not', 'none'], 'dotted', ''],
  [['none', 'skipped'], undefined, ''],
])('a stage with the marks %j has the look of its worst environment', (marks, stroke, tone) => {
  expect([strokeTo(placesOf(...marks)), toneOf(placesOf(...marks))]).toEqual([stroke, tone]);
});

test('a stage with many environments counts its marks, worst first', () => {
  expect(countedMarks(placesOf('ok', 'not', 'bad', 'ok', 'run'))).toEqual([
    { mark: 'bad', count: 1 },
    { mark: 'run', count: 1 },
    { mark: 'ok', count: 2 },
    { mark: 'not', count: 1 },
  ]);
});

test('each mark has a shape of its own, except that slow looks like running, and only "never deployed" is a dash', () => {
  const shapes = Object.entries(markLooks).flatMap(([mark, [shape]]) => (mark !== 'slow' && shape ? [shape] : []));
  expect(new Set(shapes).size).toBe(shapes.length);
  expect(shapes).not.toContain('dash');
  const without = Object.entries(markLooks).flatMap(([mark, [shape]]) => (shape ? [] : [mark]));
  expect(without).toEqual(['skipped', 'none']);
  expect(markLooks.pending[0]).toBe('ring');
});
