import type { Change, ChangesPage, NetChange } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noOwnership } from '../src/board/ownership.ts';
import {
  actorWords,
  changesCsv,
  durationWords,
  updatedInPlace,
  wantsChange,
  withFirstPage,
  withNextPage,
} from '../src/changes/change-list.ts';
import { decisive, isSameStep, netRows } from '../src/changes/net.ts';
import { questionOf, questionWords } from '../src/changes/question.ts';
import { sharedPrefixes } from '../src/changes/service-name.tsx';
import { barsOf, labelsOf, stripOf, timeAt } from '../src/changes/strip.ts';
import { addressOf } from '../src/state/address.ts';
import { stagesNamed } from './support/stages.ts';

const byState = { ...{ pending: 0, queued: 0, waiting: 0, success: 0 }, ...{ failure: 0, cancelled: 0, rejected: 0 } };
const noStates = { ...byState, 'in-progress': 0 };

function change(number: number, more: Partial<Change> = {}): Change {
  const at = `2026-05-04T10:${String(number).padStart(2, '0')}:00Z`;
  return {
    ...{ deployment_id: `d-${number}`, service: 'pay-api', environment: 'prod', state: 'success' },
    ...{ version: `1.${number}`, sha: null, previous: null, rollback: false, actor: 'anna', run_url: null },
    ...{ started_at: at, ended_at: at, minutes: 0, events: 1, event_id: `e-${number}` },
    ...more,
  };
}

function page(items: readonly Change[], next: string | null, from = '2026-05-04T09:00:00Z'): ChangesPage {
  const counts = { changes: items.length, services: 1, by_state: noStates, elsewhere: 0 };
  return { from, to: '2026-05-04T11:00:00Z', scope: null, counts, ahead: [], items: [...items], next_cursor: next };
}

const numbers = ({ items }: { readonly items: readonly Change[] }) => items.map(({ version }) => version);

describe('the list of changes', () => {
  const two = withNextPage(withFirstPage(undefined, page([change(4), change(3)], 'c')), page([change(2)], 'b'));

  test('a page is added below, and a change that moved up meanwhile is not listed twice', () => {
    expect([numbers(two), two.next]).toEqual([['1.4', '1.3', '1.2'], 'b']);
    expect(numbers(withNextPage(two, page([change(3), change(1)], null)))).toEqual(['1.4', '1.3', '1.2', '1.1']);
  });

  test('new changes are added above, and the loaded pages stay', () => {
    const first = page([change(5), change(4), change(3)], 'x');
    const after = withFirstPage(two, first);
    expect([numbers(after), after.next]).toEqual([['1.5', '1.4', '1.3', '1.2'], 'b']);
  });

  test('a change with a new event moves up', () => {
    const ended = change(2, { state: 'failure', event_id: 'e-9' });
    expect(numbers(withFirstPage(two, page([ended, change(4)], 'x')))).toEqual(['1.2', '1.4', '1.3']);
  });

  test('the list starts over if changes may be missing below the first page', () => {
    const first = page([change(9), change(8)], 'x');
    expect(withFirstPage(two, first)).toMatchObject({ items: [change(9), change(8)], next: 'x' });
  });

  test('changes that have left the range are dropped', () => {
    expect(numbers(withFirstPage(two, page([change(4)], 'x', '2026-05-04T10:03:00Z')))).toEqual(['1.4', '1.3']);
  });

  test('while it is read, rows change in place, and new ones wait', () => {
    const first = page([change(5), change(3, { state: 'failure', event_id: 'e-9' }), change(4)], 'x');
    const after = updatedInPlace(two, first);
    expect(numbers(after)).toEqual(['1.4', '1.3', '1.2']);
    expect(after.items[1]?.state).toBe('failure');
    expect(after.first).toBe(first);
  });

  test.each([
    [{ text: 'PAY', actor: undefined }, true],
    [{ text: '1.3', actor: undefined }, true],
    [{ text: '0.9', actor: undefined }, true],
    [{ text: 'ann', actor: undefined }, true],
    [{ text: 'd-3', actor: undefined }, true],
    [{ text: 'qa', actor: undefined }, false],
    [{ text: undefined, actor: 'anna' }, true],
    [{ text: undefined, actor: 'Anna' }, false],
    [{ text: 'pay', actor: 'bob' }, false],
  ])('%j matches: %s', (filter, due) => {
    const previous = { version: '0.9', sha: null, event_id: 'e-0' };
    expect(wantsChange(filter, change(3, { previous }))).toBe(due);
  });

  test.each([
    [['anna', 'ci-bot', 'bob', 'anna', null], 'by 2 people and ci-bot'],
    [['anna', null], 'by 1 person'],
    [['dependabot[bot]', 'ci-bot', 'anna'], 'by 1 person, ci-bot and dependabot[bot]'],
    [['a bot', 'b-bot', 'c_bot', 'robotics'], 'by 1 person and 3 bots'],
    [[null], ''],
  ])('the actors %j: %s', (actors, words) => {
    expect(actorWords(actors.map((actor, index) => change(index, { actor })))).toBe(words);
  });

  test.each([
    [0.75, '45 s'],
    [6.5, '7 min'],
    [59.7, '1 h'],
    [80, '1 h 20 min'],
  ])('%s minutes are %s', (minutes, words) => {
    expect(durationWords(minutes)).toBe(words);
  });

  test('the table as CSV names every change', () => {
    const previous = { version: '0.9', sha: null, event_id: 'e-0' };
    expect(changesCsv([change(3, { previous, rollback: true, minutes: 2.5 })]).split('\r\n')[1]).toBe(
      'success,pay-api,prod,0.9,1.3,yes,anna,2.5,2026-05-04T10:03:00Z,2026-05-04T10:03:00Z,d-3',
    );
  });
});

