import type { CatalogItem, DoraReport, FrequencyReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { promotionSentence, straightTo } from '../src/analytics/charts/bar-charts.tsx';
import { dayRows, scoped, stageRows } from '../src/analytics/links.tsx';
import { csvName, noPreviousText, placeText, scopeText, servicesText } from '../src/analytics/scope-text.ts';
import { boardOf } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { type Scope, scopeOf } from '../src/board/scope.ts';
import { home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';
import { stagesNamed } from './support/stages.ts';

const slot = (service: string, environment: string) => ({ current: anEvent({ service, environment }) });
const row = (service: string, ...environments: string[]) => ({
  service,
  slots: Object.fromEntries(environments.map((name) => [name, slot(service, name)])),
});
const board = boardOf({
  environments: ['PROD', 'dev', 'prod', 'qa*'],
  rows: [row('Pay-web', 'dev', 'PROD'), row('pay-api', 'dev', 'prod'), row('shop', 'dev'), row('__proto__', 'qa*')],
});
const item = (service: string, team: string): [string, CatalogItem] => [
  service,
  { service, team, owner: null, repository: null, runbook: null, tags: [] },
];
const beside = {
  ...noContext,
  stages: stagesNamed(['dev', 'prod'], board.environments),
  ownership: {
    items: new Map([item('pay-api', 'payments'), item('Pay-web', 'payments'), item('shop', 'shop')]),
    favourites: { services: ['shop'], teams: [] },
  },
};
const filter = home.filter;

test.each([
  ['production with its own spelling if nothing is selected', {}, { environments: ['PROD', 'prod'] }],
  ['every environment', { environments: ['*'] }, {}],
  ['a name in another case', { environments: ['Dev'] }, { environments: ['dev'] }],
  ['a pattern', { environments: ['qa?'] }, { environments: ['qa?'] }],
  ['a name that is itself a pattern', { environments: ['QA?'] }, { environments: ['QA?', 'qa\\*'] }],
  ['a pattern in another case', { environments: ['*'], services: ['pay-*'] }, { services: ['pay-*', 'Pay-web'] }],
  ['one name with a star', { environments: ['qa\\*'] }, { environments: ['qa\\*'] }],
  ['a pattern that ends in a backslash', { environments: ['*'], services: ['a*\\'] }, { services: ['a*\\\\'] }],
  ['a name with a backslash', { environments: ['*'], services: ['a\\\\b'] }, { services: ['a\\\\b'] }],
  ['a team', { environments: ['*'], teams: ['payments'] }, { teams: ['payments'] }],
  [
    'a team and a pattern',
    { environments: ['*'], teams: ['payments'], services: ['*-api'] },
    { services: ['pay-api'] },
  ],
  ['mine', { environments: ['*'], mine: true }, { services: ['shop'] }],
])('the request covers %s', (_, narrowed, query) => {
  expect(scopeOf({ ...filter, ...narrowed }, board, beside)).toMatchObject({ query });
});

test('the scope counts as production only if it contains exactly that environment', () => {
  const isProduction = (environments: string[]) =>
    (scopeOf({ ...filter, environments }, board, beside) as Scope).isProduction;
  expect([[], ['prod'], ['PROD', 'prod'], ['*'], ['prod', 'dev'], ['pro*']].map(isProduction)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('if nothing was deployed to production, the request uses its name in the promotion order', () => {
  const bare = boardOf({ environments: [], rows: [] });
  const stages = stagesNamed(['dev', 'prod'], []);
  expect(scopeOf(filter, bare, { ...beside, stages })).toMatchObject({
    query: { environments: ['prod'] },
    services: 0,
  });
});

test('explains a filter that matches nothing and a filter that matches too much', () => {
  expect(scopeOf({ ...filter, teams: ['shop'], services: ['pay*'] }, board, beside)).toEqual({
    fault: 'No services match the filters of this page.',
  });
  const services = Array.from({ length: 101 }, (_, index) => `s${index}`);
  expect(scopeOf({ ...filter, services }, board, beside)).toHaveProperty('fault');
});

const scope = (narrowed: Partial<typeof filter>) => scopeOf({ ...filter, ...narrowed }, board, beside) as Scope;
const window = {
  days: 7,
  from: '2026-05-04T00:00:00Z',
  to: '2026-05-10T14:21:00Z',
  retention_days: 90,
  clamped: false,
};

test('a scope is named in sentences, in the evidence and in the name of a file', () => {
  const period = { from: '2026-05-04T00:00:00Z', to: '2026-05-10T14:21:00Z' };
  const production = scope({ teams: ['payments'] });
  expect(placeText(production)).toBe('in production');
  expect(scopeText(production)).toBe('production (PROD, prod), team payments');
  expect(csvName(production, period)).toBe('shiplog-production-team-payments-2026-05-04-to-2026-05-10.csv');
  const dev = scope({ environments: ['dev'] });
  expect([placeText(dev), scopeText(dev)]).toEqual(['in dev', 'dev, all services']);
  expect(csvName(dev, { ...period, to: '2026-05-10T00:00:00Z' })).toBe('shiplog-dev-2026-05-04-to-2026-05-09.csv');
  const everywhere = scope({ environments: ['*'] });
  expect([placeText(everywhere), scopeText(everywhere)]).toEqual([
    'in any environment',
    'all environments, all services',
  ]);
});

test('the number of services in the toolbar is that of the scope', () => {
  expect(servicesText(scope({}))).toBe('All 2');
  expect(servicesText(scope({ teams: ['payments'] }))).toBe('2');
  expect(servicesText({ fault: 'No services match.' })).toBe('none');
  expect(servicesText(undefined)).toBe('…');
});

test('without a previous value, the page says when the log begins, that it does not go back that far, or that there is none', () => {
  const reportWith = (previous: number | null, more = {}) =>
    ({ window: { ...window, ...more }, deployment_frequency: { previous } }) as DoraReport & FrequencyReport;
  const report = reportWith(null);
  const young = reportWith(null, { covered_from: '2026-05-06T10:00:00Z' });
  expect(noPreviousText(young, undefined)).toBe('no previous period: log begins 6 May');
  expect(noPreviousText(report, young)).toBe('no previous period: log begins 6 May');
  expect(noPreviousText(report, report)).toBe('no previous period: the log does not go back that far');
  expect(noPreviousText(reportWith(2), report)).toBe('no value in the previous period');
});

test('the events behind a chart mark are filtered by the scope; for a stage, also by the environment of the stage', () => {
  const narrowed = scope({ services: ['pay*'] }).filter;
  expect(scoped(dayRows(window, '2026-05-04'), narrowed).filter).toMatchObject({
    services: ['pay*'],
    environments: ['PROD', 'prod'],
  });
  expect(scoped(stageRows(window, 'qa'), narrowed).filter?.environments).toEqual(['qa']);
});

const stage = (environment: string, count: number) => ({ environment, count, conversion: null });

test('if a stage has more deployments than the previous one, the excess counts as direct, and no share exceeds 100 %', () => {
  const stages = [stage('dev', 2), stage('preprod', 46), stage('prod', 53)];
  expect(promotionSentence(stages)).toBe('46 reached preprod, 53 reached prod; at least 7 came directly to prod.');
  expect(promotionSentence([stage('preprod', 46), stage('prod', 4)])).toBe('46 reached preprod, 4 reached prod.');
  expect(stages.map((_, index) => straightTo(stages, index))).toEqual([0, 44, 7]);
  expect(promotionSentence([stage('prod', 4)])).toBeUndefined();
});
