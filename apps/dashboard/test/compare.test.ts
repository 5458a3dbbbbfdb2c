import type { CatalogItem, DiffRelation } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import type { Ownership } from '../src/board/ownership.ts';
import {
  arrivingIn,
  byTeam,
  type Difference,
  isOlderThan,
  kindCounts,
  relationWords,
  teamCounts,
} from '../src/compare/differences.ts';
import { leftOut, notedCount, releaseNotes } from '../src/compare/release-notes.ts';
import { comparable, defaultPair, sideOf } from '../src/compare/sides.ts';
import { type ComparisonKind, comparisonPart } from '../src/state/address/comparison.ts';
import { anEvent } from './support/an-event.ts';

function difference(service: string, relation: DiffRelation, behind: number | null = null, since = ''): Difference {
  const from = relation === 'only-to' ? null : anEvent({ service, version: '2.0' });
  const to = relation === 'only-from' ? null : anEvent({ service, version: relation === 'same' ? '2.0' : '1.0' });
  return { service, relation, behind, since: since || null, from, to, arriving: undefined };
}

const unknown: Omit<CatalogItem, 'service'> = { team: null, owner: null, repository: null, runbook: null, tags: [] };
const teams: Readonly<Record<string, string>> = { a1: 'A', a2: 'A', a3: 'A', b1: 'B', b2: 'B', c1: 'C' };
const ownership: Ownership = {
  items: new Map([
    ...Object.entries(teams).map(
      ([service, team]) => [service, { ...unknown, service, team }] as [string, CatalogItem],
    ),
    ['b1', { ...unknown, service: 'b1', team: 'B', repository: 'https://github.com/acme/b1' }],
  ]),
  favourites: { services: [], teams: [] },
};
const listed = comparisonPart.home;
const items = [
  difference('a1', 'ahead', 1, '2026-05-04T00:00:00Z'),
  difference('a2', 'only-to'),
  difference('a3', 'same'),
  difference('b1', 'ahead', 4, '2026-05-01T00:00:00Z'),
  difference('b2', 'diverged'),
  difference('c1', 'same'),
  difference('x1', 'only-from'),
  difference('x2', 'behind'),
];

