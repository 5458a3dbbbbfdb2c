import { type Finding, findingKinds, type QualityReport, type Reporter, withoutHistory } from '@shiplog/contract';
import { expect, test } from 'vitest';
import {
  findingGroups,
  findingLooks,
  headlineOf,
  placeName,
  placeOf,
} from '../src/analytics/quality/finding-groups.ts';
import { pageOfFindings } from '../src/analytics/quality/quality-reader.ts';
import { quietIntervals, silenceOf } from '../src/analytics/quality/quiet.ts';
import { agoText, usualText } from '../src/analytics/quality/reporters.tsx';
import { verdictOf } from '../src/analytics/view-tabs.tsx';
import { factsIn } from '../src/board/facts.ts';
import { findingNote, findingTitles } from '../src/board/finding-titles.ts';
import { home } from '../src/state/address.ts';
import { someFacts } from './support/facts.ts';

const finding = (more: Partial<Finding> = {}): Finding => ({
  kind: 'future',
  service: 'pay',
  environment: 'qa',
  count: 2,
  event_id: null,
  detail: 'Set the clock.',
  ...more,
});
const reporter = (more: Partial<Reporter> = {}): Reporter => ({
  reporter: 'fetcher',
  rows_24h: 7,
  last_at: '2026-05-10T14:00:00Z',
  usual_interval_minutes: 4,
  silent: false,
  ...more,
});
const none = Object.fromEntries(findingKinds.map((kind) => [kind, 0])) as QualityReport['counts'];
const report = (findings: readonly Finding[], more: Partial<QualityReport> = {}): QualityReport => ({
  generated_at: '',
  emitters: [reporter()],
  findings: [...findings],
  counts: { ...none, future: findings.length },
  next_cursor: null,
  ...more,
});

test('each kind of finding has a separate title and an explanation of its effect on figures', () => {
  expect(Object.keys(findingTitles).sort()).toEqual([...findingKinds].sort());
  expect(new Set(findingKinds.map((kind) => findingTitles[kind])).size).toBe(findingKinds.length);
  for (const kind of findingKinds) expect(findingLooks[kind][1]).toMatch(/^[A-Z].*\.$/);
});

test('findings are grouped by kind, with the sum of their events and one sentence about what to do', () => {
  const advice = (count: number) => `${count} rows are dated ahead; correct the clock.`;
  const findings = [
    finding({ count: 9, detail: advice(9) }),
    finding({ count: 4, environment: 'dev', detail: advice(4) }),
    finding({ kind: 'stuck', count: 1, detail: '1 deployment is unfinished; check it.' }),
    finding({ kind: 'look-alike', environment: null, count: 2, detail: 'pay, Pay; agree on one.' }),
    finding({ kind: 'silent', service: null, environment: null, count: 1, detail: 'ci is silent; check it.' }),
  ];
  const counts = { ...none, future: 2, stuck: 3, 'look-alike': 1, silent: 1, duplicate: 2 };
  expect(findingGroups({ findings, counts }).map(({ title, todo }) => [title, todo])).toEqual([
    ['Clock ahead: 13 events in 2 places', 'Correct the clock.'],
    ['Stuck: 3 places', 'Check it.'],
    ['Sent twice: 2 places', undefined],
    ['Similar names: 2 names in 1 group', undefined],
    ['Silent: 1 reporter', undefined],
  ]);
});

test.each<[Partial<Finding>, string, ReturnType<typeof placeOf>]>([
  [{}, 'pay in qa', { slot: { service: 'pay', environment: 'qa' } }],
  [{ environment: null }, 'names like pay', { view: 'board', filter: { ...home.filter, services: ['pay'] } }],
  [{ service: null }, 'names like qa', { view: 'board', filter: { ...home.filter, environments: ['qa'] } }],
  [
    { service: 'p*', environment: null },
    'names like p*',
    { view: 'board', filter: { ...home.filter, services: ['p\\*'] } },
  ],
  [
    { service: null, environment: 'q?' },
    'names like q?',
    { view: 'board', filter: { ...home.filter, environments: ['q\\?'] } },
  ],
  [{ service: null, environment: null }, '', undefined],
])('a finding links to its place: %o', (more, name, place) => {
  expect(placeName(finding(more))).toBe(name);
  const found = placeOf(finding(more));
  if (place) expect(found).toMatchObject(place);
  else expect(found).toBeUndefined();
});

test('the tab shows the number of findings, or that there is no data yet', () => {
  expect(verdictOf(report([finding()]))).toEqual(['run', '1 finding']);
  expect(verdictOf(report([]))).toEqual(['ok', 'no findings']);
  expect(verdictOf(report([], { emitters: [] }))).toEqual(['', 'no data yet']);
});

