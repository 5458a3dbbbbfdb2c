import { describe, expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noFutureRows } from '../src/board/future-rows.ts';
import type { Ownership } from '../src/board/ownership.ts';
import type { SearchInput } from '../src/shell/hit.ts';
import { namesOn } from '../src/shell/known-names.ts';
import { hitsFor } from '../src/shell/palette-search.ts';
import { home, searchOf } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

/** Friday, 20 November 2026, 18:00 in local time. */
const nowMs = new Date(2026, 10, 20, 18).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();

const row = (service: string, version: string) => ({
  service,
  slots: { staging: { current: anEvent({ service, environment: 'staging', version, actor: 'ines' }) } },
});
const board = boardOf({
  environments: ['dev', 'production', 'qa-eu', 'qa-us', 'staging'],
  rows: [row('checkout-api', '4.18.0'), row('orders', '7.2.0'), row('s3-proxy', '1.0')],
});
const unknown = { owner: null, repository: null, runbook: null, tags: [] };
const ownership: Ownership = {
  items: new Map([['orders', { ...unknown, service: 'orders', team: 'Payments & co' }]]),
  favourites: { services: [], teams: [] },
};
const searched: SearchInput = {
  board,
  names: namesOn(board),
  found: [],
  ownership,
  filter: home.filter,
  stages: ['dev', 'staging', 'production'].map((name) => ({
    name,
    environments: [name],
    isProduction: name === 'production',
  })),
  futureRows: noFutureRows,
  nowMs,
  isOffered: () => true,
};

/** The title of the first hit, and the query it links to. */
function first(typed: string): readonly [string | undefined, Record<string, string>] {
  const [found] = hitsFor(typed, searched);
  const address = found && 'to' in found.does ? { ...home, ...found.does.to } : home;
  return [found?.title, Object.fromEntries(new URLSearchParams(searchOf(address)))];
}

describe('a sentence about a stage of several environments', () => {
  const slot = (environment: string, hour: number) => ({
    [environment]: { current: anEvent({ service: 'orders', environment, happened_at: at(20, hour) }) },
  });
  const environments = ['staging', 'prod-eu', 'prod-us'];
  const staged = {
    ...searched,
    board: boardOf({
      environments,
      rows: [{ service: 'orders', slots: { ...slot('prod-eu', 9), ...slot('prod-us', 10) } }],
    }),
    stages: [
      { name: 'staging', environments: ['staging'], isProduction: false },
      { name: 'production', environments: ['prod-eu', 'prod-us'], isProduction: true },
    ],
  };
  test.each<[string, string, string]>([
    [
      'prod yesterday 13:10 to 14:10',
      'What changed in production, Thu 19 Nov, 13:10 – 14:10?',
      'environment=prod-eu&environment=prod-us',
    ],
    ['prod yesterday 14:05', 'What ran in production yesterday at 14:05?', 'environment=prod-eu&environment=prod-us'],
    ['failed in prod', 'What failed in production?', 'environment=prod-eu&environment=prod-us'],
    ['staging vs prod', 'Compare staging with production', 'target=stage%3Aproduction'],
    ['what does prod lack', 'What is production missing that staging has?', 'source=staging&target=stage%3Aproduction'],
    ['orders prod', 'orders in prod-us', 'history=orders&in=prod-us'],
  ])('"%s" asks "%s"', (typed, title, query) => {
    const [found] = hitsFor(typed, staged);
    expect(found?.title).toBe(title);
    expect(found && 'to' in found.does ? searchOf({ ...home, ...found.does.to }) : '').toContain(query);
  });
});

