import type { Hold, Outage } from '@shiplog/contract';
import { expect, test } from 'vitest';
import type { NewsContent, NewsKind, NewsMessage } from '../src/domain/news.ts';
import { breachNews, holdNews } from '../src/domain/news.ts';
import { plain } from '../src/domain/shown.ts';
import { variablesOf } from '../src/domain/variables.ts';
import { plainLine, wordingOf } from '../src/domain/wording.ts';
import { stored } from './support/events.ts';

const at = '2026-12-24T12:00:00Z';
const hold: Hold = {
  ...{
    id: 'h',
    kind: 'freeze',
    services: ['*'],
    environments: ['prod*'],
    version: null,
    from: at,
    until: '2027-01-04T08:00:00Z',
  },
  ...{
    reason: 'Christmas',
    url: null,
    by: 'Ines',
    source: null,
    source_id: null,
    created_at: at,
    released: null,
    exceptions: [],
  },
};
const outage: Outage = {
  ...{
    source: 'test',
    outage_id: 'INC-7',
    state: 'open',
    opened_at: at,
    resolved_at: null,
    minutes: null,
    services: ['pay'],
  },
  ...{
    environments: ['prod'],
    severity: 'high',
    title: 'Payments fail',
    url: null,
    caused_by: null,
    not_by_deployment: false,
  },
  ...{
    links: [{ rule: 'suspected', service: 'pay', environment: 'prod', deployment_id: 'd', event_id: 'e', at }],
    reason: null,
  },
} as Outage;
const deployment = stored({ happened_at: at, service: 'pay', environment: 'prod', version: '1.4.2', actor: 'ben' });

function news(kind: NewsKind, content: NewsContent): NewsMessage {
  return { kind, id: 'news-x', at, services: ['pay'], environments: ['prod'], content };
}

test.each<[NewsKind, NewsContent, string]>([
  ['hold-begins', { hold }, `Hold on * in prod*: frozen until 2027-01-04T08:00:00Z: Christmas (Ines); at ${at}`],
  ['hold-ends', { hold }, `No longer held: * in prod*; frozen until 2027-01-04T08:00:00Z: Christmas (Ines); at ${at}`],
  [
    'breach',
    { hold, deployment },
    `pay 1.4.2 in prod despite a hold by ben; frozen until 2027-01-04T08:00:00Z: Christmas (Ines); at ${at}`,
  ],
  [
    'outage-opened',
    { outage, deployment },
    `Outage of pay in prod: Payments fail; severity high; suspected: pay 1.4.2 in prod by ben, at ${at}; at ${at}`,
  ],
  [
    'outage-resolved',
    { outage: { ...outage, state: 'resolved', minutes: 12.4, severity: null, links: [] } },
    `Resolved: outage of pay in prod: Payments fail; after 12 minutes; at ${at}`,
  ],
  [
    'outage-opened',
    { outage: { ...outage, services: null, environments: null, title: null, severity: null, links: [] } },
    `Outage: INC-7; at ${at}`,
  ],
])('%s in words (case %#)', (kind, content, text) => {
  expect(plainLine(wordingOf(news(kind, content), plain))).toBe(text);
});

test('templates can name the place, the release and its author', () => {
  const variables = variablesOf(news('outage-opened', { outage, deployment }));
  const names = ['kind', 'service', 'environment', 'version', 'actor', 'id', 'happened_at'];
  expect(names.map((name) => variables(name, false))).toEqual([
    'outage-opened',
    'pay',
    'prod',
    '1.4.2',
    'ben',
    'news-x',
    at,
  ]);
});

const names = { services: ['pay'], environments: ['prod'] };
test.each<[string, Partial<Hold>, string, string[]]>([
  ['before it begins', {}, '2026-12-24T11:59:59Z', []],
  ['when it begins', {}, at, ['hold-begins']],
  ['when it ends', {}, '2027-01-04T08:00:00Z', ['hold-begins', 'hold-ends']],
  [
    'after its release',
    { released: { at: '2026-12-25T00:00:00Z', by: null, reason: null } },
    '2026-12-26T00:00:00Z',
    ['hold-begins', 'hold-ends'],
  ],
  [
    'that was released before it began',
    { released: { at: '2026-12-20T00:00:00Z', by: null, reason: null } },
    '2026-12-26T00:00:00Z',
    [],
  ],
  ['that began half a second ago', { from: '2026-12-24T12:00:00Z' }, '2026-12-24T12:00:00.5Z', ['hold-begins']],
  ['without an end', { until: null }, '2027-02-01T00:00:00Z', ['hold-begins']],
])('the news about a hold %s', (_, fields, now, kinds) => {
  expect(holdNews({ ...hold, ...fields }, now, names).map(({ kind }) => kind)).toEqual(kinds);
});

test('news about different things has different ids', () => {
  const breach = {
    hold_id: 'h',
    kind: 'freeze',
    service: 'a',
    environment: 'b',
    deployment_id: 'd',
    event_id: 'e',
    at,
  } as const;
  const ids = [
    ...holdNews(hold, '2027-02-01T00:00:00Z', names),
    ...holdNews({ ...hold, id: 'other' }, '2027-02-01T00:00:00Z', names),
    breachNews(breach),
    breachNews({ ...breach, event_id: 'f' }),
  ].map(({ id }) => id);
  expect(new Set(ids).size).toBe(6);
});