describe('differences', () => {
  test('differences are sorted by team, the furthest behind first and those without drift last', () => {
    const shown = byTeam(items, listed, ownership).map(({ team, shown }) => [
      team,
      ...shown.map(({ service }) => service),
    ]);
    expect(shown).toEqual([['B', 'b1', 'b2'], ['A', 'a1', 'a2'], [undefined, 'x1', 'x2'], ['C']]);
    expect(byTeam(items, { ...listed, kind: 'same' }, ownership)[0]).toMatchObject({
      team: 'A',
      shown: [{ service: 'a3' }],
    });
    const same = [
      difference('old', 'ahead', 2, '2026-05-02T00:00:00Z'),
      difference('older', 'ahead', 2, '2026-05-01T00:00:00Z'),
    ];
    const most = difference('most', 'ahead', 3, '2026-05-03T00:00:00Z');
    expect(
      byTeam([...same, most], { ...listed, kind: 'ahead' }, ownership)[0]?.shown.map(({ service }) => service),
    ).toEqual(['most', 'older', 'old']);
  });

  test('differences are sorted by age, oldest or newest first, those without an age last', () => {
    const dated = [
      difference('ahead', 'ahead', 1, '2026-05-03T00:00:00Z'),
      // A service that was never in `to` differs since its last success in `from`.
      { ...difference('new', 'only-from'), from: anEvent({ happened_at: '2026-05-01T00:00:00Z' }) },
      difference('gone', 'only-to'),
      { ...difference('apart', 'diverged'), from: anEvent({ happened_at: '2026-05-02T00:00:00Z' }) },
    ];
    const names = (sort: 'oldest' | 'newest') =>
      byTeam(dated, { ...listed, sort }, ownership).flatMap(({ shown }) => shown.map(({ service }) => service));
    expect(names('oldest')).toEqual(['new', 'apart', 'ahead', 'gone']);
    expect(names('newest')).toEqual(['ahead', 'apart', 'new', 'gone']);
    const teamsBy = (sort: 'behind' | 'oldest' | 'newest') =>
      byTeam(items.slice(0, 4), { ...listed, kind: 'ahead', sort }, ownership).map(({ team }) => team);
    expect([teamsBy('oldest'), teamsBy('newest')]).toEqual([
      ['B', 'A'],
      ['A', 'B'],
    ]);
  });

  test.each([
    ['2026-05-01T00:00:00Z', '3d', true],
    ['2026-05-01T00:00:00Z', '7d', false],
    ['2026-05-04T00:00:00Z', '1d', false],
    ['', '1d', false],
  ] as const)('a difference since "%s" is older than %s on 5 May: %s', (since, age, due) => {
    const item = difference('s', since ? 'ahead' : 'behind', 1, since);
    expect(isOlderThan(item, age, Date.parse('2026-05-05T00:00:00Z'))).toBe(due);
  });

  test('differences are counted by kind', () => {
    const counts = { differ: 6, ahead: 2, arriving: 0, behind: 1, diverged: 1, 'only-from': 1, 'only-to': 1, same: 2 };
    expect(kindCounts(items)).toEqual(counts);
  });

  test("a team's heading counts the services that differ and don't, or those of the chosen kind", () => {
    const headings = (kind: ComparisonKind) =>
      byTeam(items, { ...listed, kind }, ownership).map((each) => [each.team, ...teamCounts(each, kind)]);
    expect(headings('differ')).toEqual([
      ['B', '2 differ', ''],
      ['A', '2 differ', '1 the same'],
      [undefined, '2 differ', ''],
      ['C', '', '1 the same'],
    ]);
    expect(headings('ahead')).toEqual([
      ['B', '1 of 2 services', ''],
      ['A', '1 of 3 services', ''],
      ['C', '0 of 1 service', ''],
      [undefined, '0 of 2 services', ''],
    ]);
  });

  test.each<[DiffRelation, string, string]>([
    ['ahead', '2 behind', ''],
    ['behind', 'ahead', 'prod has had the release in staging'],
    ['diverged', 'diverged', 'neither has had the other’s release'],
    ['only-from', 'only in staging', 'nothing succeeded in prod'],
    ['only-to', 'only in prod', 'nothing succeeded in staging'],
    ['same', 'the same', ''],
  ])('the relation "%s" is shown as "%s"', (relation, word, why) => {
    expect(relationWords(difference('s', relation, 2), 'staging', 'prod')).toEqual([word, why]);
  });
});

describe('a version is arriving in production', () => {
  const row = (version: string, status: 'in-progress' | 'success' | 'failure') => ({
    service: 's',
    slots: { prod: { current: anEvent({ version, status }), last_successful: anEvent({ version: '1.0' }) } },
  });
  test.each([
    ['2.0', 'in-progress', true],
    ['3.0', 'in-progress', false],
    ['2.0', 'failure', false],
    ['2.0', 'success', false],
  ] as const)('decides whether version %s with status %s is arriving: %s', (version, status, due) => {
    expect(arrivingIn(row(version, status), ['prod'], anEvent({ version: '2.0' }), new Map()) !== undefined).toBe(due);
  });

  test('an arriving version has its own kind, and the notes mention it', () => {
    const arriving = { ...difference('b2', 'diverged'), arriving: anEvent({ version: '2.0' }) };
    const all = [...items.filter(({ service }) => service !== 'b2'), arriving];
    expect(kindCounts(all)).toMatchObject({ differ: 6, arriving: 1, diverged: 0 });
    expect(relationWords(arriving, 'staging', 'prod')).toEqual(['arriving', 'diverged until it has succeeded']);
    const notes = releaseNotes({
      items: all,
      kind: 'differ',
      isFiltered: false,
      from: 'staging',
      to: 'prod',
      ownership,
      at: '2026-05-04T09:12:02Z',
    });
    expect(notes).toContain('- b2 1.0 → 2.0, arriving');
    expect(notes).not.toContain('b2 (');
  });
});

const stage = (name: string, environments: string[], isProduction = false) => ({ name, environments, isProduction });

test.each([
  [
    [stage('staging', ['staging', 'uat-1']), stage('production', ['prod-eu', 'prod-us'], true)],
    ['stage:staging', 'stage:production'],
  ],
  [
    [stage('dev', ['dev', 'ci']), stage('staging', ['staging']), stage('prod', ['prod'], true)],
    ['staging', 'prod'],
  ],
  [
    [stage('dev', ['dev']), stage('staging', ['staging'])],
    ['dev', 'staging'],
  ],
  [[stage('prod', ['prod'], true)], ['b', 'c']],
])('of the stages %j, %j are compared by default', (all, due) => {
  expect(defaultPair({ all }, ['a', 'b', 'c'])).toEqual(due);
});

