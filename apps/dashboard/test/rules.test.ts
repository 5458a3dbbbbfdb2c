import type { MatrixRow } from '@shiplog/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inUtc, inZone } from '../src/board/age.ts';
import { slotKey } from '../src/board/board.ts';
import { columnOrder, moved } from '../src/board/columns.ts';
import { type Filter, globMatches, wantsEvent, wantsRow } from '../src/board/filter.ts';
import { noOwnership, type Ownership } from '../src/board/ownership.ts';
import { filterLabels } from '../src/filters/filter-labels.ts';
import { noticesOf } from '../src/shell/notices.ts';
import { comparisonKinds } from '../src/state/address/comparison.ts';
import { type Address, addressOf, home, searchOf, unfiltered } from '../src/state/address.ts';
import { freshness } from '../src/ui/freshness-label.ts';
import { anEvent } from './support/an-event.ts';

const success = anEvent();
const failure = anEvent({ status: 'failure' });

describe('the order of columns', () => {
  const promotionOrder = ['dev', 'staging', 'prod'];
  test.each([
    [
      'follows the promotion order, then the names, with production last',
      ['PROD', 'alpha', 'dev', 'zeta'],
      [],
      [],
      ['dev', 'alpha', 'zeta', 'PROD'],
    ],
    ['puts the last known stage last', ['other', 'staging', 'dev'], [], [], ['dev', 'other', 'staging']],
    ["puts the viewer's choice first", ['dev', 'staging', 'prod'], ['prod', 'gone'], [], ['prod', 'dev', 'staging']],
    ['leaves out hidden columns', ['dev', 'staging', 'prod'], [], ['staging'], ['dev', 'prod']],
  ])('the order of columns %s', (_, environments, order, hidden, due) => {
    expect(columnOrder(environments, promotionOrder, { order, hidden })).toEqual(due);
  });

  test.each([
    ['b', 1, ['a', 'c', 'b']],
    ['b', -1, ['b', 'a', 'c']],
    ['a', -1, ['a', 'b', 'c']],
    ['c', 9, ['a', 'b', 'c']],
    ['x', 1, ['a', 'b', 'c']],
  ])('the column %s can be moved by %i', (name, by, due) => {
    expect(moved(['a', 'b', 'c'], name, by)).toEqual(due);
  });
});

describe('a filter of the board', () => {
  test.each([
    ['payments-*', 'payments-api', true],
    ['payments-*', 'my-payments-api', false],
    ['*-svc', 'order-svc', true],
    ['p?od', 'prod', true],
    ['PROD', 'prod', true],
    ['a.c', 'abc', false],
    ['[x', '[x', true],
    ['*', 'line\nbreak', true],
    ['a**c', 'abbc', true],
    ['*a*b', 'xaxxbxb', true],
    ['*a*b', 'xaxxbxc', false],
    ['', '', true],
    ['a*', '', false],
    ['*a*a*a*a*a*a*a*a*b', 'a'.repeat(128), false],
  ])('the pattern %s matches %s: %s', (glob, name, due) => {
    expect(globMatches(glob, name)).toBe(due);
  });

  const all: Filter = home.filter;
  const waiting = anEvent({ status: 'waiting', version: '2.0.0' });
  const row: MatrixRow = {
    service: 'order-svc',
    slots: { staging: { current: failure }, prod: { current: success } },
    upcoming: { qa: waiting },
  };
  const hidden = anEvent({ version: '7.7.7' });
  const known = { owner: null, repository: null, runbook: null, tags: [] };
  const shop: Ownership = {
    items: new Map([['order-svc', { service: 'order-svc', team: 'shop', ...known }]]),
    favourites: { services: [], teams: ['shop'] },
  };
  test.each<[string, Partial<Filter>, string[], boolean]>([
    ['nothing', {}, ['staging'], true],
    ['another service', { services: ['pay*'] }, ['staging'], false],
    ['part of the service name', { text: 'ORDER' }, ['prod'], true],
    ['its team', { teams: ['payments', 'shop'] }, ['prod'], true],
    ['another team', { teams: ['payments'] }, ['prod'], false],
    ["the viewer's services", { mine: true }, ['prod'], true],
    ['a version', { text: '1.4' }, ['prod'], true],
    ['the version of a pending first deployment', { text: '2.0.0' }, ['qa'], true],
    ['a version hidden by an event dated in the future', { text: '7.7' }, ['prod'], true],
    ['a version it does not have', { text: '9.9' }, ['prod'], false],
    ['a version in a hidden column', { text: '2.0.0' }, ['prod'], false],
  ])('a row is filtered by %s', (_, filter, columns, due) => {
    const ahead = new Map([[slotKey('order-svc', 'prod'), { hidden }]]);
    expect(wantsRow({ ...all, ...filter }, row, columns, { futureRows: ahead, ownership: shop })).toBe(due);
  });

  test.each<[string, Partial<Filter>, boolean]>([
    ['nothing', {}, true],
    ['its environment', { environments: ['stag*'] }, true],
    ['another environment', { environments: ['prod'] }, false],
    ['the failed status', { only: 'failed' }, false],
    ['its deployment', { text: 'GHA-1' }, true],
    ['a team if no teams are known', { teams: ['shop'] }, false],
    ["the viewer's services if none are chosen", { mine: true }, false],
  ])('an event is filtered by %s', (_, filter, due) => {
    expect(wantsEvent({ ...all, ...filter }, success, noOwnership)).toBe(due);
  });
});

