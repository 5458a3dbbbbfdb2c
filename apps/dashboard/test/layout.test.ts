import { describe, expect, test } from 'vitest';
import { lagIn } from '../src/board/attention.ts';
import { boxOf } from '../src/board/box.ts';
import { hasThirdLine } from '../src/matrix/cell.tsx';
import { positionAfter } from '../src/matrix/keyboard.ts';
import {
  columnLayout,
  densities,
  fullyVisible,
  indexesIn,
  nameWidthIn,
  rowHeightOf,
  topsOf,
  visibleRange,
} from '../src/matrix/layout.ts';
import { anEvent } from './support/an-event.ts';
import { someFacts } from './support/facts.ts';

describe('the grid', () => {
  test('rows have 46 pixels, and 18 more where a cell has a third line', () => {
    const heights = [false, true, false].map((isTall) => rowHeightOf(isTall, densities.compact));
    expect(topsOf(heights)).toEqual([0, 46, 110, 156]);
  });

  const since = '2026-05-04T09:40:00Z';
  const stuck = { happened_at: since, deployment_id: 'late' };
  test.each([
    ['stuck itself', { current: anEvent({ ...stuck, status: 'in-progress' }) }, true],
    ['followed by one that is stuck', { current: anEvent(), next: anEvent({ ...stuck, status: 'queued' }) }, false],
  ] as const)('a cell has a third line only for its own deployment: %s', (_, slot, isTall) => {
    const usual = { p50: 4, p95: 9, count: 7 };
    const facts = someFacts([{ stuck: { since, status: 'queued', deployment_id: 'late' }, usual }]);
    const box = boxOf(slot);
    const lag = lagIn({ service: 'a', environment: 'qa', box }, facts);
    expect([lag?.kind, hasThirdLine(box, lag)]).toEqual(['stuck', isTall]);
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

  test.each([
    [0, 186, { from: 0, until: 3 }],
    [1, 186, { from: 1, until: 3 }],
    [62.5, 150, { from: 2, until: 3 }],
    [10, 20, { from: 1, until: 0 }],
    [248, 1000, { from: 4, until: 5 }],
    [0, -5, { from: 0, until: 0 }],
  ])('a window at %d px with a height of %d px shows the expected rows from top to bottom', (start, length, due) => {
    expect(fullyVisible(topsOf([62, 62, 62, 62, 62]), start, length)).toEqual(due);
  });

  test.each([
    [undefined, [3, 4]],
    [3, [3, 4]],
    [1, [1, 3, 4]],
    [5, [3, 4, 5]],
  ])('besides the rendered rows, row %s stays rendered while it has the focus', (kept, due) => {
    expect(indexesIn({ from: 3, until: 5 }, kept)).toEqual(due);
  });

  const plain = (count: number) => Array.from({ length: count }, () => ({ isFolded: false }));
  test.each([
    [{ columns: plain(3) }, { widths: [200, 200, 200], scrolled: 3, lefts: [0, 200, 400, 600], pinnedWidth: 0 }],
    [{ columns: plain(50) }, { widths: Array(50).fill(138), scrolled: 50 }],
    [{ columns: [] }, { scrolled: 0, lefts: [0], pinnedWidth: 0 }],
    [
      { columns: plain(3), pinned: 1 },
      { widths: [200, 200, 200], scrolled: 2, lefts: [0, 200, 400], pinnedWidth: 200 },
    ],
    // A folded stage has more space for the name of its environment.
    [
      { columns: [...plain(2), { isFolded: true }], pinned: 1 },
      { widths: [185, 185, 229], lefts: [0, 185, 370], pinnedLefts: [0, 229] },
    ],
    [
      { columns: [{ isFolded: true }, ...plain(5)], pinned: 2 },
      { widths: [182, 138, 138, 138, 138, 138], lefts: [0, 182, 320, 458, 596], pinnedLefts: [0, 138, 276] },
    ],
    // It takes only what is left, unless the columns scroll anyway.
    [{ columns: [...plain(3), { isFolded: true }] }, { widths: [139, 139, 139, 183] }],
    [{ columns: [...plain(2), { isFolded: true }, { isFolded: true }] }, { widths: [138, 138, 162, 162] }],
    // Columns that would leave less than half of the space to the others are not pinned.
    [
      { columns: plain(6), pinned: 3 },
      { scrolled: 6, pinnedWidth: 0 },
    ],
    [
      { columns: plain(6), pinned: 2 },
      { scrolled: 4, pinnedWidth: 276 },
    ],
    [
      { columns: plain(1), pinned: 1 },
      { scrolled: 1, pinnedWidth: 0 },
    ],
  ])('columns share the width down to a minimum, and production is pinned (%j)', (wanted, due) => {
    const { columnWidthMin } = densities.compact;
    expect(columnLayout(790, { pinned: 0, nameWidth: 190, columnWidthMin, ...wanted })).toMatchObject(due);
  });

  test.each([
    [1400, undefined, 272],
    [700, undefined, 190],
    [1400, 400, 400],
    [1400, 9, 140],
    [1400, 9999, 600],
    [500, 400, 250],
  ])('in %i pixels the service column that was dragged to %s has %i', (room, dragged, due) => {
    expect(nameWidthIn(room, dragged)).toBe(due);
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
