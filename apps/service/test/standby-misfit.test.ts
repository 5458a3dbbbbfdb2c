import { expect, test } from 'vitest';
import { misfitOf } from '../src/db/standby-state.ts';

const mark = { tick: '90', lastId: 'of-the-primary' };
const same = { isStandby: true, tick: '90', removedTick: '7', lastId: 'of-the-primary', idThen: 'of-the-primary' };

test.each([
  ['has the same last event', {}, undefined],
  ['is ahead', { tick: '100', lastId: 'later' }, undefined],
  ['is behind if compared by number instead of by text', { tick: '9', idThen: 'earlier' }, 'behind'],
  ['is not a standby', { isStandby: false }, 'no-standby'],
  ['has a different last event', { lastId: 'another', idThen: 'another' }, 'other-log'],
  ['continued from a different event', { tick: '100', lastId: 'later', idThen: 'another' }, 'other-log'],
  ['has no last event', { lastId: null, idThen: null }, 'other-log'],
  ['has removed its events since', { tick: '100', removedTick: '95', lastId: null, idThen: null }, undefined],
] as const)('the standby check classifies a server that %s', (_, shown, misfit) => {
  expect(misfitOf({ ...same, ...shown }, mark)).toBe(misfit);
});

test('an empty log matches a standby without events', () => {
  const empty = { tick: '0', lastId: null };
  expect(misfitOf({ ...same, ...empty, removedTick: '0', idThen: null }, empty)).toBeUndefined();
  expect(misfitOf({ ...same, ...empty, removedTick: '0', lastId: 'another', idThen: 'another' }, empty)).toBe(
    'other-log',
  );
});
