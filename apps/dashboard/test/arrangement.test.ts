import type { MatrixRow } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import {
  type Arrangement,
  type Arranging,
  arranged,
  boardLines,
  cachedRows,
  foldedCount,
  isSameArrangement,
  steadied,
  toggledLine,
  type Unfolding,
} from '../src/board/arrangement.ts';
import { rarelyUsed } from '../src/board/columns.ts';
import { anEvent } from './support/an-event.ts';
import { stagesNamed } from './support/stages.ts';

const rowsOf = (names: string): MatrixRow[] =>
  names
    .split(' ')
    .sort()
    .map((service) => ({ service, slots: {} }));

/** Services are named after their group, with a number: `pay1` is in the group `pay`; `x` has no group. */
const arranging = (needing: string, notWell = needing, more: Partial<Arranging> = {}): Arranging => ({
  nameOf: (service) => /^(.*)\d$/.exec(service)?.[1],
  isByAttention: true,
  urgency: new Map(needing.split(' ').map((service, place) => [service, place])),
  isHealthy: ({ service }) => !notWell.split(' ').includes(service),
  folds: true,
  ...more,
});

/** For example "pay: b a (c)". Healthy services are in brackets, and so is a group without problems. */
function told(arrangement: Arrangement): string {
  return arrangement
    .map(({ name = '-', services, healthy, isCalm, isNew }) => {
      const listed = services.map((service) => (healthy.has(service) ? `(${service})` : service)).join(' ');
      const head = isNew ? 'new' : name;
      return `${isCalm ? `(${head})` : head}: ${listed}`;
    })
    .join(', ');
}

const all = rowsOf('cart1 cart2 pay1 pay2 pay3 x');

describe('arranging a board', () => {
  test.each<[string, Arranging, string]>([
    [
      'puts the worst group first and the worst service first in each group, with healthy services last',
      arranging('pay3 x', 'pay3 x pay2'),
      'pay: pay3 pay2 (pay1), -: x, (cart): (cart1) (cart2)',
    ],
    [
      'sorts groups and services by name',
      arranging('pay3 x', 'pay3 x pay2', { isByAttention: false }),
      '(cart): (cart1) (cart2), pay: (pay1) pay2 pay3, -: x',
    ],
    [
      'sorts healthy services by name if nothing is folded',
      arranging('pay3', 'pay3', { folds: false }),
      'pay: pay3 pay1 pay2, cart: cart1 cart2, -: x',
    ],
    [
      'makes one group that never folds if no service has a group',
      arranging('pay3', 'pay3 pay2', { nameOf: () => undefined }),
      '-: pay3 cart1 cart2 pay1 pay2 x',
    ],
  ])('arranging a board %s', (_, by, due) => {
    expect(told(arranged(all, by))).toBe(due);
  });
});

describe('after an update of the board', () => {
  const before = arranged(all, arranging('pay3'));
  test.each<[string, string, string, string, boolean]>([
    ['no line moves if nothing has changed', 'cart1 cart2 pay1 pay2 pay3 x', 'pay3', '', true],
    ['a service that becomes unhealthy keeps its place', 'cart1 cart2 pay1 pay2 pay3 x', 'pay3 pay2', '', false],
    ['a group that becomes unhealthy keeps its place', 'cart1 cart2 pay1 pay2 pay3 x', 'pay3 cart2', '', false],
    [
      'all lines keep their places if another service needs attention',
      'cart1 cart2 pay1 pay2 pay3 x',
      'cart2',
      '',
      false,
    ],
    [
      'the remaining lines keep their places if services disappear',
      'cart2 pay2 pay3',
      'pay3',
      'pay: pay3 (pay2), (cart): (cart2)',
      false,
    ],
    [
      'added services follow in lines of their own groups',
      'cart1 cart2 cart3 pay1 pay2 pay3 x y',
      'pay3 y',
      'pay: pay3 (pay1) (pay2), (cart): (cart1) (cart2), (-): (x), new: y cart3',
      false,
    ],
  ])('after an update, %s', (_, names, needing, stands, isSame) => {
    const now = arranged(rowsOf(names), arranging(needing));
    const steady = steadied(before, now);
    expect([told(steady), isSameArrangement(now, steady)]).toEqual([stands || told(before), isSame]);
    expect(isSameArrangement(now, now)).toBe(true);
  });

  test('services added later follow those added earlier', () => {
    const first = steadied(before, arranged(rowsOf('pay3 x y'), arranging('pay3')));
    const later = steadied(first, arranged(rowsOf('a1 pay3 x y'), arranging('a1')));
    expect(told(later)).toBe('pay: pay3, (-): (x), new: y a1');
  });

  test('on a board without groups, a new service comes last until the board is arranged again', () => {
    const plain = (names: string) => arranged(rowsOf(names), arranging('none', '', { nameOf: () => undefined }));
    const stands = (names: string) => {
      const now = plain(names);
      const steady = steadied(plain('b d'), now);
      return [told(steady), isSameArrangement(now, steady)];
    };
    expect(stands('b d e f')).toEqual(['-: b d e f', true]);
    expect(stands('a b d e')).toEqual(['-: b d a e', false]);
  });
});

