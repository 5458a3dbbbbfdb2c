import type { MatrixRow } from '@shiplog/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageOf, inUtc, longAgeOf } from '../src/board/age.ts';
import { slotKey } from '../src/board/ahead.ts';
import { columnOrder, moved } from '../src/board/columns.ts';
import { type Filter, globMatches, wantsEvent, wantsRow } from '../src/board/filter.ts';
import { filterLabels } from '../src/filters/filter-labels.ts';
import { positionAfter } from '../src/matrix/cell-position.ts';
import { columnWidth, densities, linesOf, visibleRange } from '../src/matrix/layout.ts';
import { freshness } from '../src/shell/freshness-label.ts';
import { noticesOf } from '../src/shell/notices.ts';
import { type Address, addressOf, home, searchOf, unfiltered } from '../src/state/address.ts';
import { presetsIn, presetsText, withPresets } from '../src/state/presets.ts';
import { anEvent } from './support/an-event.ts';

const success = anEvent();
const failure = anEvent({ status: 'failure' });

describe('columns', () => {
  const ladder = ['dev', 'staging', 'prod'];
  test.each([
    ['by the ladder, then by name', ['zeta', 'PROD', 'alpha', 'dev'], [], [], ['dev', 'PROD', 'zeta', 'alpha']],
    ['the viewer first', ['dev', 'staging', 'prod'], ['prod', 'gone'], [], ['prod', 'dev', 'staging']],
    ['without what is hidden', ['dev', 'staging', 'prod'], [], ['staging'], ['dev', 'prod']],
  ])('%s', (_, environments, order, hidden, due) => {
    expect(columnOrder(environments, ladder, { order, hidden })).toEqual(due);
  });

  test.each([
    ['b', 1, ['a', 'c', 'b']],
    ['b', -1, ['b', 'a', 'c']],
    ['a', -1, ['a', 'b', 'c']],
    ['c', 9, ['a', 'b', 'c']],
    ['x', 1, ['a', 'b', 'c']],
  ])('%s moved by %i', (name, by, due) => {
    expect(moved(['a', 'b', 'c'], name, by)).toEqual(due);
  });
});

describe('a filter', () => {
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
  ])('%s matches %s: %s', (glob, name, due) => {
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
  test.each<[string, Partial<Filter>, string[], boolean]>([
    ['nothing', {}, ['staging'], true],
    ['another service', { services: ['pay*'] }, ['staging'], false],
    ['part of its name', { text: 'ORDER' }, ['prod'], true],
    ['a version', { text: '1.4' }, ['prod'], true],
    ['what is to be deployed first', { text: '2.0.0' }, ['qa'], true],
    ['what a date ahead hides', { text: '7.7' }, ['prod'], true],
    ['what it has not', { text: '9.9' }, ['prod'], false],
    ['what it has in a column that is not shown', { text: '2.0.0' }, ['prod'], false],
  ])('for %s', (_, filter, columns, due) => {
    const ahead = new Map([[slotKey('order-svc', 'prod'), { hidden }]]);
    expect(wantsRow({ ...all, ...filter }, row, columns, ahead)).toBe(due);
  });

  test.each<[string, Partial<Filter>, boolean]>([
    ['nothing', {}, true],
    ['its environment', { environments: ['stag*'] }, true],
    ['another environment', { environments: ['prod'] }, false],
    ['failed', { only: 'failed' }, false],
    ['its deployment', { text: 'GHA-1' }, true],
  ])('of events for %s', (_, filter, due) => {
    expect(wantsEvent({ ...all, ...filter }, success)).toBe(due);
  });
});

test('an address is read back from its query, whatever names it holds', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 3 });
  const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
  const text = fc.string({ minLength: 1 });
  const instants = fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
    .map((date) => date.toISOString());
  const addresses: fc.Arbitrary<Address> = fc.record({
    view: fc.constantFrom('board', 'swimlanes', 'feed', 'analytics'),
    filter: fc.record({
      services: names,
      environments: names,
      text: maybe(text),
      only: fc.constantFrom('failed', 'running', undefined),
    }),
    columns: fc.record({ order: names, hidden: names }),
    picked: maybe(text),
    slot: maybe(fc.record({ service: text, environment: text })),
    status: fc.constantFrom('success', 'in-progress', undefined),
    actor: maybe(text),
    deployment: maybe(text),
    since: maybe(instants),
    until: maybe(instants),
    grouped: fc.boolean(),
    window: fc.constantFrom('7d', '14d', '30d'),
    quiet: fc.boolean(),
  });
  fc.assert(
    fc.property(addresses, (address) => {
      expect(addressOf(searchOf(address))).toEqual(address);
    }),
  );
  expect(searchOf(home)).toBe('');
  expect(addressOf('?view=nonsense&window=1y&since=never&only=all')).toEqual(home);
});

