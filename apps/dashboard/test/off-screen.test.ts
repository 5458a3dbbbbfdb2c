import type { MatrixRow } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countsBeyond, edges, nearestBeyond, positionsOf } from '../src/matrix/off-screen.ts';
import { anEvent } from './support/an-event.ts';

const at = (row: number, column: number) => ({ row, column });
const visible = { rows: { from: 2, until: 4 }, columns: { from: 1, until: 3 }, scrolled: 5 };

test('failures off screen are counted by their edge; those beyond a corner are above or below, pinned ones are visible', () => {
  const positions = [
    at(0, 4),
    at(1, 1),
    at(1, 2),
    at(2, 0),
    at(2, 2),
    at(2, 3),
    at(3, 4),
    at(3, 5),
    at(4, 0),
    at(9, 9),
  ];
  expect(countsBeyond(positions, visible)).toEqual({ above: 3, below: 2, left: 1, right: 2 });
  expect(edges.map((edge) => nearestBeyond(edge, positions, visible))).toEqual([
    at(1, 1),
    at(4, 0),
    at(2, 0),
    at(2, 3),
  ]);
  expect(countsBeyond([], visible)).toEqual({ above: 0, below: 0, left: 0, right: 0 });
  expect(nearestBeyond('left', [], visible)).toBeUndefined();
});

const small = fc.nat({ max: 12 });
const range = fc.record({ from: small, until: small });

test('each failure is counted beyond one edge at most, wherever the board is scrolled to', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ row: small, column: small })),
      fc.record({ rows: range, columns: range, scrolled: small }),
      (unsorted, window) => {
        const positions = unsorted.toSorted((one, other) => one.row - other.row || one.column - other.column);
        const isBeyond = ({ row, column }: (typeof positions)[number]) => {
          const isInRows = row >= window.rows.from && row < window.rows.until;
          const isInColumns = column >= window.columns.from && column < window.columns.until;
          return !isInRows || (column < window.scrolled && !isInColumns);
        };
        const counts = countsBeyond(positions, window);
        expect(edges.reduce((sum, edge) => sum + counts[edge], 0)).toBe(positions.filter(isBeyond).length);
        for (const edge of edges) expect(nearestBeyond(edge, positions, window) !== undefined).toBe(counts[edge] > 0);
      },
    ),
  );
});

test('a failure in a folded group or stage has the position of that line or column', () => {
  const row = (service: string): MatrixRow => ({ service, slots: {} });
  const group = { name: 'shop', services: ['cart', 'stock'], healthy: new Set<string>(), isCalm: true };
  const failure = (service: string, environment: string) => {
    const event = anEvent({ service, environment, status: 'failure' });
    const common = { warned: false, lastSuccess: undefined, next: undefined, hidden: undefined };
    return {
      ...{ service, environment },
      box: { ...common, tone: 'bad' as const, named: event, latest: event, isFirst: true, isInFuture: false },
    };
  };
  const positions = positionsOf(
    [failure('pay', 'dr'), failure('stock', 'dev'), failure('pay', 'gone')],
    [
      { kind: 'group', key: 'group shop', group, rows: [row('cart'), row('stock')], isOpen: false, canFold: true },
      { kind: 'row', key: 'row pay', row: row('pay'), level: 1 },
    ],
    [
      { key: 'dev', stage: 'dev', environments: ['dev'], isFolded: false },
      { key: 'stage prod', stage: 'prod', environments: ['prod', 'dr'], isFolded: true },
    ],
  );
  expect(positions).toEqual([at(0, 0), at(1, 1)]);
});
