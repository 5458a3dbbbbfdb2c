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
  ['a reader has everything', '', 'a1 a2 a3 a4 b1 b2 b3', []],
  ['a reader was behind when the log was cleared', '', 'a1 a2 b1 b2 b3', []],
  ['a reader had nothing yet when the log was cleared', '', 'b1 b2 b3', []],
  ['a reader began later', 'a2', 'a3 a4 b1 b2 b3', []],
  ['a live reader began anywhere', undefined, 'b2 b3', []],
  ['a live reader got nothing at all', undefined, '', []],
  ['a frame was dropped before the clearing', '', 'a1 a3 a4 b1 b2 b3', ['lost']],
  ['a frame was dropped after the clearing', '', 'a1 a2 a3 a4 b1 b3', ['lost']],
  ['the end of the log never came', '', 'a1 a2 a3 a4 b1', ['lost', 'lost']],
  ['nothing ever came', '', '', ['lost', 'lost', 'lost']],
  ['a frame came twice', '', 'a1 a2 a3 a3 a4 b1 b2 b3', ['duplicated']],
  ['a frame came again after others', '', 'a1 a2 a3 a4 a2 b1 b2 b3', ['duplicated']],
  ['a frame came late', '', 'a1 a3 a2 a4 b1 b2 b3', ['out of order']],
] as const)('%s', (_, after, got, due) => {
  const reading = { reader: 'a reader', service: undefined, after, ids: ids(got) };
  expect(kinds(checkReading({ reading, events, clearings }))).toEqual(due);
});

test.each([
  ['a filter passes its service', 'a1 a3 a4 b1 b3', []],
  ['a filter drops a frame of its service', 'a1 a4 b1 b3', ['lost']],
  ['a filter passes another service', 'a1 a2 a3 a4 b1 b3', ['invented']],
] as const)('%s', (_, got, due) => {
  const reading = { reader: 'a reader', service: 'billing', after: '', ids: ids(got) };
  expect(kinds(checkReading({ reading, events, clearings }))).toEqual(due);
});

test.each([
  ['nothing was asked for', undefined, 'live', 0, []],
  ['nothing was asked for and something is told', undefined, 'replay', 0, ['answer']],
  ['nothing was cleared behind it', 'b1', 'replay', 1, []],
  ['what was behind it was cleared', 'a2', 'truncated', 1, []],
  ['what was behind it may be cleared', 'a2', 'replay', 0, []],
  ['what was behind it was cleared and it is not told', 'a2', 'replay', 1, ['answer']],
  ['nothing was cleared and it is told so', 'b1', 'truncated', 1, ['answer']],
  ['its id is not taken', 'b1', 'ignored', 0, ['answer']],
  ['it is told nothing', 'b1', undefined, 0, ['answer']],
] as const)('%s', (_, after, resume, completedBefore, due) => {
  expect(
    kinds(checkResumption({ reader: 'a reader', instance: 'one', after, resume, completedBefore }, clearings)),
  ).toEqual(due);
});