test.each<[Partial<Address>, string[]]>([
  [{ view: 'feed', window: '30d', grouped: true, columns: { order: ['prod'], hidden: ['dev'] } }, []],
  [
    { filter: { services: ['pay-*', 'order-svc'], environments: ['prod'], text: '2.11', only: 'failed' } },
    ['service pay-*', 'service order-svc', 'environment prod', '“2.11”', 'failed only'],
  ],
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
])('the filters of %j are told in words, and taken away together', (address, due) => {
  expect(filterLabels({ ...home, ...address })).toEqual(due);
  expect(filterLabels({ ...home, ...address, ...unfiltered })).toEqual([]);
});

describe('the grid', () => {
  test('a row is as high as its fullest cell', () => {
    expect(linesOf([0, 1, 3], densities.normal).tops).toEqual([0, 62, 124, 226]);
    expect(linesOf([3, 3], densities.compact).tops).toEqual([0, 36, 72]);
  });

  test.each([
    [0, 100, 0, { from: 0, until: 2 }],
    [62, 62, 0, { from: 1, until: 3 }],
    [0, 10_000, 4, { from: 0, until: 5 }],
    [10_000, 100, 1, { from: 4, until: 5 }],
  ])('from %i on for %i pixels, %i to spare', (start, length, spare, due) => {
    const { tops } = linesOf([0, 0, 0, 0, 0], densities.normal);
    expect(visibleRange(tops, { start, length, spare })).toEqual(due);
  });

  test('columns share the room, down to a least width', () => {
    expect(columnWidth(1190, 5, densities.normal)).toBe(200);
    expect(columnWidth(1190, 50, densities.normal)).toBe(168);
    expect(columnWidth(1190, 0, densities.normal)).toBe(168);
  });

  test.each([
    ['ArrowDown', { row: 1, column: 0 }],
    ['ArrowUp', { row: 0, column: 0 }],
    ['ArrowLeft', { row: 0, column: -1 }],
    ['End', { row: 0, column: 2 }],
    ['PageDown', { row: 4, column: 0 }],
    ['x', undefined],
  ])('%s leads to %j', (key, due) => {
    expect(positionAfter(key, { row: 0, column: 0 }, 5, 3)).toEqual(due);
  });
});

describe('ages', () => {
  test.each([
    [2, 'now', 'just now'],
    [59, '59 s', '59 seconds ago'],
    [60, '1 min', '1 minute ago'],
    [7199, '1 h', '1 hour ago'],
    [200_000, '2 d', '2 days ago'],
    [-60, 'now', 'just now'],
    [-61, 'dated 1 min ahead', 'dated 1 minute ahead'],
    [-3590, 'dated 1 h ahead', 'dated 1 hour ahead'],
    [-10_795, 'dated 3 h ahead', 'dated 3 hours ahead'],
    [-200_000, 'dated 2 d ahead', 'dated 2 days ahead'],
  ])('%i seconds', (seconds, short, long) => {
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    expect([ageOf(nowMs - seconds * 1000, nowMs), longAgeOf(nowMs - seconds * 1000, nowMs)]).toEqual([short, long]);
  });

  test('a text that is no instant stays as it is', () => {
    expect(inUtc('soon')).toBe('soon');
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
] as const)('the freshness of %j is told', (state, lastAt, due) => {
  expect(freshness(state, lastAt, 200_000).label).toBe(due);
});

test.each([
  [1, []],
  [3, []],
  [4, ['1 more deployment event']],
  [5, ['2 more deployment events']],
])('of %i events at once three are notified one by one, and the others by their number', (count, due) => {
  const event = anEvent({ status: 'failure' });
  const titles = noticesOf(Array.from({ length: count }, () => event)).map(({ title }) => title);
  const single = Array.from({ length: Math.min(3, count) }, () => 'payments-api 1.4.2 failed in staging');
  expect(titles).toEqual([...single, ...due]);
});

describe('presets', () => {
  const presets = [
    { name: 'a', search: '?only=failed' },
    { name: 'b', search: '' },
  ];
  test('come back from the file that they were exported to', () => {
    expect(presetsIn(presetsText(presets))).toEqual(presets);
  });

  test.each([
    ['no JSON', 'This file is no JSON; choose one that was exported here.'],
    ['{"a":1}', 'This file holds no presets; choose one that was exported here.'],
    ['null', 'This file holds no presets; choose one that was exported here.'],
  ])('a file that holds %s is refused with what to do', (text, sentence) => {
    expect(() => presetsIn(text)).toThrow(sentence);
  });

  test('that lead elsewhere, or are none, are left out', () => {
    const text = JSON.stringify({
      shiplog_presets: [{ name: 'x', search: 'https://example.com' }, null, { name: '' }, presets[0]],
    });
    expect(presetsIn(text)).toEqual([presets[0]]);
  });

  test('presets of one name are one', () => {
    expect(withPresets(presets, [{ name: 'a', search: '?q=x' }])).toEqual([{ name: 'a', search: '?q=x' }, presets[1]]);
  });
});