test.each<[QualityReport, number, string, string]>([
  [report([]), 31, 'Yes.', 'No findings. All figures can be used as shown.'],
  [report([], { emitters: [] }), 0, 'No data yet.', 'The log is empty: no event has been posted.'],
  [
    report([finding(), finding({ environment: 'dev' }), finding({ service: 'shop' })]),
    31,
    'Mostly.',
    '3 findings affect 2 of 31 services. The figures of the other 29 can be used as shown.',
  ],
  [report([finding()]), 1, 'Only in part.', '1 finding affects 1 of 1 service.'],
  [report([finding()], { next_cursor: 'x' }), 9, 'Mostly.', '1 finding affects at least 1 of 9 services.'],
  [
    report([finding({ service: null })]),
    9,
    'Mostly.',
    '1 finding about names or reporters, none about a single service.',
  ],
])('states in one sentence whether the log can be trusted (case %#)', (quality, services, answer, says) => {
  expect(headlineOf(quality, services)).toEqual({ answer, says });
});

const takenIn = (more: Partial<Finding> = {}) => finding({ kind: 'late', count: 3, before_reporter: 3, ...more });

test("history that a new reporter imports is not a finding and doesn't count in other findings", () => {
  const onlyHistory = report([takenIn()], { counts: { ...none, late: 1 }, late_before_reporters: 1 });
  const shown = withoutHistory(onlyHistory);
  expect(headlineOf(shown, 31).answer).toBe('Yes.');
  expect(shown).toMatchObject({ findings: [], counts: none });
  const both = [takenIn(), takenIn({ service: 'shop', before_reporter: 1 })];
  const more = withoutHistory(report(both, { counts: { ...none, late: 2 }, late_before_reporters: 1 }));
  expect(more.findings).toMatchObject([{ service: 'shop', count: 2 }]);
  expect(more.counts.late).toBe(1);
  const facts = someFacts([{ findings: [takenIn(), takenIn({ count: 4 })] }]);
  expect(factsIn(facts, 'a', 'qa')?.findings).toMatchObject([{ kind: 'late', count: 1 }]);
  // These counts belong to other kinds of findings.
  expect(withoutHistory(report([], { counts: { future: 0 } })).counts).toEqual({ future: 0 });
});

test('pages that have only imported history are skipped, unless there are no others', async () => {
  const counts = { ...none, late: 2, stuck: 1 };
  const pages: readonly Partial<QualityReport>[] = [
    { findings: [takenIn()], next_cursor: 'a' },
    { findings: [takenIn({ service: 'shop' })], next_cursor: 'b' },
    { findings: [finding({ kind: 'stuck' })], next_cursor: null },
  ];
  const asked: (string | undefined)[] = [];
  const answer = async (cursor: string | undefined, more: Partial<QualityReport> = {}) => {
    asked.push(cursor);
    return report([], { counts, late_before_reporters: 2, ...pages[asked.length - 1], ...more });
  };
  expect((await pageOfFindings((cursor) => answer(cursor))).findings).toMatchObject([{ kind: 'stuck' }]);
  expect(asked.splice(0)).toEqual([undefined, 'a', 'b']);
  const alone = { counts: { ...none, late: 2 } };
  const nothing = await pageOfFindings((cursor) => answer(cursor, alone));
  expect(nothing).toMatchObject({ findings: [], next_cursor: null, historyPlaces: 2 });
  expect(asked).toEqual([undefined]);
});

test('the age of a reporter with few events is not shown', () => {
  expect(agoText(reporter({ usual_interval_minutes: null }), Date.now())).toBe('too few events');
});

test.each<[string, Partial<Reporter>, number | undefined]>([
  ['of 300 intervals', { usual_interval_minutes: 1 }, 300],
  ['of five intervals', { usual_interval_minutes: 60 }, undefined],
  ['of six intervals', { usual_interval_minutes: 50 }, 6],
  ['under an hour', { usual_interval_minutes: 0.01, last_at: '2026-05-10T18:01:00Z' }, undefined],
  ['without a usual interval', { usual_interval_minutes: null }, undefined],
])("counts a reporter's silence in its usual intervals after a pause %s", (_, more, intervals) => {
  expect(quietIntervals(reporter(more), Date.parse('2026-05-10T19:00:00Z'))).toBe(intervals);
});

test('a reporter that pauses counts as quiet long before it counts as silent', () => {
  const nowMs = Date.parse('2026-05-10T19:00:00Z');
  const paused = reporter({ usual_interval_minutes: 1 });
  expect([silenceOf(paused, nowMs), agoText(paused, nowMs)]).toEqual(['quiet', '5 h ago, 300 × the usual interval']);
  expect(silenceOf({ ...paused, silent: true }, nowMs)).toBe('silent');
});

test('the usual interval of a reporter', () => {
  const usual = (usual_interval_minutes: number | null) => usualText({ usual_interval_minutes });
  expect([null, 0.01, 0.5, 4, 90, 3000].map(usual)).toEqual([
    'too few events',
    'under 5 s',
    '30 s',
    '4 min',
    '90 min',
    '2 d',
  ]);
});

test("the findings of a slot appear in the cell's text", () => {
  expect(findingNote([finding(), finding({ kind: 'late' })])).toBe('the log has 2 findings here: Clock ahead, Late');
  expect(findingNote([finding()])).toBe('the log has a finding here: Clock ahead');
  expect(findingNote([])).toBeUndefined();
});