describe('a sentence typed into the palette', () => {
  const pair = { view: 'releases', tab: 'reach', source: 'staging', target: 'production' };
  test.each([
    'compare staging with prod',
    'Compare prod with staging',
    'staging vs prod',
    'staging vs. production?',
    'compare staging prod',
    'staging prod',
    'diff between staging and prod',
    'compare prod',
    'compare staging',
    'stg → prod',
  ])('the palette compares environments: %s', (typed) => {
    expect(first(typed)).toEqual(['Compare staging with production', pair]);
  });
  test.each([
    'what does prod lack of staging',
    'What is prod missing that staging has?',
    "what's missing in production?",
    'what would reach prod from staging',
  ])('the palette shows what is missing: %s', (typed) => {
    expect(first(typed)).toEqual(['What is production missing that staging has?', pair]);
  });

  test.each([
    ['in staging and not in prod for more than 3 days', '3d', ' for more than 3 days'],
    ['which services are in staging but not yet in prod older than 10 days', '7d', ' for more than 7 days'],
    ['not in prod', undefined, ''],
    ["what's not in production for 1 day", '1d', ' for more than 1 day'],
  ])('the palette limits what is missing by age: %s', (typed, older, words) => {
    expect(first(typed)).toEqual([
      `What is production missing that staging has${words}?`,
      { ...pair, ...(older && { older }) },
    ]);
  });

  const yesterday = at(19, 14, 5);
  test.each<[string, string, Record<string, string>]>([
    [
      'prod yesterday 14:05',
      'What ran in production yesterday at 14:05?',
      { environment: 'production', asof: yesterday },
    ],
    [
      'what ran in production yesterday at 14:05?',
      'What ran in production yesterday at 14:05?',
      { environment: 'production', asof: yesterday },
    ],
    ['yesterday at 14:05', 'What was on the board yesterday at 14:05?', { asof: yesterday }],
    ['as of 2026-11-19 14:05', 'What was on the board yesterday at 14:05?', { asof: yesterday }],
    [
      '14:05 yesterday in prod',
      'What ran in production yesterday at 14:05?',
      { environment: 'production', asof: yesterday },
    ],
    ['board at 9:00', 'What was on the board today at 09:00?', { asof: at(20, 9) }],
    ['staging 3 h ago', 'What ran in staging today at 15:00?', { environment: 'staging', asof: at(20, 15) }],
    ['yesterday', 'What was on the board yesterday at 12:00?', { asof: at(19, 12) }],
  ])('the palette opens a past time: %s', (typed, title, address) => {
    expect(first(typed)).toEqual([title, address]);
  });

  const changes = (range: Record<string, string>, environment = '*') => ({ view: 'changes', environment, ...range });
  const since = (time: string, environment?: string) => changes({ from: time.replace('.000Z', 'Z') }, environment);
  const until = (from: string, to: string, environment?: string) => ({
    ...since(from, environment),
    to: to.replace('.000Z', 'Z'),
  });
  test.each<[string, string, Record<string, string>]>([
    ['what changed since yesterday 14:05', 'What changed since yesterday 14:05?', since(yesterday)],
    [
      'what changed in prod since 9:00?',
      'What changed in production since today 09:00?',
      since(at(20, 9), 'production'),
    ],
    ['changes since yesterday', 'What changed since yesterday 00:00?', since(at(19, 0))],
    ['since monday', 'What changed since 16 Nov 00:00?', since(at(16, 0))],
    ['since yesterday in prod', 'What changed in production since yesterday 00:00?', since(at(19, 0), 'production')],
    ['what changed', 'What changed, last 24 hours?', changes({ range: '24h' })],
    ['what changed in staging', 'What changed in staging, last 24 hours?', changes({ range: '24h' }, 'staging')],
    [
      'what changed in prod yesterday',
      'What changed in production, yesterday?',
      changes({ range: 'yesterday' }, 'production'),
    ],
    ['what happened in the last hour?', 'What changed, last hour?', changes({ range: '1h' })],
    [
      'prod yesterday 13:10 to 14:10',
      'What changed in production, Thu 19 Nov, 13:10 – 14:10?',
      until(at(19, 13, 10), at(19, 14, 10), 'production'),
    ],
    [
      'what changed in prod between 9:00 and 10:30',
      'What changed in production, Fri 20 Nov, 09:00 – 10:30?',
      until(at(20, 9), at(20, 10, 30), 'production'),
    ],
    [
      'around yesterday 14:05 in staging',
      'What changed in staging, Thu 19 Nov, 13:05 – 15:05?',
      until(at(19, 13, 5), at(19, 15, 5), 'staging'),
    ],
    ['what changed on monday', 'What changed, Mon 16 Nov?', until(at(16, 0), at(17, 0))],
  ])('the palette lists changes: %s', (typed, title, address) => {
    expect(first(typed)).toEqual([title, address]);
  });

  const prod = { environment: 'production' };
  test.each<[string, string, Record<string, string>]>([
    ['failed in prod', 'What failed in production?', { only: 'failed', ...prod }],
    ['what failed', 'What failed?', { only: 'failed' }],
    ['prod failures', 'What failed in production?', { only: 'failed', ...prod }],
    ['What is broken in prod?', 'What failed in production?', { only: 'failed', ...prod }],
    [
      'what broke last in production',
      'All failures in production, newest first',
      { view: 'changes', status: 'failure', range: '30d', ...prod },
    ],
    [
      'last failure',
      'All failures, newest first',
      { view: 'changes', status: 'failure', environment: '*', range: '30d' },
    ],
    ['failed in payments', 'What failed for Payments & co?', { only: 'failed', teams: 'Payments & co' }],
    ['orders failures', 'What failed for orders?', { only: 'failed', service: 'orders' }],
    [
      'orders failures in prod',
      'What failed for orders in production?',
      { only: 'failed', service: 'orders', ...prod },
    ],
    ...['me when orders fails in prod', 'me when the service orders fails in production', 'orders failed in prod'].map(
      (what): [string, string, Record<string, string>] => [
        `notify ${what}`,
        'Notify me of failures for orders in production',
        { only: 'failed', service: 'orders', ...prod },
      ],
    ),
    ['wall for team payments', 'Wall display for Payments & co', { layout: 'wall', teams: 'Payments & co' }],
    ['what is running in staging', 'What is running in staging?', { only: 'running', environment: 'staging' }],
  ])('the palette lists failures or running deployments: %s', (typed, title, address) => {
    expect(first(typed)).toEqual([title, address]);
  });

  const released = (release: string, into?: string, of?: string) => ({
    view: 'releases',
    ...(of && { of }),
    release,
    ...(into && { into }),
  });
  test.each<[string, string, Record<string, string>]>([
    ['is 4f2a91c in staging', 'Is 4f2a91c in staging?', released('4f2a91c', 'staging')],
    ['4f2a91c staging', 'Is 4f2a91c in staging?', released('4f2a91c', 'staging')],
    ['staging 4f2a91c', 'Is 4f2a91c in staging?', released('4f2a91c', 'staging')],
    ['Has 4.18.0 reached prod?', 'Is 4.18.0 in production?', released('4.18.0', 'production')],
    ['is commit cafe in prod', 'Is cafe in production?', released('cafe', 'production')],
    [
      'is 4.18 of checkout in prod?',
      'Is 4.18 of checkout-api in production?',
      released('4.18', 'production', 'checkout-api'),
    ],
    ['is checkout 4.18 in stg', 'Is 4.18 of checkout-api in staging?', released('4.18', 'staging', 'checkout-api')],
    ['where is 4f2a91c', 'Where is 4f2a91c?', released('4f2a91c')],
    ['s3 staging', 's3-proxy in staging', { history: 's3-proxy', in: 'staging' }],
    ['what is checkout in staging', 'checkout-api in staging', { history: 'checkout-api', in: 'staging' }],
  ])('the palette finds a release: %s', (typed, title, address) => {
    expect(first(typed)).toEqual([title, address]);
  });

  const team = { teams: 'Payments & co' };
  const rate = { view: 'analytics', evidence: 'change_failure_rate' };
  test.each<[string, string, Record<string, string>]>([
    ['Payments & co', 'Payments & co', team],
    ['failure rate', 'Change failure rate', rate],
    ['failure rate of payments', 'Change failure rate for Payments & co', { ...team, ...rate }],
    ["payments' failure rate", 'Change failure rate for Payments & co', { ...team, ...rate }],
    ['what is the failure rate of team payments?', 'Change failure rate for Payments & co', { ...team, ...rate }],
    [
      'deployment frequency of team payments this month vs last month',
      'Deployment frequency for Payments & co, this month, compared',
      { ...team, view: 'analytics', range: 'this-month', compare: '1' },
    ],
    ['change failure rate last month', 'Change failure rate, last month', { ...rate, range: 'last-month' }],
    ['orders lead time', 'Lead time for orders', { service: 'orders', view: 'analytics', evidence: 'lead_time' }],
  ])('the palette shows figures: %s', (typed, title, address) => {
    expect(first(typed)).toEqual([title, address]);
  });

  test('the name of a team links to its board and its failure rate', () => {
    expect(hitsFor('payments', searched).map(({ title }) => title)).toEqual([
      'Payments & co',
      'Change failure rate for Payments & co',
    ]);
  });

  test('for a prefix of several environments, the palette suggests a question for each environment', () => {
    expect(
      hitsFor('failed in qa', searched)
        .map(({ title }) => title)
        .slice(0, 2),
    ).toEqual(['What failed in qa-eu?', 'What failed in qa-us?']);
  });

  test.each([
    'failed in nowhere',
    'compare nothing',
    'staging vs staging',
    'since never',
    'is x in staging',
    '(((',
    '\\',
  ])('finds nothing for a sentence without a known name: %s', (typed) => {
    expect(hitsFor(typed, searched).filter(({ group }) => group === 'Ask')).toEqual([]);
  });
});
