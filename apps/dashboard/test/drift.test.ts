import type { MatrixRow } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { comparedIn, driftFromDiff, driftIn, driftLabel, driftWords, neighboursOf } from '../src/board/drift.ts';
import { isHealthy } from '../src/board/healthy.ts';
import { cellSentence } from '../src/board/sentence.ts';
import { shownOf } from '../src/board/shown.ts';
import { home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

const success = (id: string) => ({ current: anEvent({ id }) });
const row: MatrixRow = {
  service: 'pay',
  slots: {
    dev: success('1'),
    staging: { current: anEvent({ id: '3', status: 'failure' }), last_successful: anEvent({ id: '2' }) },
    prod: { current: anEvent({ id: '4', status: 'failure' }) },
  },
};

test.each<[string, string[], [string, string][]]>([
  [
    'stages in promotion order',
    ['prod', 'dev', 'qa'],
    [
      ['dev', 'qa'],
      ['qa', 'prod'],
    ],
  ],
  ['environments outside the promotion order have no neighbour', ['other', 'dev'], []],
  [
    'all spellings of one stage share the previous stage',
    ['Prod', 'dev', 'prod'],
    [
      ['dev', 'Prod'],
      ['dev', 'prod'],
    ],
  ],
])('neighbouring stages: %s', (_, environments, due) => {
  expect(neighboursOf(environments, ['dev', 'staging', 'qa', 'prod'])).toEqual(due);
});

test('drift compares the last successes of two stages', () => {
  expect(comparedIn(row, ['dev', 'staging'])).toEqual(['1', '2']);
  expect(comparedIn(row, ['staging', 'prod'])).toEqual(['2', undefined]);
  expect(comparedIn(row, ['none', 'dev'])).toEqual([undefined, '1']);
});

test.each([
  ['ahead', 2, '2 behind', '2 releases behind dev'],
  ['behind', null, 'ahead', 'ahead of dev'],
  ['diverged', null, 'apart', "apart from dev: neither had the other's release"],
] as const)(
  'shows the drift of a slot whose relation to the previous stage is %s',
  (relation, behind, label, words) => {
    const drift = driftFromDiff(relation, behind, 'dev', ['1', '2']);
    expect(drift && [driftLabel(drift), driftWords(drift)]).toEqual([label, words]);
  },
);

test.each(['same', 'only-from', 'only-to'] as const)(
  'finds no drift if the comparison has the result %s',
  (relation) => {
    expect(driftFromDiff(relation, null, 'dev', ['1', '2'])).toBeUndefined();
  },
);

const drift = driftFromDiff('ahead', 3, 'dev', ['1', '2']);
const ofRow = new Map(drift ? [['staging', drift]] : []);

test('a drift is valid until another success in either stage', () => {
  expect(driftIn(row, 'staging', ofRow)).toBe(drift);
  expect(driftIn(row, 'dev', ofRow)).toBeUndefined();
  expect(driftIn({ ...row, slots: { ...row.slots, dev: success('5') } }, 'staging', ofRow)).toBeUndefined();
  expect(driftIn({ ...row, slots: { ...row.slots, staging: success('5') } }, 'staging', ofRow)).toBeUndefined();
  const failed = { current: anEvent({ id: '6', status: 'failure' }), last_successful: anEvent({ id: '1' }) };
  expect(driftIn({ ...row, slots: { ...row.slots, dev: failed } }, 'staging', ofRow)).toBe(drift);
});

test('slots that are behind are counted, found and described, and a service three releases behind is not healthy', () => {
  const other: MatrixRow = { service: 'cart', slots: { dev: success('1'), staging: success('2') } };
  const twoBehind = driftFromDiff('ahead', 2, 'dev', ['1', '2']);
  const ahead = driftFromDiff('behind', null, 'dev', ['1', '2']);
  const board = boardOf({ environments: ['dev', 'prod', 'staging'], rows: [other, row] });
  const with_ = (drifts: typeof noContext.drifts) => ({ ...noContext, drifts });
  const known = with_(
    new Map([
      ['pay', ofRow],
      ['cart', new Map(ahead ? [['staging', ahead]] : [])],
    ]),
  );
  const shown = shownOf(board, { ...home, filter: { ...home.filter, only: 'behind' } }, known);
  expect(shown.rows).toEqual([row]);
  expect(shown.found.behind.map(({ environment }) => environment)).toEqual(['staging']);
  expect([shown.counts.behind, shown.counts.services]).toEqual([1, 1]);
  expect(shownOf(board, home, known).rows).toHaveLength(2);
  const elsewhere = { ...home, filter: { ...home.filter, environments: ['prod'] } };
  expect(shownOf(board, elsewhere, known).counts.behind).toBe(0);
  expect(shownOf(board, home, noContext).counts.behind).toBeUndefined();
  expect(shownOf(board, home, with_(new Map())).counts.behind).toBe(0);
  expect(cellSentence('pay', 'staging', undefined, 0, drift)).toMatch(/; 3 releases behind dev$/);
  const columns = ['dev', 'staging'];
  expect(
    isHealthy(other, columns, with_(new Map([['cart', new Map(twoBehind ? [['staging', twoBehind]] : [])]])), 0),
  ).toBe(true);
  expect(isHealthy(other, columns, with_(new Map([['cart', ofRow]])), 0)).toBe(false);
});