test('an address is unchanged after conversion to a query string and back, whatever names it contains', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 3 });
  const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
  const text = fc.string({ minLength: 1 });
  const instants = fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
    .map((date) => date.toISOString());
  const addresses: fc.Arbitrary<Address> = fc.record({
    view: fc.constantFrom('board', 'swimlanes', 'releases', 'compare', 'feed', 'analytics'),
    filter: fc.record({
      services: names,
      environments: names,
      teams: names,
      mine: fc.boolean(),
      text: maybe(text),
      only: fc.constantFrom('failed', 'running', 'behind', undefined),
    }),
    columns: fc.record({ order: names, hidden: names }),
    board: fc.record({
      group: fc.constantFrom('team', 'prefix', 'none', undefined),
      order: fc.constantFrom('attention', 'name'),
      fold: fc.constantFrom('well', 'nothing', undefined),
      opened: names,
      closed: names,
      whole: names,
      others: fc.boolean(),
    }),
    attention: fc.constantFrom('all', 'production', 'failed', 'silent', undefined),
    servicesOnly: fc.boolean(),
    slot: maybe(fc.record({ service: text, environment: text })),
    status: fc.constantFrom('success', 'in-progress', undefined),
    actor: maybe(text),
    deployment: maybe(text),
    since: maybe(instants),
    until: maybe(instants),
    grouped: fc.boolean(),
    comparison: fc.record({
      from: maybe(text),
      to: maybe(text),
      earlier: maybe(instants),
      kind: fc.constantFrom(...comparisonKinds),
    }),
    release: fc.record({ service: maybe(text), release: maybe(text), environment: maybe(text) }),
    quality: fc.record({ kinds: fc.constantFrom([], ['late' as const, 'silent' as const]) }),
    figures: fc.constantFrom(home.figures, { ...home.figures, window: '30d' as const, before: false }),
    asof: maybe(fc.oneof(instants, fc.constant('now'))),
    opened: maybe(text),
    quiet: fc.boolean(),
  });
  fc.assert(
    fc.property(addresses, (address) => {
      expect(addressOf(searchOf(address))).toEqual(address);
    }),
  );
  expect(searchOf(home)).toBe('');
  expect(addressOf('?view=nonsense&window=1y&since=never&only=all&evidence=all&side=up')).toEqual(home);
});

test.each<[Partial<Address>, string[]]>([
  [
    {
      view: 'feed',
      figures: { ...home.figures, window: '30d' },
      grouped: true,
      columns: { order: ['prod'], hidden: ['dev'] },
    },
    [],
  ],
  [
    {
      filter: {
        ...home.filter,
        services: ['pay-*', 'order-svc'],
        environments: ['prod'],
        text: '2.11',
        only: 'failed',
      },
    },
    ['service pay-*', 'service order-svc', 'environment prod', '“2.11”', 'failed only'],
  ],
  [{ filter: { ...home.filter, teams: ['shop'], mine: true } }, ['team shop', 'only mine']],
  [
    { status: 'waiting', actor: 'alice', deployment: 'gha-1', since: '2026-05-04T10:00:00Z', until: '2026-05-05' },
    [
      'status waiting',
      'actor alice',
      'deployment gha-1',
      'since 2026-05-04 10:00:00 UTC',
      'until 2026-05-05 00:00:00 UTC',
    ],
  ],
])('the filters %j have descriptions and can be cleared together', (address, due) => {
  expect(filterLabels({ ...home, ...address })).toEqual(due);
  expect(filterLabels({ ...home, ...address, ...unfiltered })).toEqual([]);
});

describe('timestamps', () => {
  test("a text that isn't a timestamp stays unchanged", () => {
    expect(inUtc('soon')).toBe('soon');
    expect(inZone('soon')).toBe('soon');
    expect(inZone('2026-05-04T09:12:02.5Z')).toMatch(/^[345] May 2026, \d\d:\d\d:02 [A-Z]/);
    expect(inUtc('2026-05-04T09:12:02.5Z')).toBe('2026-05-04 09:12:02 UTC');
  });
});

test.each([
  [{ link: 'live', reason: undefined, asOf: 1000 }, undefined, 'live'],
  [{ link: 'live', reason: undefined, asOf: 1000 }, 188_000, 'live · 12 s'],
  [{ link: 'polling', reason: 'the stream ended', asOf: 198_000 }, undefined, 'reconnecting · snapshot'],
  [{ link: 'polling', reason: 'the stream ended', asOf: 180_000 }, undefined, 'snapshot, 20 s old'],
  [{ link: 'polling', reason: 'signal timed out', asOf: 20_000 }, undefined, 'no answer for 3 min'],
  [{ link: 'away', reason: 'fetch failed', asOf: 20_000 }, 1000, 'no answer for 3 min'],
  [{ link: 'away', reason: 'fetch failed', asOf: 0 }, undefined, 'reconnecting'],
  [{ link: 'connecting', reason: undefined, asOf: 0 }, undefined, 'connecting'],
] as const)('shows the freshness of %j', (state, lastAt, due) => {
  expect(freshness(state, lastAt, 200_000).label).toBe(due);
});

test.each([
  [1, []],
  [3, []],
  [4, ['1 more deployment event']],
  [5, ['2 more deployment events']],
])('if %i events arrive at once, the first three get separate notifications and the others share one', (count, due) => {
  const event = anEvent({ status: 'failure' });
  const titles = noticesOf(Array.from({ length: count }, () => event)).map(({ title }) => title);
  const single = Array.from({ length: Math.min(3, count) }, () => 'payments-api 1.4.2 failed in staging');
  expect(titles).toEqual([...single, ...due]);
});