describe('the lines of a board', () => {
  const arrangement = arranged(all, arranging('pay3', 'pay3 pay2'));
  const rows = cachedRows()(all);
  const nothing: Unfolding = { opened: [], closed: [], whole: [] };
  const tell = (unfolding: Unfolding, canFold = true) => {
    const lines = boardLines(arrangement, rows, unfolding, canFold);
    const texts = lines.map((line) =>
      line.kind === 'row' ? line.row.service : `${line.isOpen ? '-' : '+'}${line.key} ${line.rows.length}`,
    );
    return [texts.join(', '), foldedCount(lines)];
  };
  test.each<[string, Partial<Unfolding>, string, number]>([
    ['', {}, '-group pay 3, pay3, pay2, +healthy pay 1, +group cart 2, +group - 1', 4],
    [
      'if a group is open',
      { opened: ['cart'] },
      '-group pay 3, pay3, pay2, +healthy pay 1, -group cart 2, +healthy cart 2, +group - 1',
      4,
    ],
    ['if a group is folded', { closed: ['pay'] }, '+group pay 3, +group cart 2, +group - 1', 6],
    [
      'if a group shows all its services',
      { whole: ['pay', '-'] },
      '-group pay 3, pay3, pay2, -healthy pay 1, pay1, +group cart 2, -group - 1, -healthy - 1, x',
      2,
    ],
  ])('the board has the lines of its groups %s', (_, unfolding, due, folded) => {
    expect(tell({ ...nothing, ...unfolding })).toEqual([due, folded]);
  });

  test('groups that can’t be folded are open, whatever the address says', () => {
    expect(tell({ ...nothing, closed: ['pay'] }, false)[0]).toBe(
      '-group pay 3, pay3, pay2, +healthy pay 1, -group cart 2, +healthy cart 2, -group - 1, +healthy - 1',
    );
  });

  test('the list of rows is the same object while all of its rows are', () => {
    const kept = cachedRows();
    const before = kept(all);
    const after = kept(all.map((row) => (row.service === 'x' ? { ...row } : row)));
    const pay = ['pay1', 'pay2'];
    expect(after('group pay', pay)).not.toBe(before('group pay', ['pay1']));
    expect(after('group pay', pay)).toBe(after('group pay', pay));
    const rest = before('group -', ['x']);
    expect(after('group -', ['x'])).not.toBe(rest);
    expect(after('group -', ['x']).map(({ service }) => service)).toEqual(['x']);
  });

  test('toggling a line opens and folds it', () => {
    const [calm] = arrangement.filter(({ isCalm }) => isCalm);
    const [busy] = arrangement.filter(({ isCalm }) => !isCalm);
    if (!calm || !busy) throw new Error('a kind of line is missing');
    const line = (kind: 'group' | 'healthy', group: typeof calm, isOpen: boolean) =>
      ({ kind, key: '', group, rows: [], isOpen, canFold: true }) as const;
    const opened = toggledLine(line('group', calm, false), nothing);
    expect(opened).toEqual({ ...nothing, opened: ['cart'] });
    const whole = toggledLine(line('healthy', calm, false), opened);
    expect(whole).toEqual({ ...opened, whole: ['cart'] });
    expect(toggledLine(line('healthy', calm, true), whole)).toEqual(opened);
    expect(toggledLine(line('group', calm, true), whole)).toEqual(nothing);
    const closed = toggledLine(line('group', busy, true), nothing);
    expect(closed).toEqual({ ...nothing, closed: ['pay'] });
    expect(toggledLine(line('group', busy, false), closed)).toEqual(nothing);
  });

  test('a board without groups lists only services', () => {
    const flat = arranged(all, arranging('x', 'x', { nameOf: () => undefined }));
    const lines = boardLines(flat, rows, nothing, true);
    expect(lines.map((line) => line.kind === 'row' && line.level)).toEqual(Array(6).fill(1));
  });
});

test('environments used by few services are rarely used, unless they are stages or the viewer ordered them', () => {
  const slot = { current: anEvent() };
  const rows: MatrixRow[] = Array.from({ length: 8 }, (_, index) => ({
    service: `${index}`,
    slots: Object.fromEntries([
      ...(index < 1
        ? [
            ['r1', slot],
            ['r2', slot],
            ['picked', slot],
            ['Prod', slot],
          ]
        : []),
      ...(index < 2 ? [['quarter', slot]] : []),
    ]),
  }));
  const columns = ['r1', 'quarter', 'picked', 'r2', 'Prod', 'unused'];
  expect([...rarelyUsed(columns, rows, stagesNamed(['prod'], columns), { order: ['picked'] })]).toEqual([
    'r1',
    'r2',
    'unused',
  ]);
  expect(rarelyUsed(['r1', 'quarter'], rows, stagesNamed(['prod']), { order: [] }).size).toBe(0);
});
