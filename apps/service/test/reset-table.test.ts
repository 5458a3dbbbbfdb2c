import type { ResetState } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dueEvent,
  dueInMs,
  type ResetEffect,
  type ResetEvent,
  type ResetView,
  resetTable,
} from '../src/domain/reset.ts';

type Row = [state: ResetState, event: ResetEvent, becomes: string, ...effects: ResetEffect[]];

/** The whole lifecycle (§3 Reset lifecycle, reading 7.5). */
const lifecycle: Row[] = [
  ['idle', 'requested', 'draining', 'announce-initiated'],
  ['idle', 'drained', 'ignored'],
  ['idle', 'cleared', 'ignored'],
  ['idle', 'gate-expired', 'ignored'],
  ['draining', 'requested', 'refused'],
  ['draining', 'drained', 'resetting', 'announce-started', 'close-gate'],
  ['draining', 'cleared', 'ignored'],
  ['draining', 'gate-expired', 'ignored'],
  ['resetting', 'requested', 'refused'],
  ['resetting', 'drained', 'ignored'],
  ['resetting', 'cleared', 'idle', 'announce-completed', 'clear', 'open-gate'],
  ['resetting', 'gate-expired', 'idle', 'announce-aborted', 'open-gate'],
];

test.each(lifecycle)('a reset that is %s handles the event %s', (state, event, becomes, ...effects) => {
  const transition = resetTable[state][event];
  if (typeof transition === 'string') expect([transition]).toEqual([becomes, ...effects]);
  else expect([transition.next, ...transition.effects.toSorted()]).toEqual([becomes, ...effects]);
});

test('the table has no other states or events', () => {
  const pairs = Object.entries(resetTable).flatMap(([state, events]) =>
    Object.keys(events).map((event) => `${state} ${event}`),
  );
  expect(pairs.toSorted()).toEqual(lifecycle.map(([state, event]) => `${state} ${event}`).toSorted());
});

/** Applies events and checks the invariants of all effects after each. */
class Walk {
  state: ResetState = 'idle';
  gateClosed = false;
  accepted = 0;
  readonly ends: ResetEffect[] = [];
  clearings = 0;

  take(event: ResetEvent): void {
    const transition = resetTable[this.state][event];
    if (typeof transition === 'string') return;
    for (const effect of transition.effects) this.#carryOut(effect);
    this.state = transition.next;
    expect(this.gateClosed, 'the gate is closed exactly while resetting').toBe(this.state === 'resetting');
    expect(this.accepted - this.ends.length, 'one reset at a time').toBe(this.state === 'idle' ? 0 : 1);
    expect(this.clearings).toBe(this.ends.filter((end) => end === 'announce-completed').length);
  }

  #carryOut(effect: ResetEffect): void {
    if (effect === 'close-gate') {
      expect(this.gateClosed, 'the gate is closed once').toBe(false);
      this.gateClosed = true;
    } else if (effect === 'open-gate') {
      expect(this.gateClosed, 'the gate is opened once').toBe(true);
      this.gateClosed = false;
    } else if (effect === 'clear') {
      expect(this.state, 'nothing is cleared outside resetting').toBe('resetting');
      this.clearings += 1;
    } else if (effect === 'announce-initiated') this.accepted += 1;
    else if (effect !== 'announce-started') this.ends.push(effect);
  }
}

const anyEvent = fc.constantFrom<ResetEvent>('requested', 'drained', 'cleared', 'gate-expired');

test('each accepted reset ends once and reopens its gate for any events in any order', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), anyEvent, (events, last) => {
      const walk = new Walk();
      for (const event of events) walk.take(event);
      // Due events end any reset, whether the clearing succeeds or fails.
      walk.take('drained');
      walk.take(last === 'cleared' ? 'cleared' : 'gate-expired');
      expect(walk).toMatchObject({ state: 'idle', gateClosed: false });
      expect(walk.ends).toHaveLength(walk.accepted);
    }),
    { numRuns: 1000 },
  );
});

function aView(view: Partial<ResetView>): ResetView {
  return { state: 'idle', now: 1000, drainUntil: 0, gateUntil: 0, expected: [], acked: [], ...view };
}

const draining = (view: Partial<ResetView>) =>
  aView({ state: 'draining', drainUntil: 1001, expected: ['a', 'b'], ...view });
const resetting = (view: Partial<ResetView>) => aView({ state: 'resetting', gateUntil: 1001, ...view });

test.each<[string, ResetView, ResetEvent | undefined]>([
  ['nothing while idle', aView({ drainUntil: 1, gateUntil: 1, expected: [] }), undefined],
  ['nothing while acks are missing and there is time left', draining({}), undefined],
  ['nothing while one ack is missing', draining({ acked: ['b'] }), undefined],
  ['nothing for acks of other components', draining({ acked: ['c', 'd', 'ab', 'A', 'B'] }), undefined],
  ['nothing for a repeated ack', draining({ acked: ['a', 'a'] }), undefined],
  ['drained by all acks, in any order', draining({ acked: ['b', 'a'] }), 'drained'],
  ['drained by all acks, among other acks', draining({ acked: ['c', 'b', 'a', 'a'] }), 'drained'],
  ['drained immediately if no components are expected', draining({ expected: [] }), 'drained'],
  ['drained exactly at the timeout', draining({ now: 1001 }), 'drained'],
  ['drained after the timeout', draining({ now: 1002 }), 'drained'],
  ['drained immediately with an ack timeout of 0', draining({ drainUntil: 1000 }), 'drained'],
  ['drained, whatever the gate time of an earlier reset is', draining({ now: 1001, gateUntil: 1 }), 'drained'],
  ['cleared while the gate is closed', resetting({}), 'cleared'],
  ['cleared even without some acks', resetting({ expected: ['a'] }), 'cleared'],
  ['gate-expired exactly at the gate timeout', resetting({ now: 1001 }), 'gate-expired'],
  ['gate-expired after the gate timeout', resetting({ now: 5000 }), 'gate-expired'],
  ['gate-expired if no gate is closed', resetting({ gateUntil: 0 }), 'gate-expired'],
])('the due event is %s', (_, view, due) => {
  expect(dueEvent(view)).toBe(due);
});

test.each<[string, ResetView, number]>([
  ['never while idle', aView({ drainUntil: 5000, gateUntil: 5000 }), Number.POSITIVE_INFINITY],
  ['at the end of the ack timeout', draining({ drainUntil: 1750 }), 750],
  ['one millisecond before the timeout', draining({}), 1],
  ['immediately at the timeout', draining({ now: 1001 }), 0],
  ['immediately after the timeout, never in the past', draining({ now: 9000 }), 0],
  ['never while resetting, because each attempt has a time limit', resetting({}), Number.POSITIVE_INFINITY],
])('the next event is due by time %s', (_, view, ms) => {
  expect(dueInMs(view)).toBe(ms);
});
