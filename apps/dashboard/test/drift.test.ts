import type { MatrixRow } from '@shiplog/contract';
import { stageReference } from '@shiplog/text';
import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { driftIn, driftLabel, driftWords } from '../src/board/drift.ts';
import { isHealthy } from '../src/board/healthy.ts';
import { cellSentence } from '../src/board/sentence.ts';
import { shownOf } from '../src/board/shown.ts';
import { home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';
import { someFacts } from './support/facts.ts';

const success = (id: string) => ({ current: anEvent({ id }) });
const row: MatrixRow = {
  service: 'pay',
  slots: {
    dev: success('1'),
    staging: { current: anEvent({ id: '3', status: 'failure' }), last_successful: anEvent({ id: '2' }) },
    prod: { current: anEvent({ id: '4', status: 'failure' }) },
  },
};

const behind = (service: string, count: number) =>
  someFacts([{ service, environment: 'staging', behind: { of: 'dev', count, since: '2026-05-04T12:00:00Z' } }], '4');
const facts = behind('pay', 3);

test('drift is shown in a label and in a sentence', () => {
  const drift = driftIn(row, 'staging', facts);
  expect(drift && [driftLabel(drift), driftWords(drift)]).toEqual(['3 behind', '3 releases behind dev']);
});

test('a drift is valid until another success in either stage', () => {
  expect(driftIn(row, 'staging', facts)?.count).toBe(3);
  expect(driftIn(row, 'dev', facts)).toBeUndefined();
  expect(driftIn({ ...row, slots: { ...row.slots, dev: success('5') } }, 'staging', facts)).toBeUndefined();
  expect(driftIn({ ...row, slots: { ...row.slots, staging: success('5') } }, 'staging', facts)).toBeUndefined();
  const failed = { current: anEvent({ id: '6', status: 'failure' }), last_successful: anEvent({ id: '1' }) };
  expect(driftIn({ ...row, slots: { ...row.slots, dev: failed } }, 'staging', facts)?.count).toBe(3);
});

test('a drift of a stage is valid until another success in any environment of the service', () => {
  const of = stageReference('Dev');
  const ofStage = someFacts(
    [{ service: 'pay', environment: 'staging', behind: { of, count: 3, since: '2026-05-04T12:00:00Z' } }],
    '4',
  );
  const withSlots = (more: MatrixRow['slots']) => ({ ...row, slots: { ...row.slots, ...more } });
  expect(driftIn(row, 'staging', ofStage)?.count).toBe(3);
  expect(driftIn(withSlots({ 'dev-2': success('5') }), 'staging', ofStage)).toBeUndefined();
  expect(driftIn(withSlots({ staging: success('5') }), 'staging', ofStage)).toBeUndefined();
  const failed = { current: anEvent({ id: '6', status: 'failure' }), last_successful: anEvent({ id: '1' }) };
  expect(driftIn(withSlots({ 'dev-2': failed }), 'staging', ofStage)?.count).toBe(3);
});

test('a row with fifty slots that are behind a stage is read in time that grows with its slots, not with their square', () => {
  const names = Array.from({ length: 50 }, (_, index) => `qa-${index}`);
  const since = '2026-05-04T12:00:00Z';
  const behindStage = names.map((environment) => ({
    ...{ service: 'pay', environment },
    behind: { of: stageReference('Dev'), count: 1, since },
  }));
  let reads = 0;
  const slots = new Proxy(Object.fromEntries(names.map((name) => [name, success('1')])), {
    get: (own, name) => {
      reads += 1;
      return Reflect.get(own, name);
    },
  });
  const ofRow = { service: 'pay', slots };
  const drifts = names.map((name) => driftIn(ofRow, name, someFacts(behindStage)));
  expect(drifts.every((drift) => drift?.count === 1)).toBe(true);
  expect(reads).toBeLessThanOrEqual(2 * names.length);
});

test('slots that are behind are counted, found and described, and a service three releases behind is not healthy', () => {
  const other: MatrixRow = { service: 'cart', slots: { dev: success('1'), staging: success('2') } };
  const board = boardOf({ environments: ['dev', 'prod', 'staging'], rows: [other, row] });
  const known = { ...noContext, facts };
  const shown = shownOf(board, { ...home, filter: { ...home.filter, only: 'behind' } }, known);
  expect(shown.rows).toEqual([row]);
  expect(shown.found.behind.map(({ environment }) => environment)).toEqual(['staging']);
  expect([shown.counts.behind, shown.counts.services]).toEqual([1, 1]);
  expect(shownOf(board, home, known).rows).toHaveLength(2);
  const elsewhere = { ...home, filter: { ...home.filter, environments: ['prod'] } };
  expect(shownOf(board, elsewhere, known).counts.behind).toBe(0);
  expect(shownOf(board, home, noContext).counts.behind).toBeUndefined();
  expect(shownOf(board, home, { ...noContext, facts: someFacts([]) }).counts.behind).toBe(0);
  expect(cellSentence('pay', 'staging', undefined, { nowMs: 0, isOut: false }, driftIn(row, 'staging', facts))).toMatch(
    /; 3 releases behind dev$/,
  );
  const columns = ['dev', 'staging'];
  expect(isHealthy(other, columns, { ...noContext, facts: behind('cart', 2) }, 0)).toBe(true);
  expect(isHealthy(other, columns, { ...noContext, facts: behind('cart', 3) }, 0)).toBe(false);
});
