import { describe, expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noFutureRows } from '../src/board/future-rows.ts';
import type { Ownership } from '../src/board/ownership.ts';
import type { Hit, SearchInput } from '../src/shell/hit.ts';
import { type KeyPress, shortcutOf } from '../src/shell/key-presses.ts';
import { namesOn } from '../src/shell/known-names.ts';
import { hitsFor } from '../src/shell/palette-search.ts';
import { fit } from '../src/shell/ranking.ts';
import { viewNames } from '../src/shell/views.ts';
import { home, releasePage } from '../src/state/address.ts';
import { commands } from '../src/ui/commands.ts';
import { anEvent } from './support/an-event.ts';

const sha = '26d88eb0c1d2e3f4';
const board = boardOf({
  environments: ['dev', 'preprod', 'prod', '__proto__'],
  rows: [
    {
      service: 'checkout-api',
      slots: {
        dev: {
          current: anEvent({ service: 'checkout-api', environment: 'dev', version: '4.18.0', sha, actor: 'ines' }),
        },
        prod: {
          current: anEvent({ service: 'checkout-api', environment: 'prod', version: '4.17.2', actor: 'tobias' }),
        },
      },
    },
    {
      service: 'orders',
      slots: { prod: { current: anEvent({ service: 'orders', environment: 'prod', version: '2.4.18' }) } },
    },
    { service: 'orders-api', slots: {} },
    { service: 'prod', slots: {} },
    { service: 'board', slots: {} },
  ],
});
const unknown = { owner: null, repository: null, runbook: null, tags: [] };
const ownership: Ownership = {
  items: new Map([['orders', { ...unknown, service: 'orders', team: 'Orders' }]]),
  favourites: { services: [], teams: [] },
};
const nowMs = new Date(2026, 4, 4, 18).getTime();
const found = [{ service: 'old-api', version: '1.4.18', sha: null, where: 'was in prod' }];
const searched: SearchInput = {
  board,
  names: namesOn(board),
  found,
  ownership,
  filter: home.filter,
  stages: ['dev', 'preprod', 'prod'].map((name) => ({ name, environments: [name], isProduction: name === 'prod' })),
  futureRows: noFutureRows,
  nowMs,
  presets: [{ name: 'My mornings', search: '?only=failed' }],
  isOffered: (name) => ['failed', 'keys', 'csv', 'notify', 'share', 'columns'].includes(name),
};
const titles = (typed: string, count = 1) => hitsFor(typed, searched).slice(0, count).map(told);

function told({ title, after, detail }: Hit): string {
  return [title, after, detail].filter(Boolean).join(' · ');
}

