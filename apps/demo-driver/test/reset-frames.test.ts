import type { ControlStreamEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { resetEvent } from '../src/domain/reset-frame.ts';

function meaning(frame: Partial<ControlStreamEvent>, resetId: string | null) {
  const read = { id: 'frame', type: 'unknown', component: '*', correlation_id: 'a', occurred_at: 'then', ...frame };
  return resetEvent(read, { componentId: 'demo-driver', resetId });
}

const begun = { name: 'reset-initiated', resetId: 'a' };

test.each<[string, Partial<ControlStreamEvent>, string | null, object | undefined]>([
  ['a reset begins', { type: 'reset-initiated', id: 'a' }, null, begun],
  ['another reset begins', { type: 'reset-initiated', id: 'a' }, 'b', begun],
  ['the same reset is told again', { type: 'reset-initiated', id: 'a' }, 'a', undefined],
  ['a reset for this component alone', { type: 'reset-initiated', id: 'a', component: 'demo-driver' }, null, begun],
  ['a reset for another component', { type: 'reset-initiated', id: 'a', component: 'fetcher' }, null, undefined],
  ['the clearing begins', { type: 'reset-started' }, 'a', { name: 'reset-started' }],
  ['it is completed', { type: 'reset-completed' }, 'a', { name: 'reset-ended' }],
  ['it is aborted', { type: 'reset-aborted' }, 'a', { name: 'reset-ended' }],
  ['another is completed', { type: 'reset-completed' }, 'b', undefined],
  ['another is aborted', { type: 'reset-aborted' }, 'b', undefined],
  ['one is completed while idle', { type: 'reset-completed' }, null, undefined],
  ['one is aborted while idle', { type: 'reset-aborted' }, null, undefined],
  ['a type that nobody knows', { type: 'reset-paused' }, 'a', undefined],
])('%s', (_, frame, resetId, expected) => {
  expect(meaning(frame, resetId)).toEqual(expected);
});
