import { expect, test } from 'vitest';
import { misfitOf } from '../src/db/standby-state.ts';

const mark = { tick: '90', lastId: 'of-the-primary' };
const same = { isStandby: true, tick: '90', removedTick: '7', lastId: 'of-the-primary', idThen: 'of-the-primary' };

test.each([
  ['shows the same', {}, undefined],
  ['is further on', { tick: '100', lastId: 'later' }, undefined],
  ['is behind, by number and not by text', { tick: '9', idThen: 'earlier' }, 'behind'],
  ['is no standby', { isStandby: false }, 'no-standby'],
  ['had another event at the end', { lastId: 'another', idThen: 'another' }, 'other-log'],
  ['went on from another event', { tick: '100', lastId: 'later', idThen: 'another' }, 'other-log'],
  ['had none at the end', { lastId: null, idThen: null }, 'other-log'],
  ['has had its events removed since', { tick: '100', removedTick: '95', lastId: null, idThen: null }, undefined],
] as const)('a server that %s', (_, shown, misfit) => {
  expect(misfitOf({ ...same, ...shown }, mark)).toBe(misfit);
});

test('an empty log matches a standby without events', () => {
  const empty = { tick: '0', lastId: null };
  expect(misfitOf({ ...same, ...empty, removedTick: '0', idThen: null }, empty)).toBeUndefined();
  expect(misfitOf({ ...same, ...empty, removedTick: '0', lastId: 'another', idThen: 'another' }, empty)).toBe(
    'other-log',
  );
});
