import type { DeploymentEvent, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { durationOf, groupsOf } from '../src/log/groups.ts';

const event = (
  id: string,
  deployment_id: string,
  minute: number,
  status: Status,
  more: Partial<DeploymentEvent> = {},
): DeploymentEvent => ({
  id,
  deployment_id,
  service: 'payments-api',
  environment: 'staging',
  status,
  happened_at: `2026-05-04T09:${minute}:00Z`,
  ...more,
});

test('deployments are ordered by their newest event, each with its duration, status and version', () => {
  const events = [
    event('5', 'two', 50, 'success', { environment: 'prod' }),
    event('4', 'one', 40, 'failure'),
    event('3', 'two', 30, 'in-progress', { version: '1.4.2' }),
    event('2', 'one', 20, 'in-progress', { version: '1.4.1' }),
  ];
  expect(groupsOf(events)).toMatchObject([
    {
      deployment: 'two',
      status: 'success',
      environments: ['prod', 'staging'],
      services: ['payments-api'],
      named: { version: '1.4.2' },
      first: '2026-05-04T09:30:00Z',
      last: '2026-05-04T09:50:00Z',
      spanMs: 20 * 60_000,
      events: [{ id: '5' }, { id: '3' }],
    },
    { deployment: 'one', status: 'failure', named: { version: '1.4.1' }, events: [{ id: '4' }, { id: '2' }] },
  ]);
});

test('every event is in exactly one group, even with unusual names', () => {
  const events = ['__proto__', 'constructor', '__proto__', ''].map((name, index) =>
    event(String(index), name, 10 + index, 'success'),
  );
  expect(
    groupsOf(events)
      .flatMap((group) => group.events.map(({ id }) => id))
      .sort(),
  ).toEqual(['0', '1', '2', '3']);
  expect(groupsOf([])).toEqual([]);
});

test.each([
  [0, '0 ms'],
  [840, '840 ms'],
  [42_900, '42 s'],
  [725_000, '12 min 5 s'],
  [720_000, '12 min'],
  [4_800_000, '1 h 20 min'],
  [3_600_000, '1 h'],
  [273_600_000, '3 d 4 h'],
])('a duration of %i ms is shown as %s', (ms, words) => {
  expect(durationOf(ms)).toBe(words);
});
