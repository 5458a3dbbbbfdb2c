import type { DeploymentEvent, MatrixSlot, Status } from '@shiplog/contract';
import { statuses } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matrixOf } from '../../../test/faults/checks/matrix.ts';
import { boardAfter, boardOf, emptyBoard, rowsBetween, withRows } from '../src/board/board.ts';
import { slotAfter } from '../src/board/slot.ts';
import { anEvent } from './support/an-event.ts';

const first = anEvent({ id: '1', status: 'success', happened_at: '2026-05-04T10:00:00Z' });
const at = (minute: number, status: Status, id = '2') =>
  anEvent({ id, status, happened_at: `2026-05-04T10:${String(minute).padStart(2, '0')}:00Z` });

test.each<[string, DeploymentEvent, unknown]>([
  ['a success', at(1, 'success'), { current: 'success' }],
  ['a failure', at(1, 'failure'), { current: 'failure', last: '1' }],
  ['a run', at(1, 'in-progress'), { current: 'in-progress', last: '1' }],
  ['what is queued', at(1, 'queued'), { current: 'success', next: 'queued' }],
  ['what was queued before', at(0, 'queued'), { current: 'success' }],
])('after a success %s makes the slot what the rules say', (_, event, due) => {
  const slot = slotAfter({ current: first }, event);
  if (slot === undefined || slot === 'unknown') throw new Error('the slot is known');
  const { current, last_successful, next } = slot;
  expect({
    current: current.status,
    ...(last_successful ? { last: last_successful.id } : {}),
    ...(next ? { next: next.status } : {}),
  }).toEqual(due);
});

test('a run after a failure is warned of', () => {
  expect(slotAfter({ current: at(1, 'failure') }, at(2, 'in-progress', '3'))).toMatchObject({ prev_failed: true });
});

test('a run takes a queued one that is older away', () => {
  const slot = { current: first, next: at(1, 'queued') };
  expect(slotAfter(slot, at(2, 'in-progress', '3'))).not.toHaveProperty('next');
});

test.each<[string, DeploymentEvent]>([
  ['what comes late', at(0, 'failure', '0')],
  ['a place that had no slot', at(1, 'success')],
  ['what ended when a run began that is run again', at(6, 'in-progress', '3')],
])('%s is asked of the log', (what, event) => {
  const slots: Record<string, MatrixSlot> = {
    'what comes late': { current: at(5, 'success') },
    'what ended when a run began that is run again': { current: at(5, 'in-progress'), prev_failed: true },
  };
  const slot = slots[what];
  expect(slotAfter(slot, event)).toBe('unknown');
});

test('an event that is in the slot already changes nothing', () => {
  const slot = { current: at(1, 'failure'), last_successful: first, next: at(2, 'queued', '3') };
  for (const event of [slot.current, slot.last_successful, slot.next]) expect(slotAfter(slot, event)).toBe(slot);
});

const histories = fc.array(
  fc.record({
    service: fc.constantFrom('one', '__proto__'),
    environment: fc.constantFrom('dev', 'constructor'),
    status: fc.constantFrom(...statuses),
    minute: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 60 },
);

test('step by step the board is what the whole log makes, where rows that are not known are asked for', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 5 }), (history, stepLength) => {
      const log = history.map(({ minute, ...rest }, index) =>
        anEvent({ ...rest, id: String(index).padStart(4, '0'), happened_at: `2026-05-04T10:0${minute}:00Z` }),
      );
      let board = emptyBoard;
      for (let until = stepLength; until < log.length + stepLength; until += stepLength) {
        const step = boardAfter(board, log.slice(until - stepLength, until));
        expect(step.changed.filter(({ service }) => step.unknown.has(service))).toEqual([]);
        const { environments, rows } = matrixOf(log.slice(0, until));
        const whole = boardOf({ environments, rows: rows.map(({ service, slots }) => ({ service, slots })) });
        const asked = [...step.unknown].flatMap((service) => whole.rows.get(service) ?? []);
        board = withRows(step.board, asked);
        expect([...board.rows]).toEqual([...whole.rows]);
        expect(board.environments).toEqual(whole.environments);
      }
    }),
    { numRuns: 400 },
  );
});

const board = (rows: Parameters<typeof boardOf>[0]['rows']) => boardOf({ environments: ['dev', 'prod'], rows });
const row = {
  service: 'one',
  slots: { dev: { current: first }, prod: { current: at(1, 'failure'), last_successful: first } },
};

test.each([
  ['the same events', [structuredClone(row)], []],
  ['another current', [{ ...row, slots: { ...row.slots, dev: { current: at(2, 'success', '9') } } }], ['one']],
  [
    'something next',
    [{ ...row, slots: { ...row.slots, dev: { current: first, next: at(2, 'queued', '9') } } }],
    ['one'],
  ],
  ['another environment', [{ ...row, slots: { ...row.slots, qa: { current: first } } }], ['one']],
  ['another service', [row, { service: 'other', slots: {} }], ['other']],
  ['a slot less', [{ ...row, slots: { dev: row.slots.dev } }], undefined],
  ['a service less', [], undefined],
] as const)(
  'a snapshot with %s is told by the rows that changed, or as a whole where some are gone',
  (_, rows, due) => {
    const changed = rowsBetween(board([row]), board([...rows]));
    expect(changed?.map(({ service }) => service)).toEqual(due);
  },
);
