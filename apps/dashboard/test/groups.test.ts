import type { MatrixRow, Status } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { slotKey } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { type Grouping, groupingOf, groupKey, groupNames, groupsOf, prefixOf } from '../src/board/groups.ts';
import { isHealthy } from '../src/board/healthy.ts';
import { noOwnership, type Ownership } from '../src/board/ownership.ts';
import { rollUpOf, rollUpSentence } from '../src/board/roll-up.ts';
import { anEvent } from './support/an-event.ts';

const known = { owner: null, repository: null, runbook: null, tags: [] };
const teams = (of: Record<string, string | null>): Ownership => ({
  ...noOwnership,
  items: new Map(Object.entries(of).map(([service, team]) => [service, { service, team, ...known }])),
});

test.each([
  ['pay-api-eu', 'pay'],
  ['pay.api', 'pay'],
  ['pay_api', 'pay'],
  ['pay/api', 'pay'],
  ['pay', 'pay'],
  ['-pay', ''],
])('the prefix of the service %s is %j', (service, due) => {
  expect(prefixOf(service)).toBe(due);
});

describe('the grouping of a board', () => {
  test.each<[string, string[], Ownership, Grouping]>([
    ['by team if one is known', ['a', 'b'], teams({ a: 'shop' }), 'team'],
    ['by prefix if no team is known', ['pay-api', 'pay-web', 'pay', 'ledger'], teams({ ledger: null }), 'prefix'],
    ['not at all if no prefix has three services', ['pay-api', 'pay-web', 'ledger'], noOwnership, 'none'],
    ['not at all if one prefix has all services', ['pay-api', 'pay-web', 'pay-x'], noOwnership, 'none'],
    ['not at all if the prefixes are empty', ['-a', '-b', '-c', 'd'], noOwnership, 'none'],
  ])('a board is grouped %s', (_, services, ownership, due) => {
    expect(groupingOf(services, ownership)).toBe(due);
  });

  const services = ['pay-web', 'cart-b', 'pay-api', '__proto__', 'pay-x', 'cart-a'];
  const rows: MatrixRow[] = services.map((service) => ({ service, slots: {} }));
  test.each<[Grouping, Ownership, [string | undefined, string[]][]]>([
    [
      'team',
      teams({ 'pay-x': 'Zoo', 'cart-b': 'alpha', 'cart-a': 'alpha' }),
      [
        ['alpha', ['cart-b', 'cart-a']],
        ['Zoo', ['pay-x']],
        [undefined, ['pay-web', 'pay-api', '__proto__']],
      ],
    ],
    [
      'prefix',
      noOwnership,
      [
        ['pay', ['pay-web', 'pay-api', 'pay-x']],
        [undefined, ['cart-b', '__proto__', 'cart-a']],
      ],
    ],
    ['none', noOwnership, [[undefined, services]]],
  ])(
    'grouping by %s puts each service in one group, with services without a group last',
    (grouping, ownership, due) => {
      const groups = groupsOf(rows, groupNames(services, grouping, ownership));
      expect(groups.map((group) => [group.name, group.rows.map(({ service }) => service)])).toEqual(due);
    },
  );

  test('services stay grouped by a prefix if a filter leaves only two of them', () => {
    const groups = groupsOf(rows.slice(0, 3), groupNames(services, 'prefix', noOwnership));
    expect(groups.map(groupKey)).toEqual(['pay', '-']);
  });
});

const slotOf = (status: Status) => ({ current: anEvent({ status }) });

