import type { DeploymentEvent, MatrixSlot, Status } from '@shiplog/contract';
import { statuses } from '@shiplog/contract';
import { plainMatrix } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boardAfter,
  boardOf,
  emptyBoard,
  isSlot,
  newestOf,
  rowsBetween,
  type SlotState,
  slotStateAfter,
  withRows,
} from '../src/board/board.ts';
import { anEvent } from './support/an-event.ts';

const first = anEvent({ id: '1', status: 'success', happened_at: '2026-05-04T10:00:00Z' });
const at = (minute: number, status: Status, id = '2') =>
  anEvent({ id, status, happened_at: `2026-05-04T10:${String(minute).padStart(2, '0')}:00Z` });

test('the newest event has the latest time, and of events with the same time the highest id', () => {
  const events = [at(2, 'success', '5'), at(3, 'success', '4'), at(3, 'failure', '6'), at(3, 'success', '3'), first];
  expect(newestOf(events)?.id).toBe('6');
  expect(newestOf(events.toReversed())?.id).toBe('6');
  expect(newestOf([])).toBeUndefined();
});

test.each<[string, DeploymentEvent, unknown]>([
  ['a success', at(1, 'success'), { current: 'success' }],
  ['a failure', at(1, 'failure'), { current: 'failure', last: '1' }],
  ['a run', at(1, 'in-progress'), { current: 'in-progress', last: '1' }],
  ['a queued deployment', at(1, 'queued'), { current: 'success', next: 'queued' }],
  ['a deployment queued earlier', at(0, 'queued'), { current: 'success' }],
])('after a success, %s changes the slot as specified', (_, event, due) => {
  const slot = slotStateAfter({ current: first }, event);
  if (slot === 'unknown' || !isSlot(slot)) throw new Error('the slot is unknown');
  const { current, last_successful, next } = slot;
  expect({
    current: current.status,
    ...(last_successful ? { last: last_successful.id } : {}),
    ...(next ? { next: next.status } : {}),
  }).toEqual(due);
});

test('a run after a failure has a warning', () => {
  expect(slotStateAfter({ current: at(1, 'failure') }, at(2, 'in-progress', '3'))).toMatchObject({ prev_failed: true });
});

test('a running deployment replaces an older queued one', () => {
  const slot = { current: first, next: at(1, 'queued') };
  expect(slotStateAfter(slot, at(2, 'in-progress', '3'))).not.toHaveProperty('next');
});

test.each<[string, DeploymentEvent]>([
  ['a late event', at(0, 'failure', '0')],
  ['a new run of an ended deployment', at(6, 'in-progress', '3')],
])('%s makes the browser request the slot', (what, event) => {
  const slots: Record<string, MatrixSlot> = {
    'a late event': { current: at(5, 'success') },
    'a new run of an ended deployment': { current: at(5, 'in-progress'), prev_failed: true },
  };
  expect(slotStateAfter(slots[what], event)).toBe('unknown');
});

test.each<[string, SlotState | undefined, DeploymentEvent, SlotState]>([
  ['no event and a queued deployment has the queued deployment', undefined, at(1, 'queued'), at(1, 'queued')],
  ['no event and a success has the success', undefined, at(1, 'success'), { current: at(1, 'success') }],
  [
    'a queued deployment and one that waits later has the later one',
    at(1, 'queued'),
    at(2, 'waiting', '3'),
    at(2, 'waiting', '3'),
  ],
  [
    'a queued deployment and one that waits at the same time and was stored later has the later one',
    at(1, 'queued'),
    at(1, 'waiting', '3'),
    at(1, 'waiting', '3'),
  ],
  [
    'a queued deployment and one that waits at the same time and was stored earlier keeps the queued one',
    at(1, 'queued', '4'),
    at(1, 'waiting', '3'),
    at(1, 'queued', '4'),
  ],
  [
    'a cancelled deployment and one queued earlier keeps the cancelled one',
    at(2, 'cancelled'),
    at(1, 'queued', '3'),
    at(2, 'cancelled'),
  ],
  [
    'a queued deployment and a later run has only the run',
    at(1, 'queued'),
    at(2, 'in-progress', '3'),
    { current: at(2, 'in-progress', '3') },
  ],
  [
    'a queued deployment and a run at the same time has only the run',
    at(1, 'queued'),
    at(1, 'in-progress', '3'),
    { current: at(1, 'in-progress', '3') },
  ],
  [
    'a waiting deployment and an earlier failure has both',
    at(2, 'waiting'),
    at(1, 'failure', '3'),
    { current: at(1, 'failure', '3'), next: at(2, 'waiting') },
  ],
])('a slot with %s', (_, slotState, event, due) => {
  expect(slotStateAfter(slotState, event)).toEqual(due);
});

