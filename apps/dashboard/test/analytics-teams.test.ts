import type { AnalyticsKpi, CatalogItem, DoraReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { figuresCsv } from '../src/analytics/csv.ts';
import type { Question } from '../src/analytics/question.ts';
import { teamsIn } from '../src/analytics/teams.ts';
import { sortedRows } from '../src/analytics/teams-table.tsx';
import { boardOf } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import type { Scope } from '../src/board/scope.ts';
import { home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

const row = (service: string, environment = 'prod') => ({
  service,
  slots: { [environment]: { current: anEvent({ service, environment }) } },
});
const services = ['pay-api', 'pay-web', 'pay-jobs', 'shop-api', 'shop-web', 'shop-jobs', 'lone'];
const board = boardOf({
  environments: ['dev', 'prod'],
  rows: [...services.map((name) => row(name)), row('idle', 'dev')],
});
const item = (service: string, team: string): [string, CatalogItem] => [
  service,
  { service, team, owner: null, repository: null, runbook: null, tags: [] },
];
const withTeams = {
  ...noContext,
  ownership: {
    items: new Map([item('pay-api', 'Payments'), item('shop-api', 'Shop'), item('lone', 'Shop'), item('idle', 'Idle')]),
    favourites: { services: [], teams: [] },
  },
};
const queriesOf = ({ teams }: ReturnType<typeof teamsIn>) => teams.map(({ name, scope: { query } }) => [name, query]);

test('the teams of the catalog with a service in the scope are compared, and services without a team are noticed', () => {
  const found = teamsIn(home.filter, board, withTeams);
  expect(queriesOf(found)).toEqual([
    ['Payments', { teams: ['Payments'], environments: ['prod'] }],
    ['Shop', { teams: ['Shop'], environments: ['prod'] }],
  ]);
  expect([found.kind, found.isPartial]).toEqual(['team', true]);
  expect(found.teams.map(({ scope }) => scope.services)).toEqual([1, 2]);
});

test('without a catalog, services with a common name prefix are compared', () => {
  const found = teamsIn(home.filter, board, noContext);
  expect(queriesOf(found)).toEqual([
    ['pay', { services: ['pay', 'pay-*', 'pay.*', 'pay_*', 'pay/*'], environments: ['prod'] }],
    ['shop', { services: ['shop', 'shop-*', 'shop.*', 'shop_*', 'shop/*'], environments: ['prod'] }],
  ]);
  const narrowed = teamsIn({ ...home.filter, services: ['*-api'] }, board, noContext);
  expect(queriesOf(narrowed).map(([, query]) => query)).toMatchObject([
    { services: ['pay-api'] },
    { services: ['shop-api'] },
  ]);
});

test('a single team is not compared', () => {
  expect(teamsIn({ ...home.filter, teams: ['Shop'] }, board, withTeams).teams).toEqual([]);
});

const window = {
  days: 3,
  from: '2026-05-08T00:00:00Z',
  to: '2026-05-10T14:00:00Z',
  retention_days: 90,
  clamped: false,
  covered_from: '2026-05-09T10:00:00Z',
  covered_days: 2,
};
const kpi = (value: number | null, unit: AnalyticsKpi['unit'], more: Partial<AnalyticsKpi> = {}): AnalyticsKpi => ({
  ...{ value, unit, classification: 'elite', trend_delta: null, sparkline: [], approximated: false },
  ...more,
});
const report = (ended: number, rate: number | null): DoraReport => ({
  window,
  deployment_frequency: kpi(ended / 3, 'per_day', { sparkline: [0, ended, 0], per_covered_day: ended / 2 }),
  lead_time: kpi(2, 'hours'),
  change_failure_rate: kpi(rate, 'ratio'),
  time_to_restore: kpi(null, 'minutes'),
});
const rows = [
  { name: 'Few', services: 9, report: report(5, 0.9) },
  { name: 'Good', services: 2, report: report(20, 0.1) },
  { name: 'Bad', services: 1, report: report(10, 0.5) },
  { name: 'None', services: 3, report: report(30, null) },
];

test.each([
  ['change_failure_rate', true, 'Bad Good Few None'],
  ['change_failure_rate', false, 'Good Bad Few None'],
  ['deployment_frequency', true, 'None Good Bad Few'],
  ['deployments', false, 'Few Bad Good None'],
  ['services', true, 'Few None Good Bad'],
  ['name', false, 'Bad Few Good None'],
] as const)(
  'teams sorted by %s (descending: %s) are %s, those without a comparable value last',
  (by, isDown, names) => {
    expect(
      sortedRows(rows, { by, isDown })
        .map(({ name }) => name)
        .join(' '),
    ).toBe(names);
  },
);

test('the CSV file has the scope, the keys, the outages, the days, the teams and the charts', () => {
  const scope = { environments: 'prod', isProduction: true, who: undefined } as Scope;
  const [, good] = rows;
  const text = figuresCsv({
    question: { scope } as Question,
    dora: report(20, 0.1),
    frequency: {
      window,
      buckets: [
        { date: '2026-05-08', success: 0, failure: 0 },
        { date: '2026-05-09', success: 18, failure: 2 },
        { date: '2026-05-10', success: 0, failure: 0 },
      ],
    },
    earlier: {
      window: { ...window, from: '2026-05-05T00:00:00Z', to: '2026-05-07T14:00:00Z' },
      buckets: [
        { date: '2026-05-05', success: 1, failure: 0 },
        { date: '2026-05-06', success: 2, failure: 1 },
        { date: '2026-05-07', success: 4, failure: 0 },
      ],
    },
    outages: {
      ...{ window, note: '', outages: { count: 1, linked: 1, suspected: 0, unlinked: [] } },
      change_failure_rate_observed: kpi(0.2, 'ratio', { previous: 0.1 }),
      time_to_restore_observed: kpi(null, 'minutes'),
      time_to_detect: { ...kpi(4, 'minutes'), classification: null },
    },
    teams: good ? [good] : [],
    charts: [{ title: 'Deployers', head: ['Actor', 'Events'], rows: [['=bob', 4]] }],
  });
  expect(text.split('\r\n')).toEqual([
    'Scope,"production (prod), all services"',
    'From,2026-05-08T00:00:00Z',
    'To,2026-05-10T14:00:00Z',
    'Previous from,2026-05-05T00:00:00Z',
    'Previous to,2026-05-07T14:00:00Z',
    'Log begins,2026-05-09T10:00:00Z',
    '',
    'Four keys',
    'Key,Unit,Value,Class,Previous period',
    'Deployment frequency,per_day,10,Elite,',
    'Lead time,hours,2,Elite,',
    'Change failure rate,ratio,0.1,Elite,',
    'Time to restore,minutes,,,',
    '',
    'Outages',
    'Figure,Unit,Value,Previous period',
    'Changes that broke something,ratio,0.2,0.1',
    'Length of outages,minutes,,',
    'Time to detect,minutes,4,',
    '',
    'Deployments per day',
    'Day (UTC),Succeeded,Failed,Previously succeeded,Previously failed',
    '2026-05-08,,,1,0',
    '2026-05-09,18,2,2,1',
    '2026-05-10,0,0,4,0',
    '',
    'Teams',
    'Team,Services,Deployments,Deployment frequency,Lead time,Change failure rate,Time to restore,2026-05-08,2026-05-09,2026-05-10',
    'Good,2,20,10,2,0.1,,0,20,0',
    '',
    'Deployers',
    'Actor,Events',
    "'=bob,4",
    '',
  ]);
});