describe('the palette', () => {
  test.each([
    ['checkout-api', 'checkout-api · service'],
    ['orders', 'orders · service'],
    ['Orders', 'Orders · team'],
    ['prod', 'prod · service'],
    ['preprod', 'preprod · environment'],
    ['__proto__', '__proto__ · environment'],
    ['ines', 'ines · actor'],
    ['4.18.0', '4.18.0 · checkout-api · seen in dev'],
    ['26d88eb0', `4.18.0 · checkout-api · 26d88eb0c1d2 · seen in dev`],
    [sha.toUpperCase(), `4.18.0 · checkout-api · 26d88eb0c1d2 · seen in dev`],
    ['Changes', 'Changes'],
    ['Compare', 'Releases'],
    ['feed', 'Changes'],
    ['log quality', 'Data quality'],
    ['reporter', 'Data quality'],
    ['teams', 'Analytics'],
    ['csv', 'Download the board as CSV'],
    ['notify', 'Notify me of events that match the filters'],
    ['share', 'Copy the link to this view'],
    ['columns', 'Columns: choose the environments'],
    ['last good', 'Last good version of checkout-api in dev · type “last good checkout-api dev”'],
    ['roll back', 'Last good version of checkout-api in dev · type “last good checkout-api dev”'],
    ['last good version of checkout in prod', 'Last good version of checkout-api in prod · history'],
    ['checkout prod previous version', 'Last good version of checkout-api in prod · history'],
    ['who deployed last to prod?', 'Last deployment in prod: orders 2.4.18 · 8 h ago'],
    ['latest deployment', 'Last deployment: orders 2.4.18 in prod · 8 h ago'],
    ['deployments of the team orders', 'Last deployment for Orders: orders 2.4.18 in prod · 8 h ago'],
    ['who deployed in dev last', 'Last deployment in dev: checkout-api 4.18.0 by ines · 8 h ago'],
    ['checkuot', 'checkout-api · service'],
    ['download everything', 'Download the board as CSV'],
    ['my mornings', 'My mornings'],
    ['saved view', 'My mornings'],
    ['shortcuts', 'Keyboard shortcuts'],
    ['compare preprod', 'Compare preprod with prod'],
    ['checkout pre', 'checkout-api in preprod · history'],
    ['checkout in prod', 'checkout-api in prod · history'],
    ['is 4.18.0 of checkout in prod?', 'Is 4.18.0 of checkout-api in prod? · release page'],
    ['4.17 in dev', 'Is 4.17 in dev? · release page'],
    ['what was on the board at 14:05?', 'What was on the board today at 14:05? · board at that time'],
    ['yesterday 14:05', 'What was on the board yesterday at 14:05? · board at that time'],
  ])('the first result of the palette for "%s" is %s', (typed, first) => {
    expect(titles(typed)).toEqual([first]);
  });

  test('the palette lists names that begin with the text first, and suggests a question about the best match', () => {
    expect(titles('4.18', 9)).toEqual([
      '4.18.0 · checkout-api · seen in dev',
      '2.4.18 · orders · seen in prod',
      '1.4.18 · old-api · was in prod',
      'Is 4.18 of checkout-api in prod? · release page',
    ]);
    expect(hitsFor('4.18', searched)[0]?.does).toEqual({
      to: { slot: undefined, ...releasePage({ service: 'checkout-api', release: '4.18.0' }) },
    });
    expect(hitsFor('orders', searched)[0]?.does).toEqual({
      to: { slot: undefined, view: 'board', filter: { ...home.filter, services: ['orders'] } },
    });
    expect(titles('no such name')).toEqual([]);
  });

  test('a service or environment whose name looks like a glob is the only one that its result shows', () => {
    const slots = { 'qa*': { current: anEvent({ service: 'a?b', environment: 'qa*' }) } };
    const odd = { ...searched, board: boardOf({ environments: ['qa*'], rows: [{ service: 'a?b', slots }] }) };
    const filterOf = (typed: string) => {
      const does = hitsFor(typed, odd)[0]?.does;
      return does && 'to' in does ? does.to.filter : undefined;
    };
    expect(filterOf('a?b')?.services).toEqual(['a\\?b']);
    expect(filterOf('qa*')?.environments).toEqual(['qa\\*']);
    expect(filterOf('failed in qa*')?.environments).toEqual(['qa\\*']);
  });

  test('an example of a question about the last good version links to its slot', () => {
    expect(hitsFor('last good', searched)[0]?.does).toEqual({
      to: { slot: { service: 'checkout-api', environment: 'dev' } },
    });
  });

  test("the palette prefers the service's facts about a release to those of the board", () => {
    const better = { service: 'checkout-api', version: '4.18.0', sha, where: 'runs in dev; failed in preprod' };
    const hits = hitsFor('4.18.0', { ...searched, found: [better] });
    expect(hits.filter(({ title }) => title === '4.18.0').map(told)).toEqual([
      '4.18.0 · checkout-api · runs in dev; failed in preprod',
    ]);
  });

  test('the palette lists views and commands before any text is typed', () => {
    expect(titles('show only')).toEqual(['Show only failures']);
    expect(titles('fold')).toEqual([]);
    expect(titles('', 5)).toEqual([
      'What failed in prod? · type “failed in prod”',
      'Compare preprod with prod · type “preprod vs prod”',
      'What was on the board yesterday at 14:05? · type “yesterday 14:05”',
      'Board',
      'Changes',
    ]);
    expect(hitsFor('', { ...searched, stages: [] })[0]?.title).toBe('What failed?');
    expect(hitsFor('', searched).find(({ title }) => title === 'Releases')?.keys).toEqual(['G', 'R']);
  });

  test('the last deployment is not dated in the future, and may be hidden by an event that is', () => {
    const slotOf = (service: string, happened_at: string) => ({
      service,
      slots: { prod: { current: anEvent({ service, environment: 'prod', happened_at }) } },
    });
    const ahead = boardOf({
      environments: ['prod'],
      rows: [slotOf('orders', '2026-05-06T09:00:00Z'), slotOf('billing', '2026-05-04T09:00:00Z')],
    });
    const hidden = anEvent({ service: 'orders', environment: 'prod', happened_at: '2026-05-04T15:50:00Z' });
    const now = Date.parse('2026-05-04T16:00:00Z');
    const answerWith = (futureRows: SearchInput['futureRows']) =>
      hitsFor('last deployment in prod', { ...searched, board: ahead, nowMs: now, futureRows }).map(told)[0];
    expect(answerWith(noFutureRows)).toBe('Last deployment in prod: billing 1.4.2 · 7 h ago');
    expect(answerWith(new Map([['orders prod', { hidden }]]))).toBe(
      'Last deployment in prod: orders 1.4.2 · 10 min ago',
    );
  });

  test.each([
    ['a', 'a', 100],
    ['A', 'a', 98],
    ['Last deployment: orders 2.4.18 in prod · history', 'a', undefined],
  ])('the text "%s" matches the name "%s" with the score %s', (typed, name, due) => {
    expect(fit(typed, name)).toBe(due);
  });
});

describe('the shortcut for a key press', () => {
  const bare = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isAltGraph: false };
  test.each<[string, string, Partial<KeyPress>, boolean, unknown]>([
    ['F', 'f', {}, false, { command: 'failed', leads: false }],
    ['F with caps lock', 'F', {}, false, { command: 'failed', leads: false }],
    ['F with Shift', 'F', { shiftKey: true }, false, { leads: false }],
    ['F with Ctrl', 'f', { ctrlKey: true }, false, { leads: false }],
    ['? with Shift', '?', { shiftKey: true }, false, { command: 'keys', leads: false }],
    [
      '[ with AltGr',
      '[',
      { ctrlKey: true, altKey: true, isAltGraph: true },
      false,
      { command: 'before', leads: false },
    ],
    ['/', '/', {}, false, { command: 'filter', leads: false }],
    ['G', 'g', {}, false, { leads: true }],
    ['C after G', 'c', {}, true, { view: 'changes', leads: false }],
    ['B', 'b', {}, false, { command: 'grid', leads: false }],
    ['D', 'd', {}, false, { command: 'behind', leads: false }],
    ['an unassigned key after G', 'Last deployment: orders 2.4.18 in prod · history', {}, true, { leads: false }],
    ['Tab', 'Tab', {}, false, { leads: false }],
    ['the name of an object member', 'constructor', {}, false, { leads: false }],
  ])('finds the shortcut for the key press: %s', (_, key, more, isLed, due) => {
    expect(shortcutOf({ ...bare, key, ...more }, isLed)).toEqual(due);
  });

  test.each([
    ['command', Object.values(commands)],
    ['view', Object.values(viewNames)],
  ])('no two entries share a key: %s', (_, entries) => {
    const keys = entries.flatMap(({ key }) => key ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
