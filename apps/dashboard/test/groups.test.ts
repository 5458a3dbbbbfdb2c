import type { MatrixRow, Status } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { slotKey } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { type Grouping, groupingOf, groupKey, groupNames, groupsOf, prefixOf } from '../src/board/groups.ts';
import { isHealthy } from '../src/board/healthy.ts';
import { noOwnership, type Ownership } from '../src/board/ownership.ts';
import { joinedRollUp, rollUpOf, rollUpSentence } from '../src/board/roll-up.ts';
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
])('%s begins with %j', (service, due) => {
  expect(prefixOf(service)).toBe(due);
});

describe('a board is grouped', () => {
  test.each<[string, string[], Ownership, Grouping]>([
    ['by teams where one is known', ['a', 'b'], teams({ a: 'shop' }), 'team'],
    ['by prefixes where none is', ['pay-api', 'pay-web', 'pay', 'ledger'], teams({ ledger: null }), 'prefix'],
    ['by nothing where no prefix has three services', ['pay-api', 'pay-web', 'ledger'], noOwnership, 'none'],
    ['by nothing where one prefix has all', ['pay-api', 'pay-web', 'pay-x'], noOwnership, 'none'],
    ['by nothing where names begin with nothing', ['-a', '-b', '-c', 'd'], noOwnership, 'none'],
  ])('%s', (_, services, ownership, due) => {
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
  ])('by %s, each group once, services without a group last', (grouping, ownership, due) => {
    const groups = groupsOf(rows, groupNames(services, grouping, ownership));
    expect(groups.map((group) => [group.name, group.rows.map(({ service }) => service)])).toEqual(due);
  });

  test('by a prefix with only two services left after a filter', () => {
    const groups = groupsOf(rows.slice(0, 3), groupNames(services, 'prefix', noOwnership));
    expect(groups.map(groupKey)).toEqual(['pay', '-']);
  });
});

const slotOf = (status: Status) => ({ current: anEvent({ status }) });

test('a summary counts the boxes of each column, worst first', () => {
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
  const columns = ['dev', 'qa', 'prod', 'none'];
  const parts = columns.map((_, from) => rollUpOf(rows, columns, ahead, { from, until: from + 1 }));
  expect(parts.map(rollUpSentence)).toEqual([
    '1 failed, 1 called off, 2 succeeded',
    '1 running, 1 waiting for the first deployment, 1 called off',
    '1 failed, 1 dated ahead',
    'never deployed',
  ]);
  expect(joinedRollUp(parts)).toEqual(rollUpOf(rows, columns, ahead));
  expect(rollUpSentence(joinedRollUp(parts))).toBe(
    '2 failed, 1 running, 1 waiting for the first deployment, 1 dated ahead, 2 called off, 2 succeeded',
  );
});

describe('a service is healthy', () => {
  const nowMs = Date.parse('2026-05-05T12:00:00Z');
  const cancelled = (happened_at: string) => ({
    current: anEvent({ status: 'in-progress', happened_at }),
    next: anEvent({ status: 'cancelled', happened_at }),
  });
  const ok = slotOf('success');
  test.each<[string, Omit<MatrixRow, 'service'>, boolean]>([
    ['where all has succeeded', { slots: { dev: ok, prod: ok } }, true],
    ['where it never was', { slots: {} }, true],
    ['where something failed', { slots: { dev: slotOf('failure'), prod: ok } }, false],
    ['where something runs', { slots: { dev: slotOf('in-progress') } }, false],
    ['where something is queued', { slots: { dev: { ...ok, next: anEvent({ status: 'queued' }) } } }, false],
    [
      'where its first deployment was rejected long ago',
      { slots: {}, upcoming: { dev: anEvent({ status: 'rejected' }) } },
      true,
    ],
    ['where it is to be deployed first', { slots: {}, upcoming: { dev: anEvent({ status: 'pending' }) } }, false],
    ['where it was called off over a day ago', { slots: { dev: cancelled('2026-05-04T11:00:00Z') } }, true],
    ['where it was called off today', { slots: { dev: cancelled('2026-05-05T11:00:00Z') } }, false],
    [
      'where another one was called off today',
      { slots: { dev: { ...ok, next: cancelled('2026-05-05T11:00:00Z').next } } },
      false,
    ],
    [
      'where another one was, long ago',
      { slots: { dev: { ...ok, next: cancelled('2026-05-04T11:00:00Z').next } } },
      true,
    ],
    ['where another column is not', { slots: { dev: ok, other: slotOf('failure') } }, true],
  ])('%s: %#', (_, standings, due) => {
    expect(isHealthy({ service: 'a', ...standings }, ['dev', 'prod'], noContext, nowMs)).toBe(due);
  });

  test('but not if it is dated in the future', () => {
    const futureRows = new Map([[slotKey('a', 'dev'), { hidden: undefined }]]);
    expect(isHealthy({ service: 'a', slots: { dev: ok } }, ['dev'], { ...noContext, futureRows }, nowMs)).toBe(false);
  });
});
