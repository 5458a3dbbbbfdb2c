import type { MatrixRow } from '@shiplog/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inUtc, inZone } from '../src/board/age.ts';
import { slotKey } from '../src/board/board.ts';
import { columnOrder } from '../src/board/columns.ts';
import { type Filter, globMatches, wantsEvent, wantsRow } from '../src/board/filter.ts';
import { noOwnership, type Ownership } from '../src/board/ownership.ts';
import { filterLabels } from '../src/filters/filter-labels.ts';
import { noticesOf } from '../src/shell/notifications.ts';
import { comparisonKinds } from '../src/state/address/comparison.ts';
import {
  type Address,
  addressOf,
  changeOf,
  home,
  searchOf,
  unfiltered,
  unknownIn,
  views,
} from '../src/state/address.ts';
import { addressWith, displayOf } from '../src/state/display.ts';
import { freshness } from '../src/ui/freshness-label.ts';
import { anEvent } from './support/an-event.ts';
import { stagesNamed } from './support/stages.ts';

const [success, failure] = [anEvent(), anEvent({ status: 'failure' })] as const;

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
    [
      'puts other environments last without production',
      ['other', 'staging', 'dev'],
      [],
      [],
      ['dev', 'staging', 'other'],
    ],
    ["puts the viewer's choice first", ['dev', 'staging', 'prod'], ['prod', 'gone'], [], ['prod', 'dev', 'staging']],
    ['leaves out hidden columns', ['dev', 'staging', 'prod'], [], ['staging'], ['dev', 'prod']],
  ])('the order of columns %s', (_, environments, order, hidden, due) => {
    expect(columnOrder(environments, stagesNamed(promotionOrder, environments), { order, hidden })).toEqual(due);
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
    view: fc.constantFrom(...views),
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
      layout: fc.constantFrom('grid', 'progress', 'wall'),
      group: fc.constantFrom('team', 'prefix', 'none', undefined),
      order: fc.constantFrom('attention', 'name'),
      fold: fc.constantFrom('well', 'nothing', undefined),
      opened: names,
      closed: names,
      whole: names,
      stages: fc.constantFrom('agreeing', 'none', undefined),
      wide: names,
      narrow: names,
    }),
    attention: fc.constantFrom('all', 'older', 'hidden', 'production', 'silent', undefined),
    slot: maybe(fc.record({ service: text, environment: text })),
    status: fc.constantFrom('success', 'in-progress', undefined),
    actor: maybe(text),
    deployment: maybe(text),
    net: fc.boolean(),
    range: fc.constantFrom(
      undefined,
      { name: 'last-month' },
      { from: '2026-11-19T13:10:00Z', to: '2026-11-19T14:10:00Z' },
      { from: '2026-11-19T13:10:00Z', to: undefined },
    ),
    comparison: fc.record({
      from: maybe(text),
      to: maybe(text),
      kind: fc.constantFrom(...comparisonKinds),
      sort: fc.constantFrom('behind', 'oldest', 'newest'),
      older: fc.constantFrom('1d', '30d', undefined),
    }),
    release: fc.record({
      tab: fc.constantFrom('answer', 'reach'),
      service: maybe(text),
      release: maybe(text),
      environment: maybe(text),
    }),
    quality: fc.record({ kinds: fc.constantFrom([], ['late' as const, 'silent' as const]) }),
    figures: fc.constantFrom(home.figures, { ...home.figures, compare: true }),
    asof: maybe(fc.oneof(instants, fc.constant('now'))),
    opened: maybe(text),
  });
  fc.assert(
    fc.property(addresses, (address) => {
      const search = searchOf(address);
      expect({ ...address, ...changeOf(search) }).toEqual(address);
      expect(searchOf(addressOf(search))).toBe(search);
      expect(unknownIn(search)).toEqual([]);
    }),
  );
  expect(searchOf(home)).toBe('');
  expect(addressOf('?view=__proto__')).toEqual(home);
  expect(addressOf('?view=nonsense&window=1y&since=never&only=all&evidence=all&side=up')).toEqual(home);
});

test.each([
  ['?view=swimlanes&service=a', '?service=a&layout=progress'],
  ['?quiet=1', '?layout=wall'],
  ['?view=feed', '?view=changes&environment=*'],
  ['?view=feed&environment=qa&grouped=1', '?view=changes&environment=qa'],
  ['?view=feed&actor=anna&status=failure', '?view=changes&environment=*&status=failure&actor=anna&range=30d'],
  ['?view=feed&deployment=gha-1', '?view=changes&environment=*&deployment=gha-1'],
  ['?view=feed&actor=a&since=2026-05-01', '?view=changes&environment=*&actor=a&from=2026-05-01T00%3A00%3A00.000Z'],
  [
    '?view=feed&since=2026-05-01T10:00:00Z&until=2026-05-01T11:00:00Z',
    '?view=changes&environment=*&from=2026-05-01T10%3A00%3A00Z&to=2026-05-01T11%3A00%3A00Z',
  ],
  [
    '?view=feed&until=2026-05-01T11:00:00Z',
    '?view=changes&environment=*&from=2025-03-27T11%3A00%3A00.000Z&to=2026-05-01T11%3A00%3A00Z',
  ],
  ['?view=compare&source=staging&target=prod', '?view=releases&tab=reach&source=staging&target=prod'],
  ['?others=1&services=1&column=prod', '?column=prod&wide=-'],
  ['?view=compare&then=2026-05-01T10:00:00Z', '?view=changes&environment=*&net=1&from=2026-05-01T10%3A00%3A00Z'],
  [
    '?view=compare&then=2026-05-01T10:00:00Z&target=p*d&asof=2026-05-02T10:00:00Z&relation=same',
    '?view=changes&environment=p%5C*d&net=1&from=2026-05-01T10%3A00%3A00Z&to=2026-05-02T10%3A00%3A00Z',
  ],
  ['?view=quality&kind=late', '?view=analytics&tab=quality&kind=late'],
])('the former address %s becomes %s', (former, now) => {
  expect(searchOf(addressOf(former))).toBe(now);
  expect(unknownIn(former)).toEqual([]);
});

test('the last choice of how the board is drawn applies to addresses that don’t say it', () => {
  const board = { ...home.board, layout: 'wall', order: 'name', opened: ['a'], wide: ['Dev'] } as const;
  const remembered = displayOf({ board, columns: { order: [], hidden: ['qa'] } });
  expect(remembered).toBe('?hide=qa&order=name');
  expect(addressWith('?only=failed', remembered)).toMatchObject({
    filter: { only: 'failed' },
    board: { order: 'name', layout: 'grid' },
    columns: { hidden: ['qa'] },
  });
  for (const search of ['?group=none', '?hide=dev', '?quiet=1', '?view=swimlanes'])
    expect(addressWith(search, remembered)).toEqual(addressOf(search));
});

test.each([
  ['?view=changes&from=2026-05-01&to=2026-05-02&range=7d', []],
  ['?view=nonsense&colour=red', ['view', 'colour']],
  ['?view=analytics&layout=wall&q=a', ['layout']],
  ['?history=a&in=b&asof=now', []],
])('in the address %s the unknown parameters are %j', (search, names) => {
  expect(unknownIn(search)).toEqual(names);
});

test.each<[Partial<Address>, string[]]>([
  [
    {
      view: 'changes',
      figures: { ...home.figures, compare: true },
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
  [{ status: 'waiting', actor: 'alice', deployment: 'gha-1' }, ['status waiting', 'actor alice', 'deployment gha-1']],
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
