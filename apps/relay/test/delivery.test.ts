import { expect, test } from 'vitest';
import { type DeliveryEventName, type DeliveryState, deliveryTable } from '../src/domain/delivery.ts';

const states = Object.keys(deliveryTable) as DeliveryState[];

/** The state after these events, and all effects so far. */
function after(state: DeliveryState, ...events: readonly DeliveryEventName[]) {
  const effects: string[] = [];
  let current = state;
  for (const event of events) {
    const step = deliveryTable[current][event];
    if (step === 'ignored') continue;
    current = step.next;
    effects.push(...step.effects);
  }
  return { state: current, effects };
}

test('a message is never sent while another is in flight', () => {
  const sending = states.filter((state) =>
    Object.values(deliveryTable[state]).some((step) => step !== 'ignored' && step.effects.includes('send')),
  );
  expect(sending).toEqual(['choosing']);
  expect(after('sending', 'arrived', 'started', 'time-over')).toEqual({ state: 'sending', effects: [] });
});

test('an event wakes a waiting target, but not a target that is backing off', () => {
  for (const state of ['idle', 'pacing', 'catching-up'] as const)
    expect(after(state, 'arrived').state).toBe('choosing');
  expect(after('backing-off', 'arrived')).toEqual({ state: 'backing-off', effects: [] });
});

test.each(states.filter((state) => state !== 'choosing'))('a stop in the state %s ends in stopped', (state) => {
  expect(after(state, 'stop', 'failed').state).toBe('stopped');
});

test('if an attempt is in flight at a stop, a delivery is stored, and a failure is not reported', () => {
  expect(after('sending', 'stop', 'delivered')).toEqual({
    state: 'stopped',
    effects: ['record-outcome', 'store', 'end'],
  });
  expect(after('sending', 'stop', 'failed')).toEqual({ state: 'stopped', effects: ['end'] });
});

test('a failed message is retried after a wait, and until then nothing is stored', () => {
  expect(after('sending', 'failed', 'time-over')).toEqual({
    state: 'choosing',
    effects: ['record-outcome', 'back-off', 'choose'],
  });
});
