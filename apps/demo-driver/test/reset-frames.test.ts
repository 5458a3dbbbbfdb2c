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
  ['the same reset is reported again', { type: 'reset-initiated', id: 'a' }, 'a', undefined],
  ['a reset for this component alone', { type: 'reset-initiated', id: 'a', component: 'demo-driver' }, null, begun],
  ['a reset for another component', { type: 'reset-initiated', id: 'a', component: 'fetcher' }, null, undefined],
  ['the clearing begins', { type: 'reset-started' }, 'a', { name: 'reset-started' }],
  ['the reset is completed', { type: 'reset-completed' }, 'a', { name: 'reset-ended' }],
  ['the reset is aborted', { type: 'reset-aborted' }, 'a', { name: 'reset-ended' }],
  ['another reset is completed', { type: 'reset-completed' }, 'b', undefined],
  ['another reset is aborted', { type: 'reset-aborted' }, 'b', undefined],
  ['a reset is completed while none is in progress', { type: 'reset-completed' }, null, undefined],
  ['a reset is aborted while none is in progress', { type: 'reset-aborted' }, null, undefined],
  ['a frame of an unknown type', { type: 'reset-paused' }, 'a', undefined],
])('converts a control frame to its status event: %s', (_, frame, resetId, expected) => {
  expect(meaning(frame, resetId)).toEqual(expected);
});
