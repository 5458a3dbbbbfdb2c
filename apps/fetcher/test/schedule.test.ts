import { expect, test } from 'vitest';
import { type Action, nextAction, type Situation } from '../src/sources/source-loop.ts';

const early: Situation = { nowMs: 100, dueMs: 200, pausedUntilMs: 0, hasHints: false, previous: 'poll' };

test.each<[string, Partial<Situation>, Action]>([
  ['the start', { dueMs: 0, previous: undefined }, 'poll'],
  ['a cycle', {}, 'backfill'],
  ['a cycle during which a hint arrived', { hasHints: true }, 'poll hinted'],
  ['a cycle that took longer than its interval', { nowMs: 250 }, 'backfill'],
  ['a long cycle during which a hint arrived', { nowMs: 250, hasHints: true }, 'poll hinted'],
  ['a failure', { pausedUntilMs: 101 }, 'pause'],
  ['a failure, with a hint', { pausedUntilMs: 101, hasHints: true }, 'pause'],
  ['a failure, when the next cycle is due', { pausedUntilMs: 251, nowMs: 250 }, 'pause'],
  ['a pause', { previous: 'pause' }, 'backfill'],
  ['a pause beyond the next cycle', { previous: 'pause', nowMs: 250, hasHints: true }, 'poll'],
  ['hints', { previous: 'poll hinted' }, 'backfill'],
  ['the backfill', { previous: 'backfill' }, 'wait'],
  ['the backfill, with a hint', { previous: 'backfill', hasHints: true }, 'poll hinted'],
  ['the backfill, when the next cycle is due', { previous: 'backfill', nowMs: 200, hasHints: true }, 'poll'],
  ['a wait ended by a hint', { previous: 'wait', hasHints: true }, 'poll hinted'],
  ['a wait until the next cycle', { previous: 'wait', nowMs: 200 }, 'poll'],
])('chooses the next action of a source after %s', (_, changed, expected) => {
  expect(nextAction({ ...early, ...changed })).toBe(expected);
});