test('a side of a comparison is an environment, or a stage with its environments', () => {
  const stages = { all: [stage('Test', ['Test', 'qa-1']), stage('production', ['prod-eu', 'prod-us'], true)] };
  expect(comparable(stages, ['dev', 'prod-eu'])).toEqual(['stage:Test', 'stage:production', 'dev', 'prod-eu']);
  expect(sideOf('stage:PRODUCTION', stages)).toEqual({
    ...{ reference: 'stage:PRODUCTION', name: 'production', environments: ['prod-eu', 'prod-us'] },
  });
  expect(sideOf('stage:test', stages).name).toBe('Test (all)');
  expect(sideOf('stage:gone', stages)).toEqual({ reference: 'stage:gone', name: 'gone', environments: [] });
  expect(sideOf('dev', stages)).toEqual({ reference: 'dev', name: 'dev', environments: ['dev'] });
});

test('omitted services are listed by reason', () => {
  expect(leftOut(items, 'staging', 'prod')).toEqual([
    { kind: 'diverged', reason: 'its prod release was never in staging', services: ['b2'] },
    { kind: 'only-to', reason: 'only in prod', services: ['a2'] },
    { kind: 'behind', reason: 'prod is ahead', services: ['x2'] },
  ]);
});

describe('release notes', () => {
  const at = '2026-05-04T09:12:02Z';
  test('release notes list what would arrive by team, with links to the changes, and what they omit', () => {
    expect(releaseNotes({ items, kind: 'differ', isFiltered: false, from: 'staging', to: 'prod', ownership, at })).toBe(
      [
        '# staging → prod, 2026-05-04 09:12 UTC',
        '## B\n- b1 [1.0 → 2.0](https://github.com/acme/b1/compare/1.0...2.0), 4 releases',
        '## A\n- a1 1.0 → 2.0, 1 release',
        '## No team\n- x1 new: 2.0',
        '**Left out:** b2 (its prod release was never in staging), a2 (only in prod), x2 (prod is ahead)',
      ].join('\n\n'),
    );
    expect(notedCount(items)).toBe(3);
  });

  test('release notes of a chosen kind list only its services, and say so if none would arrive', () => {
    const notes = {
      items,
      isFiltered: false,
      from: 'staging',
      to: 'prod',
      ownership: { ...ownership, items: new Map() },
      at,
    };
    const title = '# staging → prod, 2026-05-04 09:12 UTC';
    expect(releaseNotes({ ...notes, kind: 'only-from' })).toBe(`${title}\n\n- x1 new: 2.0`);
    expect(releaseNotes({ ...notes, kind: 'behind' })).toBe(
      `${title}\n\nNo listed service would reach prod.\n\n**Left out:** x2 (prod is ahead)`,
    );
  });

  test('release notes without teams have no headings, and empty ones say so', () => {
    const notes = {
      kind: 'differ',
      isFiltered: false,
      from: 'staging',
      to: 'prod',
      ownership: { ...ownership, items: new Map() },
      at,
    } as const;
    expect(releaseNotes({ ...notes, items: [difference('a1', 'ahead', 1)] })).toBe(
      '# staging → prod, 2026-05-04 09:12 UTC\n\n- a1 1.0 → 2.0, 1 release',
    );
    expect(releaseNotes({ ...notes, items: [] })).toContain('\n\nNothing would reach prod.');
    const filtered = releaseNotes({ ...notes, items: [], isFiltered: true });
    expect(filtered).toContain('\n\nNo listed service would reach prod.');
  });

  test('release notes show names unchanged', () => {
    const hostile = { ...difference('[x](javascript:1)\n# <b>', 'only-from'), from: anEvent({ version: '*1*' }) };
    const text = releaseNotes({
      items: [hostile],
      kind: 'differ',
      isFiltered: false,
      from: '@a|b',
      to: '__proto__',
      ownership,
      at,
    });
    expect(text).toContain('- \\[x\\](javascript:1) \\# \\<b\\> new: \\*1\\*');
    expect(text).toContain('# \\@\u200ba\\|b → \\_\\_proto\\_\\_, ');
  });
});
