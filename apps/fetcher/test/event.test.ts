import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Change } from '../src/change.ts';
import { eventsOf, type MappedEvent } from '../src/domain/mapping.ts';
import { changeOf } from './support/change.ts';

function eventOf(change: Change, mapped: Partial<MappedEvent> = {}, idPrefix = '') {
  const slot = { service: 'web', environment: 'prod', version: '', isOneOfSeveral: false, ...mapped };
  return eventsOf(change, [slot], idPrefix)[0];
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 6);

test('an event has the members of its change and omits empty ones', () => {
  const vars = { run_url: 'https://ci/7', run_number: '42', actor: 'alice', ref: 'refs/heads/main', sha: '9f1c2ab' };
  expect(eventOf(changeOf({ vars, parents: ['gh-deploy-5'] }), { version: '1.4.2' })).toEqual({
    deployment_id: 'gh-deploy-7',
    service: 'web',
    environment: 'prod',
    status: 'success',
    happened_at: '2026-05-04T09:12:02Z',
    version: '1.4.2',
    ...vars,
    parent_deployments: ['gh-deploy-5'],
  });
  expect(Object.keys(eventOf(changeOf({ vars: { sha: '', actor: '' } })) ?? {})).toEqual([
    ...['deployment_id', 'service', 'environment', 'status', 'happened_at'],
  ]);
});

test('ids of events and parents have the prefix of the source and the suffix of the service', () => {
  const change = changeOf({ parents: ['gh-deploy-5'] });
  expect(eventOf(change, {}, 'g-')).toMatchObject({
    deployment_id: 'g-gh-deploy-7',
    parent_deployments: ['g-gh-deploy-5'],
  });
  expect(eventOf(change, { isOneOfSeveral: true }, 'g-')).toMatchObject({
    deployment_id: 'g-gh-deploy-7:web',
    parent_deployments: ['g-gh-deploy-5:web'],
  });
});

test('a change becomes one event per service', () => {
  const slot = { environment: 'prod', version: '', isOneOfSeveral: true };
  const events = eventsOf(
    changeOf(),
    [
      { service: 'api', ...slot },
      { service: 'web', ...slot },
    ],
    '',
  );
  expect(events.map(({ deployment_id, service }) => [deployment_id, service])).toEqual([
    ['gh-deploy-7:api', 'api'],
    ['gh-deploy-7:web', 'web'],
  ]);
});

test.each([
  ['service', 128],
  ['environment', 64],
] as const)('a %s of more than %i characters is cut and ends with part of its digest', (field, charactersMax) => {
  const whole = '😀'.repeat(charactersMax);
  expect(eventOf(changeOf(), { [field]: whole })?.[field]).toBe(whole);
  const longer = `${whole}x`;
  expect(eventOf(changeOf(), { [field]: longer })?.[field]).toBe(`${'😀'.repeat(charactersMax - 7)}~${digest(longer)}`);
});

test('an id of more than 200 characters is cut like a name, and so are parents, so that both stay equal', () => {
  const long = 'd'.repeat(201);
  const cutId = `${'d'.repeat(193)}~${digest(long)}`;
  expect(eventOf(changeOf({ id: 'd'.repeat(200) }))?.deployment_id).toBe('d'.repeat(200));
  expect(eventOf(changeOf({ id: long }))?.deployment_id).toBe(cutId);
  expect(eventOf(changeOf({ parents: [long] }))?.parent_deployments).toEqual([cutId]);
  const [service, isOneOfSeveral] = ['s'.repeat(200), true];
  const suffixed = eventOf(changeOf({ parents: ['gh-deploy-5'] }), { service, isOneOfSeveral });
  expect(suffixed?.deployment_id).toBe(`gh-deploy-7:${'s'.repeat(181)}~${digest(`gh-deploy-7:${service}`)}`);
});

test.each([
  ['run_number', 128],
  ['actor', 128],
  ['ref', 256],
  ['sha', 128],
] as const)('a %s is cut to %i characters', (field, charactersMax) => {
  const text = '😀'.repeat(charactersMax);
  expect(eventOf(changeOf({ vars: { [field]: text } }))?.[field]).toBe(text);
  expect(eventOf(changeOf({ vars: { [field]: `${text}x` } }))?.[field]).toBe(text);
});

test('a version is cut to 50 characters', () => {
  expect(eventOf(changeOf(), { version: `${'v'.repeat(49)}😀x` })?.version).toBe(`${'v'.repeat(49)}😀`);
});

const longUrl = `https://ci/${'x'.repeat(2037)}`;

test.each([
  ['https://ci.example.com/runs/7?a=b#c', true],
  [longUrl, true],
  [`${longUrl}x`, false],
  ['https://ci/runs 7', false],
  ['/runs/7', false],
  ['ci.example.com', false],
  ['https://ci/é', false],
])('checks whether the run_url %s is accepted: %s', (url, isTaken) => {
  expect(eventOf(changeOf({ vars: { run_url: url } }))?.run_url).toBe(isTaken ? url : undefined);
});

test('keeps the first 32 distinct parents, sorted by code point', () => {
  const ids = Array.from({ length: 33 }, (_, index) => `gl-deploy-${index}`);
  const parents = eventOf(changeOf({ parents: [...ids, ...ids] }))?.parent_deployments;
  expect(parents).toEqual([...ids].sort().slice(0, 32));
  const mixed = ['b', '\u{1f600}', '\uffee', 'a', 'b'];
  expect(eventOf(changeOf({ parents: mixed }))?.parent_deployments).toEqual(['a', 'b', '\uffee', '\u{1f600}']);
});

test('characters that cannot be stored are removed before cutting', () => {
  const bad = 'a\0\ud83d\0\ude00b';
  const vars = { actor: bad, ref: `${'\0'.repeat(256)}main`, run_url: 'https://ci/\x007', sha: '\udc00' };
  const event = eventOf(changeOf({ id: bad, vars, parents: [bad] }), { service: bad, environment: bad, version: bad });
  expect(event).toMatchObject({
    ...{ deployment_id: 'ab', service: 'ab', environment: 'ab', version: 'ab', actor: 'ab', ref: 'main' },
    ...{ run_url: 'https://ci/7', parent_deployments: ['ab'] },
  });
  expect(event?.sha).toBeUndefined();
  const named = `${'s'.repeat(128)}\0`;
  expect(eventOf(changeOf(), { service: named })?.service).toBe('s'.repeat(128));
  expect(eventOf(changeOf(), { service: `${named}x` })?.service).toBe(
    `${'s'.repeat(121)}~${digest(`${'s'.repeat(128)}x`)}`,
  );
});