test('a known event does not change the slot', () => {
  const slot = { current: at(1, 'failure'), last_successful: first, next: at(2, 'queued', '3') };
  for (const event of [slot.current, slot.last_successful, slot.next]) expect(slotStateAfter(slot, event)).toBe(slot);
  const waiting = at(1, 'waiting');
  expect(slotStateAfter(waiting, structuredClone(waiting))).toBe(waiting);
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

test('after every event, the board equals the board of the whole log if unknown rows are requested', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 5 }), (history, stepLength) => {
      const log = history.map(({ minute, ...rest }, index) =>
        anEvent({ ...rest, id: String(index).padStart(4, '0'), happened_at: `2026-05-04T10:0${minute}:00Z` }),
      );
      let board = emptyBoard;
      for (let until = stepLength; until < log.length + stepLength; until += stepLength) {
        const step = boardAfter(board, log.slice(until - stepLength, until));
        expect(step.changed.filter(({ service }) => step.unknown.has(service))).toEqual([]);
        const whole = boardOf(plainMatrix(log.slice(0, until)));
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

test('an environment with only a pending first deployment has a column, and still has it afterwards', () => {
  const waiting = { service: 'one', slots: {}, upcoming: { prod: at(1, 'waiting') } };
  const before = boardOf({ environments: [], rows: [waiting] });
  expect(before.environments).toEqual(['prod']);
  const { board: after, unknown } = boardAfter(before, [
    anEvent({ id: '3', service: 'one', environment: 'prod', status: 'success', happened_at: '2026-05-04T10:02:00Z' }),
    anEvent({ id: '4', service: 'two', environment: 'qa', status: 'queued', happened_at: '2026-05-04T10:02:00Z' }),
  ]);
  expect(unknown.size).toBe(0);
  expect(after.environments).toEqual(['prod', 'qa']);
  expect(after.rows.get('one')).not.toHaveProperty('upcoming');
  expect(after.rows.get('two')).toMatchObject({ slots: {}, upcoming: { qa: { id: '4' } } });
});

test('if a snapshot lacks a pending deployment, the whole board is needed', () => {
  const waiting = { ...row, upcoming: { qa: at(1, 'waiting', '9') } };
  expect(rowsBetween(board([waiting]), board([row]))).toBeUndefined();
  const deployed = { ...row, slots: { ...row.slots, qa: { current: at(2, 'success', '10') } } };
  expect(rowsBetween(board([waiting]), board([deployed]))).toEqual([deployed]);
});

test.each([
  ['the same events', [structuredClone(row)], []],
  ['another current event', [{ ...row, slots: { ...row.slots, dev: { current: at(2, 'success', '9') } } }], ['one']],
  ['a next event', [{ ...row, slots: { ...row.slots, dev: { current: first, next: at(2, 'queued', '9') } } }], ['one']],
  ['another environment', [{ ...row, slots: { ...row.slots, qa: { current: first } } }], ['one']],
  ['another service', [row, { service: 'other', slots: {} }], ['other']],
  ['a waiting first deployment', [{ ...row, upcoming: { qa: at(1, 'waiting', '9') } }], ['one']],
  ['a removed slot', [{ ...row, slots: { dev: row.slots.dev } }], undefined],
  ['a removed service', [], undefined],
] as const)(
  'a snapshot with %s is sent as changed rows, or as a whole board if something was removed',
  (_, rows, due) => {
    const changed = rowsBetween(board([row]), board([...rows]));
    expect(changed?.map(({ service }) => service)).toEqual(due);
  },
);