describe('what a range changed', () => {
  const release = (version: string) => ({ version, sha: null, event_id: `e-${version}` });
  const place = (service: string, environment: string, before: string, after: string): NetChange => ({
    ...{ service, environment, before: release(before), after: release(after) },
    ...{ changed: before !== after, changes: 2, failed: before === after ? 1 : 0 },
  });
  const items = [
    place('a', 'eu', '1.0', '1.1'),
    place('b', 'us', '1.0', '1.2'),
    place('a', 'us', '1.0', '1.0'),
    place('c', 'eu', '2.0', '2.0'),
  ];

  test('a row has all places of its service, and services without a net change come last', () => {
    expect(netRows(items).map(({ service, isChanged, places }) => [service, isChanged, ...places.keys()])).toEqual([
      ['a', true, 'eu', 'us'],
      ['b', true, 'us'],
      ['c', false, 'eu'],
    ]);
    expect(netRows([items[2] as NetChange, items[0] as NetChange])[0]?.main.environment).toBe('eu');
  });

  test('places are compared by what they went from and to', () => {
    const [first, second, third] = items as [NetChange, NetChange, NetChange];
    expect([
      isSameStep(first, place('x', 'y', '1.0', '1.1')),
      isSameStep(first, second),
      isSameStep(first, third),
    ]).toEqual([true, false, false]);
  });

  test('the change that decided a place is its success with the release after the range', () => {
    const changes = [
      change(1, { service: 'a', environment: 'eu', event_id: 'e-1.0' }),
      change(2, { service: 'a', environment: 'eu', event_id: 'e-1.1' }),
    ];
    expect(decisive(items[0] as NetChange, changes)?.deployment_id).toBe('d-2');
    expect(decisive(items[1] as NetChange, changes)).toBeUndefined();
  });
});

