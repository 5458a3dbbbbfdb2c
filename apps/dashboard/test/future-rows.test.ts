import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { hiddenBy, slotsInFuture } from '../src/board/future-rows.ts';
import { anEvent } from './support/an-event.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const at = (id: string, minute: number, status: DeploymentEvent['status'] = 'success') =>
  anEvent({ id, status, happened_at: new Date(nowMs + minute * 60_000).toISOString() });

test('an event dated beyond the clock tolerance is in the future until its time is reached', () => {
  const board = boardOf({
    environments: ['dev', 'prod', 'qa'],
    rows: [
      { service: 'one', slots: { dev: { current: at('1', 180) }, prod: { current: at('2', 1) } } },
      { service: 'two', slots: { qa: { current: at('3', -5), next: at('4', 60, 'queued') } } },
      { service: 'three', slots: {}, upcoming: { qa: at('5', 60, 'queued') } },
    ],
  });
  const ahead = (ms: number) => slotsInFuture(board, ms).map(({ service, environment }) => `${service} ${environment}`);
  expect(ahead(nowMs)).toEqual(['one dev']);
  expect(ahead(nowMs - 60_000)).toEqual(['one dev', 'one prod']);
  expect(ahead(nowMs + 180 * 60_000)).toEqual([]);
});

const current = at('5', 180);
test.each<[string, DeploymentEvent[], string | undefined]>([
  ['nothing if there is no other event', [], undefined],
  ['no event received before it', [at('3', -5, 'failure'), at('4', 170)], undefined],
  ['a failure received after it', [at('6', -5, 'failure')], '6'],
  ['the latest of two by time, in whatever order they were received', [at('6', -1, 'failure'), at('7', -60)], '6'],
  ['the last received of two with equal times', [at('6', -1), at('7', -1, 'failure')], '7'],
  ['the one that failed, not the one that is only queued', [at('6', -5, 'failure'), at('7', -1, 'queued')], '6'],
  ['the queued one if there is no other', [at('7', -1, 'queued')], '7'],
  ['an event that is dated less far in the future', [at('6', 120, 'failure'), at('4', 150)], '6'],
  ['no event that is dated further in the future', [at('6', 200, 'failure')], undefined],
])('an event dated in the future hides %s: %j', (_, others, due) => {
  expect(hiddenBy(current, [...others, current])?.id).toBe(due);
});