test('a group summary counts the boxes of each column, worst first', () => {
  const rows: MatrixRow[] = [
    { service: 'a', slots: { dev: slotOf('success'), prod: slotOf('success') } },
    { service: 'b', slots: { dev: slotOf('failure') }, upcoming: { qa: anEvent({ status: 'waiting' }) } },
    { service: 'c', slots: { dev: slotOf('success'), qa: slotOf('in-progress'), prod: slotOf('failure') } },
    {
      service: 'd',
      slots: {},
      upcoming: { qa: anEvent({ status: 'rejected' }), dev: anEvent({ status: 'cancelled' }) },
    },
  ];
  const ahead = new Map(['a', 'c'].map((service) => [slotKey(service, 'prod'), { hidden: undefined }]));
  const column = (...environments: string[]) => ({
    key: environments.join(),
    stage: '',
    environments,
    isFolded: false,
  });
  const columns = [column('dev'), column('qa'), column('prod'), column('none'), column('dev', 'prod')];
  const parts = columns.map((_, index) => rollUpOf(rows, columns, ahead, index));
  expect(parts.map(rollUpSentence)).toEqual([
    '1 failed, 1 called off, 2 succeeded',
    '1 running, 1 waiting for the first deployment, 1 called off',
    '1 failed, 1 dated ahead',
    'never deployed',
    // A service counts once in a folded column, by its worst environment.
    '2 failed, 1 dated ahead, 1 called off',
  ]);
  expect(rollUpSentence(rollUpOf(rows, columns.slice(0, 3), ahead))).toBe(
    '2 failed, 1 running, 1 waiting for the first deployment, 1 dated ahead, 2 called off, 2 succeeded',
  );
});

describe('whether a service is healthy', () => {
  const nowMs = Date.parse('2026-05-05T12:00:00Z');
  const cancelled = (happened_at: string) => ({
    current: anEvent({ status: 'in-progress', happened_at }),
    next: anEvent({ status: 'cancelled', happened_at }),
  });
  const ok = slotOf('success');
  test.each<[string, Omit<MatrixRow, 'service'>, boolean]>([
    ['a service with only successes is healthy', { slots: { dev: ok, prod: ok } }, true],
    ['a service that was never deployed is healthy', { slots: {} }, true],
    ['a service with a failure is not healthy', { slots: { dev: slotOf('failure'), prod: ok } }, false],
    ['a service with a running deployment is not healthy', { slots: { dev: slotOf('in-progress') } }, false],
    [
      'a service with a queued deployment is not healthy',
      { slots: { dev: { ...ok, next: anEvent({ status: 'queued' }) } } },
      false,
    ],
    [
      'a service whose first deployment was rejected over a day ago is healthy',
      { slots: {}, upcoming: { dev: anEvent({ status: 'rejected' }) } },
      true,
    ],
    [
      'a service with a pending first deployment is not healthy',
      { slots: {}, upcoming: { dev: anEvent({ status: 'pending' }) } },
      false,
    ],
    [
      'a service with a deployment cancelled over a day ago is healthy',
      { slots: { dev: cancelled('2026-05-04T11:00:00Z') } },
      true,
    ],
    [
      'a service with a deployment cancelled today is not healthy',
      { slots: { dev: cancelled('2026-05-05T11:00:00Z') } },
      false,
    ],
    [
      'a service whose next deployment was cancelled today is not healthy',
      { slots: { dev: { ...ok, next: cancelled('2026-05-05T11:00:00Z').next } } },
      false,
    ],
    [
      'a service whose next deployment was cancelled over a day ago is healthy',
      { slots: { dev: { ...ok, next: cancelled('2026-05-04T11:00:00Z').next } } },
      true,
    ],
    [
      'a service with a failure only in a hidden column is healthy',
      { slots: { dev: ok, other: slotOf('failure') } },
      true,
    ],
  ])('%s (case %#)', (_, standings, due) => {
    expect(isHealthy({ service: 'a', ...standings }, ['dev', 'prod'], noContext, nowMs)).toBe(due);
  });

  test('a service with an event dated in the future is not healthy', () => {
    const futureRows = new Map([[slotKey('a', 'dev'), { hidden: undefined }]]);
    expect(isHealthy({ service: 'a', slots: { dev: ok } }, ['dev'], { ...noContext, futureRows }, nowMs)).toBe(false);
  });
});