describe('what the view requests', () => {
  const board = boardOf({
    environments: ['dev', 'prod', 'prod-*'],
    rows: [{ service: 'pay', slots: {}, upcoming: {} }],
  });
  const context = { stages: stagesNamed(['dev', 'prod'], ['dev', 'prod', 'prod-*']), ownership: noOwnership };
  const nowMs = Date.parse('2026-05-04T10:00:00Z');

  test.each([
    ['', { environments: ['prod'] }, 'In prod, last 24 hours'],
    ['&environment=*', {}, 'In all environments, last 24 hours'],
    ['&environment=dev&range=7d', { environments: ['dev'] }, 'In dev, last 7 days'],
    ['&service=PAY', { services: ['pay'], environments: ['prod'] }, 'In prod, last 24 hours, service PAY'],
  ])('the address ?view=changes%s', (search, scope, words) => {
    const question = questionOf(addressOf(`?view=changes${search}`), board, context);
    if ('fault' in question) throw new Error(question.fault);
    expect([question.scope, questionWords(question, nowMs)]).toEqual([scope, words]);
  });

  test.each([
    ['&only=failed', 'failure'],
    ['&only=running', 'in-progress'],
    ['&only=behind', undefined],
    ['&status=waiting&only=failed', 'waiting'],
  ])('the filter %s selects the state %s', (search, state) => {
    expect(questionOf(addressOf(`?view=changes${search}`), board, context)).toMatchObject({ state });
  });
});

test('a beginning is shared from three names on, in whole words', () => {
  const names = ['acme-web-cart', 'acme-web-shop', 'acme-web-search', 'acme-eu-pay', 'acme', 'other-pay', 'other-cart'];
  expect(Object.fromEntries(sharedPrefixes(names))).toEqual({
    'acme-web-cart': 'acme-web-',
    'acme-web-shop': 'acme-web-',
    'acme-web-search': 'acme-web-',
    'acme-eu-pay': 'acme-',
    acme: '',
    'other-pay': '',
    'other-cart': '',
  });
});

describe('the strip of the day', () => {
  const at = (day: number, hour = 0, minute = 0) => new Date(2026, 4, day, hour, minute).getTime();

  test.each([
    ['an hour', at(4, 13, 10), at(4, 14, 10), at(4), at(5), 96, 5],
    ['a day', at(4), at(5), at(4), at(5), 96, 5],
    ['a night', at(4, 23), at(5, 1), at(4), at(6), 192, 15],
    ['a week', at(4, 10), at(11, 10), at(4), at(12), 192, 60],
    ['a month', at(1), at(31), at(1), at(31), 180, 60],
  ])('it shows the whole days around %s', (_, fromMs, toMs, first, last, buckets, stepMinutes) => {
    const strip = stripOf({ fromMs, toMs });
    expect(strip).toEqual({ fromMs: first, toMs: last, buckets, stepMs: stepMinutes * 60_000 });
  });

  test('400 days have at most 200 buckets, and labels that fit', () => {
    const strip = stripOf({ fromMs: at(1, 12) - 400 * 86_400_000, toMs: at(1, 12) });
    expect(strip.buckets).toBeLessThanOrEqual(200);
    expect(labelsOf(strip, at(1)).length).toBeLessThan(12);
  });

  test('a position on the strip is a time at a step', () => {
    const strip = stripOf({ fromMs: at(4, 13), toMs: at(4, 14) });
    expect([timeAt(strip, 0.5), timeAt(strip, 0.5 + 3 / 1440), timeAt(strip, -1), timeAt(strip, 2)]).toEqual([
      at(4, 12),
      at(4, 12, 5),
      at(4),
      at(5),
    ]);
    expect(labelsOf(strip, at(4)).map(({ text }) => text)).toEqual(
      [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22].map((hour) => `${String(hour).padStart(2, '0')}:00`),
    );
  });

  test('one failure among many changes is visible, and bars in the range are marked', () => {
    const bucket = (hour: number, success: number, failure: number) => ({
      from: new Date(at(4, hour)).toISOString(),
      to: new Date(at(4, hour + 1)).toISOString(),
      by_state: { ...noStates, success, failure },
    });
    const strip = stripOf({ fromMs: at(4, 13), toMs: at(4, 14) });
    const selected = { fromMs: at(4, 13), toMs: at(4, 14), isLive: false };
    const bars = barsOf({ buckets: [bucket(12, 0, 0), bucket(13, 99, 1), bucket(14, 1, 0)] }, strip, selected);
    expect(bars.map(({ height, failed, isSelected }) => [height, failed, isSelected])).toEqual([
      [1, 0.15, true],
      [0.15, 0, false],
    ]);
  });
});
