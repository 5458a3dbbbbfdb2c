import type { CatalogItem } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { promotionSentence, straightTo } from '../src/analytics/funnel-chart.tsx';
import { scoped } from '../src/analytics/rows-link.tsx';
import { beforeSentence, nothingEnded, scopeName, scopeSentence, servicesWord } from '../src/analytics/scope-words.ts';
import { dayRows, stageRows } from '../src/analytics/targets.ts';
import { boardOf } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { type Scope, scopeOf } from '../src/board/scope.ts';
import { home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

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
  ['a name that no service has', { environments: ['*'], services: ['a\\b'] }, { services: ['a\\\\b'] }],
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
  expect(scopeOf(filter, bare, beside)).toMatchObject({ query: { environments: ['prod'] }, services: 0 });
});

test('explains a filter that matches nothing and a filter that matches too much', () => {
  expect(scopeOf({ ...filter, teams: ['shop'], services: ['pay*'] }, board, beside)).toEqual({
    fault: 'No services match the filters of this page.',
  });
  const services = Array.from({ length: 101 }, (_, index) => `s${index}`);
  expect(scopeOf({ ...filter, services }, board, beside)).toHaveProperty('fault');
});

const scope = (narrowed: Partial<typeof filter>) => scopeOf({ ...filter, ...narrowed }, board, beside) as Scope;
const nowMs = Date.parse('2026-05-10T14:20:30Z');
const window = {
  days: 7,
  from: '2026-05-04T00:00:00Z',
  to: '2026-05-10T14:21:00Z',
  retention_days: 90,
  clamped: false,
};

test('the sentence about the scope states the counts and the previous period', () => {
  expect(Object.values(scopeSentence(scope({ environments: ['dev'] }), 132, window, nowMs)).join('')).toBe(
    '132 deployments that ended in dev, 4 May to 14:21 UTC today, of the 3 services there.',
  );
  const { rest } = scopeSentence(scope({ teams: ['payments'] }), 1, window, nowMs);
  expect(rest).toBe(', 4 May to 14:21 UTC today, of team payments (2 services there). Production is the default.');
  expect(beforeSentence(window, nowMs, false)).toBe('Before: 27 Apr 09:39 UTC to 3 May.');
  expect(beforeSentence(window, nowMs, true)).toContain('the log begins later');
  expect(beforeSentence({ ...window, clamped: true }, nowMs, false)).toContain('does not go back that far');
  expect(scopeName(scope({ environments: ['*'] }), home.figures)).toBe('all environments, all services, 7 days');
});

test('the scope bar and the sentence below it show the same number of services', () => {
  expect(servicesWord({ scope: scope({}) })).toBe(`all ${scope({}).services}`);
  expect(servicesWord({ scope: scope({ teams: ['payments'] }) })).toBe('2');
  expect(servicesWord({ fault: 'No service passes.' })).toBe('none');
  expect(servicesWord(undefined)).toBe('…');
});

test('the message about an empty result names the environment and the period', () => {
  expect(nothingEnded(scope({ environments: ['dev'] }), { ...home.figures, window: '30d' })).toBe(
    'Nothing ended in dev in these 30 days',
  );
  const days = { from: '2026-05-03', to: '2026-05-04' };
  expect(nothingEnded(scope({ environments: ['*'] }), { ...home.figures, days })).toBe(
    'Nothing ended in any environment from 3 May to 4 May',
  );
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
