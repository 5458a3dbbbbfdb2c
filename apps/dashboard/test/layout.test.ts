import { describe, expect, test } from 'vitest';
import { positionAfter } from '../src/matrix/keyboard.ts';
import {
  type ColumnLayout,
  type ColumnPlan,
  columnLayout,
  columnWidth,
  type Density,
  densities,
  rowHeightOf,
  topsOf,
  visibleRange,
} from '../src/matrix/layout.ts';

describe('the grid', () => {
  test('a row of the grid is as high as its fullest cell', () => {
    const heights = (lines: number[], density: Density) => topsOf(lines.map((count) => rowHeightOf(count, density)));
    expect(heights([0, 1, 3], densities.normal)).toEqual([0, 62, 124, 226]);
    expect(heights([3, 3], densities.compact)).toEqual([0, 36, 72]);
  });

  test.each([
    [0, 100, 0, { from: 0, until: 2 }],
    [62, 62, 0, { from: 1, until: 3 }],
    [0, 10_000, 4, { from: 0, until: 5 }],
    [10_000, 100, 1, { from: 4, until: 5 }],
  ])(
    'a window at %i px with a height of %i px and %i more rows on each side shows the expected rows',
    (start, length, spare, due) => {
      expect(visibleRange(topsOf([62, 62, 62, 62, 62]), { start, length, spare })).toEqual(due);
    },
  );

  test('columns share the width, down to a minimum width', () => {
    expect(columnWidth(1190, 5, densities.normal)).toBe(200);
    expect(columnWidth(1190, 50, densities.normal)).toBe(168);
    expect(columnWidth(1190, 0, densities.normal)).toBe(168);
  });

  test.each<[string, Partial<ColumnPlan>, Partial<ColumnLayout>]>([
    ['all columns', {}, { width: 200, scrolled: 3, lefts: [0, 200, 400, 600], pinnedWidth: 0, othersWidth: 0 }],
    ['a pinned last column', { isPinned: true }, { width: 200, scrolled: 2, lefts: [0, 200, 400], pinnedWidth: 200 }],
    [
      'rarely used environments next to the pinned column',
      { isPinned: true, others: ['x'] },
      { width: 168, pinnedWidth: 264, othersWidth: 96 },
    ],
    [
      'the button that folds rarely used environments',
      { isUnrolled: true },
      { width: 188, scrolled: 3, pinnedWidth: 36, othersWidth: 36 },
    ],
  ])('the grid has a position for %s', (_, plan, due) => {
    const layout = columnLayout(
      790,
      { columns: ['dev', 'qa', 'prod'], isPinned: false, others: [], isUnrolled: false, ...plan },
      densities.normal,
    );
    expect(layout).toMatchObject(due);
  });

  test.each([
    ['ArrowDown', { row: 1, column: 0 }],
    ['ArrowUp', { row: 0, column: 0 }],
    ['ArrowLeft', { row: 0, column: -1 }],
    ['End', { row: 0, column: 2 }],
    ['PageDown', { row: 4, column: 0 }],
    ['x', undefined],
  ])('the key %s moves the focus to %j', (key, due) => {
    expect(positionAfter(key, { row: 0, column: 0 }, 5, 3)).toEqual(due);
  });
});
