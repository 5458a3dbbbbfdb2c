import type { DeploymentEvent, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { isKnownIn, recoveryIn } from '../src/domain/past.ts';
import { idAt, stored } from './support/events.ts';

const at = (minute: number, status: Status, fields: Partial<DeploymentEvent> = {}) =>
  stored({ id: idAt(minute), happened_at: `2026-05-04T09:0${minute}:00Z`, status, ...fields });
const success = at(5, 'success');

test.each<[string, DeploymentEvent[], boolean | undefined]>([
  ['after a failure', [at(4, 'failure'), at(3, 'success')], true],
  ['after a success', [at(4, 'success'), at(3, 'failure')], false],
  ['after a failure with other rows between', [at(4, 'in-progress'), at(4, 'cancelled'), at(3, 'failure')], true],
  ['after no terminal row', [at(4, 'in-progress')], undefined],
  ['with later rows before it in the list', [at(6, 'failure'), success, at(4, 'success')], false],
  ['after a failure at the same instant with a lower id', [at(5, 'failure', { id: idAt(4) })], true],
  [
    'before a failure at the same instant with a higher id',
    [at(5, 'failure', { id: idAt(6) }), at(4, 'success')],
    false,
  ],
])('decides whether a success is a recovery: a success %s', (_, rows, expected) => {
  expect(recoveryIn(rows, success)).toBe(expected);
});

test.each<[string, Partial<DeploymentEvent>, DeploymentEvent[], boolean]>([
  ['the same version before', {}, [at(4, 'success')], true],
  ['the same version, which failed', {}, [at(4, 'failure')], false],
  ['the same version later', {}, [at(6, 'success')], false],
  ['another version', {}, [at(4, 'success', { version: '1.4.1' })], false],
  ['the same sha without versions', { version: '', sha: 'abc' }, [at(4, 'success', { version: '', sha: 'abc' })], true],
  ['a version equal to its sha', { version: '', sha: '1.4.2' }, [at(4, 'success')], false],
  ['no release', { version: '' }, [at(4, 'success', { version: '' })], false],
])('decides whether a release has arrived before: %s', (_, fields, rows, known) => {
  expect(isKnownIn(rows, { ...success, ...fields })).toBe(known);
});
