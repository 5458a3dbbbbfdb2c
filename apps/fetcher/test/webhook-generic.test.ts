import { describe, expect, test } from 'vitest';
import type { Json } from '../src/change.ts';
import { parseConfig } from '../src/config/config-file.ts';
import { pointerValue } from '../src/webhooks/delivery-item.ts';
import { readGeneric, rfc3339Of } from '../src/webhooks/generic.ts';

const plain = `
    event: { deployment_id: "x-{/id}", service: "{/app}", environment: "{/env|'prod'}", status: "{/state}", happened_at: "{/at}" }
    statuses: { ok: success, bad: failure, "0": success, "true": success }`;

/** A generic webhook, from the members of its entry in the configuration file. */
function hookOf(members: string) {
  const auth = '{ type: token, header: X-Token, secret_env: TOKEN }';
  const text = `version: 1\nwebhooks:\n  - name: test\n    auth: ${auth}${members}\n`;
  const { generic } = parseConfig(text, 'test.yaml', []).webhooks[0] ?? {};
  if (!generic) throw new Error('the entry has no templates');
  return generic;
}

const item = { id: 7, app: 'shop', state: 'ok', at: '2026-05-04T09:00:00Z' };

function told(members: string, body: Json): string {
  try {
    const { events, ignored, leftOut } = readGeneric('test', hookOf(members), body);
    const names = events.map((event) => `${event.deployment_id} ${event.service} ${event.environment} ${event.status}`);
    return [...names, `ignored ${ignored}`, ...leftOut].join(', ');
  } catch (error) {
    const { options } = error as { options: { errors: { pointer: string; message: string }[] } };
    return options.errors.map(({ pointer, message }) => `${pointer} ${message}`).join(', ');
  }
}

const taken = 'x-7 shop prod success';

describe('§11.4: the templates of a generic webhook', () => {
  test.each<[string, string, Json, string]>([
    ['a JSON object', plain, item, `${taken}, ignored 0`],
    [
      'the first of two alternatives that is not empty',
      plain,
      { ...item, env: 'dev' },
      'x-7 shop dev success, ignored 0',
    ],
    ['a status that is not configured', plain, { ...item, state: 'odd' }, 'ignored 1, unknown_status'],
    ['a status as a number', plain, { ...item, state: 0 }, `${taken}, ignored 0`],
    ['a status that is true', plain, { ...item, state: true }, `${taken}, ignored 0`],
    [
      'a status with the name of an object property',
      plain,
      { ...item, state: 'constructor' },
      'ignored 1, unknown_status',
    ],
    ['no status', plain, { ...item, state: null }, 'ignored 1, unknown_status'],
    ['§3.3: a service that is an object', plain, { ...item, app: { name: 'x' } }, 'ignored 1, unmapped'],
    ['§3.3: no service', plain, { ...item, app: '' }, 'ignored 1, unmapped'],
    ['§3.3: no environment', plain.replace("|'prod'", ''), item, 'ignored 1, unmapped'],
    ['§3.3: neither a service nor an instant', plain, { ...item, app: '', at: null }, 'ignored 1, unmapped'],
    ['no instant', plain, { ...item, at: null }, '/at is empty (used for happened_at)'],
    ['an invalid instant', plain, { ...item, at: 'soon' }, '/at is not a valid time (used for happened_at)'],
    ['an unknown status without any other field', plain, {}, 'ignored 1, unknown_status'],
    ['a body that is not an object', plain, 'x', 'ignored 1, unknown_status'],
    ['a body that is null', plain, null, 'ignored 1, unknown_status'],
  ])('%s', (_, members, body, expected) => {
    expect(told(members, body)).toBe(expected);
  });

  test('empty optional fields are omitted', () => {
    const event = `{ deployment_id: "x", service: "s", environment: "e", status: "ok", happened_at: "{/at}", version: "{/v}",
      run_url: "{/url}", run_number: "{/n}", actor: "{/who|/bot}", ref: "{/ref}", sha: "{/sha}" }`;
    const hook = hookOf(`\n    event: ${event}\n    statuses: { ok: success }`);
    const needed = { deployment_id: 'x', service: 's', environment: 'e', status: 'success', happened_at: item.at };
    expect(readGeneric('test', hook, { at: item.at }).events).toEqual([needed]);
    const all = { v: '1.2', url: 'https://ci/1', n: 12, bot: 'b', ref: 'main', sha: 'abc' };
    const fields = { version: '1.2', run_url: 'https://ci/1', run_number: '12', actor: 'b', ref: 'main', sha: 'abc' };
    expect(readGeneric('test', hook, { at: item.at, ...all }).events).toEqual([{ ...needed, ...fields }]);
  });
});

