import { expect, test } from 'vitest';
import { anEventSeen, kinds } from './made-up.ts';
import { checkReading, checkResumption } from './readings.ts';

const ids = (text: string) => text.split(' ').filter(Boolean);
const events = ids('a1 a2 a3 a4 b1 b2 b3').map((id) =>
  anEventSeen(id, { service: id.endsWith('2') ? 'other' : 'billing' }),
);
/** One reset cleared everything up to `a4`. */
const clearings = ['a4'];

test.each([
  ['a reader gets the complete log', '', 'a1 a2 a3 a4 b1 b2 b3', []],
  ['a reader that is behind may miss the last cleared frames', '', 'a1 a2 b1 b2 b3', []],
  ['a reader without frames may miss everything that was cleared', '', 'b1 b2 b3', []],
  ['a reader need not get frames before its start position', 'a2', 'a3 a4 b1 b2 b3', []],
  ['a live reader may start at any frame', undefined, 'b2 b3', []],
  ['a live reader may get nothing', undefined, '', []],
  [
    'a missing frame before the last frame that was read is lost, even if it was cleared later',
    '',
    'a1 a3 a4 b1 b2 b3',
    ['lost'],
  ],
  ['a missing frame after the reset is lost', '', 'a1 a2 a3 a4 b1 b3', ['lost']],
  ['missing frames at the end of the log are lost', '', 'a1 a2 a3 a4 b1', ['lost', 'lost']],
  [
    'a reader from the beginning that gets nothing has lost all frames that were not cleared',
    '',
    '',
    ['lost', 'lost', 'lost'],
  ],
  ['a frame that arrives twice is duplicated', '', 'a1 a2 a3 a3 a4 b1 b2 b3', ['duplicated']],
  ['a frame that arrives again after others is duplicated', '', 'a1 a2 a3 a4 a2 b1 b2 b3', ['duplicated']],
  ['a frame that arrives after later ones is out of order', '', 'a1 a3 a2 a4 b1 b2 b3', ['out of order']],
] as const)('%s', (_, after, got, due) => {
  const reading = { reader: 'a reader', service: undefined, after, ids: ids(got) };
  expect(kinds(checkReading({ reading, events, clearings }))).toEqual(due);
});

test.each([
  ['a reader with a filter gets the frames of its service', 'a1 a3 a4 b1 b3', []],
  ['a frame of the filtered service that is dropped counts as lost', 'a1 a4 b1 b3', ['lost']],
  ['a frame of another service that passes the filter counts as invented', 'a1 a2 a3 a4 b1 b3', ['invented']],
] as const)('%s', (_, got, due) => {
  const reading = { reader: 'a reader', service: 'billing', after: '', ids: ids(got) };
  expect(kinds(checkReading({ reading, events, clearings }))).toEqual(due);
});

test.each([
  ['live is correct without Last-Event-ID', undefined, 'live', 0, []],
  ['live, but not replay, is correct without Last-Event-ID', undefined, 'replay', 0, ['answer']],
  ['replay is correct if no event after the id was cleared', 'b1', 'replay', 1, []],
  ['truncated is correct if events after the id were cleared', 'a2', 'truncated', 1, []],
  ['replay is also correct if the reset has not ended', 'a2', 'replay', 0, []],
  ['replay is wrong if events after the id were cleared', 'a2', 'replay', 1, ['answer']],
  ['truncated is wrong if no event after the id was cleared', 'b1', 'truncated', 1, ['answer']],
  ['ignored is wrong for a valid id', 'b1', 'ignored', 0, ['answer']],
  ['a response without X-Stream-Resume is wrong', 'b1', undefined, 0, ['answer']],
] as const)('%s', (_, after, resume, completedBefore, due) => {
  expect(
    kinds(checkResumption({ reader: 'a reader', instance: 'one', after, resume, completedBefore }, clearings)),
  ).toEqual(due);
});
