import { clearingIds } from '@shiplog/testing/clearings';
import { expect, test } from 'vitest';
import { kinds } from './made-up.ts';
import { checkClearings, checkControlFrames } from './resets.ts';

/** Frames from a text such as `initiated:x started:x completed:x`, with ascending ids. */
function frames(text: string) {
  return text.split(' ').map((word, n) => {
    const [type = '', correlationId = ''] = word.split(':');
    return { id: String(n), type: `reset-${type}`, correlationId };
  });
}

test.each([
  ['consecutive resets are correct', 'initiated:x started:x completed:x initiated:y started:y aborted:y', []],
  [
    'a reset that is initiated during another one is a fault',
    'initiated:x initiated:y started:y completed:y',
    ['reset'],
  ],
  ['a reset that ends twice is a fault', 'initiated:x started:x completed:x completed:x', ['reset']],
  ['a reset that ends without having started is a fault', 'initiated:x completed:x', ['reset']],
  ['a reset that ends with the id of another one is a fault', 'initiated:x started:x completed:y', ['reset']],
  ['a reset that never ends is a fault', 'initiated:x started:x', ['reset']],
] as const)('%s', (_, text, due) => {
  expect(kinds(checkControlFrames(frames(text)))).toEqual(due);
});

test('the check reports control frames with descending ids', () => {
  const [initiated, started, completed] = frames('initiated:x started:x completed:x');
  if (!initiated || !started || !completed) throw new Error('there are three frames');
  expect(kinds(checkControlFrames([initiated, { ...started, id: '0' }, completed]))).toEqual(['out of order']);
});

test.each([
  [
    'clearing the log and storing the frame in one transaction is correct',
    { completed: [{ frameId: '2', lastId: 'a' }], untold: 0 },
    [],
  ],
  ['clearing an empty log is correct', { completed: [{ frameId: '2', lastId: undefined }], untold: 0 }, []],
  [
    'clearing the log and storing the frame in different transactions is a fault',
    { completed: [{ frameId: '2', lastId: 'a' }], untold: 1 },
    ['reset'],
  ],
  ['a reset-completed frame that is not stored is a fault', { completed: [], untold: 0 }, ['reset']],
])('%s', (_, facts, due) => {
  expect(kinds(checkClearings(facts, frames('initiated:x started:x completed:x')))).toEqual(due);
});

test('a reset of an empty log has the same greatest cleared id as the previous reset', () => {
  const completed = ['a', undefined, 'c'].map((lastId, n) => ({ frameId: String(n), lastId }));
  expect(clearingIds({ completed, untold: 0 })).toEqual(['a', 'a', 'c']);
});
