import type { DemoStatus } from '@shiplog/companions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Effect,
  type EventName,
  initialStatus,
  type Phase,
  phaseOf,
  type StatusEvent,
  statusTable,
  take,
} from '../src/domain/status.ts';

type Row = [phase: Phase, event: EventName, becomes: Phase | 'ignored', ...effects: Effect[]];

const drain = ['ack', 'close-gate', 'stop-emission', 'stop-run'] as const;
const resting = ['idle', 'done', 'failed'] as const;
const inReset = ['blocked', 'blocked-idle'] as const;

/** Companion services §3 with readings 9.1, 9.3, 9.4 and 9.10; effects in alphabetical order. */
const rows: Row[] = [
  ...resting.flatMap((phase): Row[] => [
    [phase, 'started', 'running', 'begin-run'],
    [phase, 'finished', 'ignored'],
    [phase, 'stopped', 'ignored'],
    [phase, 'counters-reset', 'idle', 'forget-run'],
    [phase, 'reset-initiated', 'blocked', ...drain],
    [phase, 'reset-started', 'ignored'],
    [phase, 'reset-ended', 'ignored'],
    [phase, 'gate-expired', 'ignored'],
  ]),
  ['running', 'started', 'ignored'],
  ['running', 'finished', 'done'],
  ['running', 'stopped', 'failed', 'stop-run'],
  ['running', 'counters-reset', 'idle', 'forget-run', 'stop-run'],
  ['running', 'reset-initiated', 'blocked', ...drain],
  ['running', 'reset-started', 'ignored'],
  ['running', 'reset-ended', 'ignored'],
  ['running', 'gate-expired', 'ignored'],
  ...inReset.flatMap((phase): Row[] => [
    [phase, 'started', 'ignored'],
    [phase, 'finished', 'ignored'],
    [phase, 'stopped', 'ignored'],
    [phase, 'counters-reset', 'blocked-idle', 'forget-run'],
    [phase, 'reset-initiated', 'blocked', ...drain],
    [phase, 'reset-started', 'ignored'],
    [phase, 'reset-ended', 'idle', 'open-gate', 'report-running'],
    [phase, 'gate-expired', 'idle', 'open-gate', 'warn-of-expiry'],
  ]),
];

test.each(rows)('%s, %s', (phase, event, becomes, ...effects) => {
  const transition = statusTable[phase][event];
  if (transition === 'ignored') expect([transition]).toEqual([becomes, ...effects]);
  else expect([transition.next, ...transition.effects.toSorted()]).toEqual([becomes, ...effects]);
});

test('the table covers all phases and events', () => {
  const pairs = Object.entries(statusTable).flatMap(([phase, events]) =>
    Object.keys(events).map((event) => `${phase} ${event}`),
  );
  expect(pairs.toSorted()).toEqual(rows.map(([phase, event]) => `${phase} ${event}`).toSorted());
});

const initial = initialStatus(47);
const begun = new Date('2026-05-04T09:00:00Z');
const later = new Date('2026-05-04T09:05:00Z');
const plan = { scenario: 'random', reporter: 'demo-driver/random', events: [], eventsPerMoment: 1, delayMs: 0 };

/** The status after these events, each at the same moment. */
function after(status: DemoStatus, at: Date, ...events: StatusEvent[]): DemoStatus {
  return events.reduce((reached, event) => take(reached, event, at)?.status ?? reached, status);
}

const started: StatusEvent = { name: 'started', plan };
const countersReset: StatusEvent = { name: 'counters-reset', initial };
const resetBegins = (resetId: string): StatusEvent => ({ name: 'reset-initiated', resetId });
const midway = { ...after(initial, begun, started), events_total: 9, events_sent: 4, errors: 2 };

describe('the status', () => {
  test.each<[string, DemoStatus, Partial<DemoStatus>]>([
    [
      'a start resets the counters',
      after({ ...midway, state: 'done', finished_at: 'then' }, later, started),
      { events_total: 0, events_sent: 0, errors: 0, started_at: later.toISOString(), finished_at: null },
    ],
    [
      'the end of a run is recorded with its time',
      after(midway, later, { name: 'finished' }),
      { finished_at: later.toISOString() },
    ],
    [
      'a stop is recorded with its time',
      after(midway, later, { name: 'stopped' }),
      { finished_at: later.toISOString() },
    ],
    [
      'a reset ends the run, records the time and keeps the counters',
      after(midway, later, resetBegins('a')),
      { finished_at: later.toISOString(), events_sent: 4, errors: 2, correlation_id: 'a' },
    ],
    [
      'a reset keeps the recorded end of an earlier run',
      after({ ...midway, state: 'failed', finished_at: 'then' }, later, resetBegins('a')),
      { finished_at: 'then', correlation_id: 'a' },
    ],
    [
      'a second reset replaces the first',
      after(midway, later, resetBegins('a'), resetBegins('b')),
      { correlation_id: 'b' },
    ],
    [
      'the end of a reset clears its id',
      after(midway, later, resetBegins('a'), { name: 'reset-ended' }),
      { correlation_id: null },
    ],
    [
      'the expiry of a reset clears its id',
      after(midway, later, resetBegins('a'), { name: 'gate-expired' }),
      { correlation_id: null },
    ],
    [
      'with the counters reset at rest, everything is as at the start',
      after(midway, later, { name: 'stopped' }, countersReset),
      initial,
    ],
    [
      'with the counters reset in a reset, everything but the reset is',
      after(midway, later, resetBegins('a'), countersReset),
      { ...initial, reset_state: 'blocked', correlation_id: 'a' },
    ],
    [
      'another reset blocks again after the counters were reset',
      after(midway, later, resetBegins('a'), countersReset, resetBegins('b')),
      { state: 'blocked', reset_state: 'blocked', correlation_id: 'b' },
    ],
  ])('%s', (_, status, expected) => {
    expect(status).toMatchObject(expected);
  });
});

const anyEvent = fc.constantFrom<StatusEvent>(
  started,
  countersReset,
  resetBegins('a'),
  resetBegins('b'),
  { name: 'finished' },
  { name: 'stopped' },
  { name: 'reset-started' },
  { name: 'reset-ended' },
  { name: 'gate-expired' },
);

test('whatever the order of events, the status has a reset id only while calls are blocked, and every gate is opened', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let status: DemoStatus = initial;
      let gateClosed = false;
      let running = false;
      for (const event of [...events, { name: 'gate-expired' } as const]) {
        const step = take(status, event, begun);
        status = step?.status ?? status;
        for (const effect of step?.effects ?? []) {
          if (effect === 'close-gate') gateClosed = true;
          if (effect === 'open-gate') gateClosed = false;
          if (effect === 'begin-run') running = true;
          if (effect === 'stop-run') running = false;
        }
        if (event.name === 'finished') running = false;
        expect(gateClosed).toBe(status.reset_state === 'blocked');
        expect(status.correlation_id !== null).toBe(status.reset_state === 'blocked');
        expect(running).toBe(status.state === 'running');
        expect(status.state === 'blocked' && status.reset_state === 'idle').toBe(false);
      }
      expect(phaseOf(status)).not.toMatch(/blocked/);
    }),
    { numRuns: 1000 },
  );
});