describe('§11.4, §15.9: when and items', () => {
  const chosen = `${plain}\n    when: { "/kind": [deploy, "1"], "/meta/final": ["true"] }`;
  const listed = `${plain}\n    items: /runs\n    when: { "/kind": [deploy] }`;
  test.each<[string, string, Json, string]>([
    ['every value in when', chosen, { ...item, kind: 'deploy', meta: { final: true } }, `${taken}, ignored 0`],
    ['a number in when', chosen, { ...item, kind: 1, meta: { final: 'true' } }, `${taken}, ignored 0`],
    ['only one value in when', chosen, { ...item, kind: 'deploy', meta: { final: false } }, 'ignored 1'],
    ['no value in when', chosen, item, 'ignored 1'],
    ['a value with different letter case', chosen, { ...item, kind: 'Deploy', meta: { final: true } }, 'ignored 1'],
    ['another value in when, without any other field', chosen, {}, 'ignored 1'],
    [
      'items, with pointers relative to each item',
      listed,
      { kind: 'x', runs: [{ ...item, kind: 'deploy' }, item] },
      `${taken}, ignored 1`,
    ],
    ['an empty array of items', listed, { runs: [] }, 'ignored 0'],
    ['a body without the array', listed, { ping: true }, 'ignored 1'],
    ['items that are not an array', listed, { runs: item }, '/runs must be an array'],
    [
      'one invalid item, which refuses the whole body',
      listed,
      {
        runs: [
          { ...item, kind: 'deploy' },
          { kind: 'deploy', app: 'shop', state: 'ok' },
        ],
      },
      '/runs/1/at is empty (used for happened_at)',
    ],
    [
      '§3.3: one item without a service, which alone is left out',
      listed,
      {
        runs: [
          { ...item, kind: 'deploy' },
          { kind: 'deploy', state: 'ok', at: item.at },
        ],
      },
      `${taken}, ignored 1, unmapped`,
    ],
  ])('%s', (_, members, body, expected) => {
    expect(told(members, body)).toBe(expected);
  });
});

test.each<[string, string | undefined]>([
  ['2026-05-04T09:00:00Z', '2026-05-04T09:00:00Z'],
  ['2026-05-04T11:00:00.1234567+02:00', '2026-05-04T09:00:00.123456Z'],
  ['1777885200', '2026-05-04T09:00:00Z'],
  ['1777885200.25', '2026-05-04T09:00:00.25Z'],
  ['1777885200123', '2026-05-04T09:00:00.123Z'],
  ['2021-04-28 21:50:00 +0200', '2021-04-28T19:50:00Z'],
  ['2021-04-28 21:50:00 UTC', '2021-04-28T21:50:00Z'],
  ['2021-04-28 21:50:00', undefined],
  ['2021-02-30 21:50:00 UTC', undefined],
  ['2026-05-04', undefined],
  ['2026', undefined],
  ['20260504', undefined],
  ['-1777885200', undefined],
  ['1777885200123456', undefined],
  ['99999999999', '5138-11-16T09:46:39Z'],
  ['1.7e9', undefined],
  ['', undefined],
])('the instant "%s" is read as %s', (text, expected) => {
  expect(rfc3339Of(text)).toBe(expected);
});

test.each<[string, unknown]>([
  ['', 'the value'],
  ['/a', { 'b/c': [1, 2], '~': 'tilde' }],
  ['/a/b~1c/1', 2],
  ['/a/b~1c/-', undefined],
  ['/a/b~1c/01', undefined],
  ['/a/b~1c/length', undefined],
  ['/a/~0', 'tilde'],
  ['/~01', 'not a slash'],
  ['/', 'empty'],
  ['/__proto__', 'own'],
  ['/constructor', undefined],
  ['/a/__proto__/x', undefined],
  ['/text/length', undefined],
])('the pointer "%s" finds %j', (pointer, expected) => {
  const value = JSON.parse(
    '{"a":{"b/c":[1,2],"~":"tilde"},"":"empty","~1":"not a slash","__proto__":"own","text":"abc"}',
  ) as Json;
  expect(pointerValue(value, pointer)).toEqual(pointer === '' ? value : expected);
});
