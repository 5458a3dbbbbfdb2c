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
  ['one reset after another', 'initiated:x started:x completed:x initiated:y started:y aborted:y', []],
  ['a reset within another', 'initiated:x initiated:y started:y completed:y', ['reset']],
  ['a reset that ends twice', 'initiated:x started:x completed:x completed:x', ['reset']],
  ['a reset that ends and was never started', 'initiated:x completed:x', ['reset']],
  ['a reset that another one ends', 'initiated:x started:x completed:y', ['reset']],
  ['a reset that never ends', 'initiated:x started:x', ['reset']],
] as const)('%s', (_, text, due) => {
  expect(kinds(checkControlFrames(frames(text)))).toEqual(due);
});

test('control frames with descending ids are out of order', () => {
  const [initiated, started, completed] = frames('initiated:x started:x completed:x');
  if (!initiated || !started || !completed) throw new Error('there are three frames');
  expect(kinds(checkControlFrames([initiated, { ...started, id: '0' }, completed]))).toEqual(['out of order']);
});

test.each([
  ['a clearing that is told in its transaction', { completed: [{ frameId: '2', lastId: 'a' }], untold: 0 }, []],
  ['a clearing of an empty log', { completed: [{ frameId: '2', lastId: undefined }], untold: 0 }, []],
  ['a clearing that is told elsewhere', { completed: [{ frameId: '2', lastId: 'a' }], untold: 1 }, ['reset']],
  ['a completion that nobody was told', { completed: [], untold: 0 }, ['reset']],
])('%s', (_, facts, due) => {
  expect(kinds(checkClearings(facts, frames('initiated:x started:x completed:x')))).toEqual(due);
});

test('a reset of an empty log clears no more than the one before', () => {
  const completed = ['a', undefined, 'c'].map((lastId, n) => ({ frameId: String(n), lastId }));
  expect(clearingIds({ completed, untold: 0 })).toEqual(['a', 'a', 'c']);
});
