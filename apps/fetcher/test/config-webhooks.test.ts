import { expect, test } from 'vitest';
import type { GenericHook } from '../src/config/webhooks.ts';
import { configOf, mistakesIn } from './support/config.ts';

const event =
  '{ deployment_id: "a-{/id}", service: "{/app}", environment: "{/env}", status: "{/s}", happened_at: "{/at|/from}" }';
const rest = `event: ${event}, statuses: { OK: success }`;
const token = 'auth: { type: token, header: X-Token, secret_env: TOKEN }';

function hook(fields: string) {
  return configOf('webhooks:', `  - { ${fields} }`).webhooks[0];
}

function eventOf(generic: GenericHook | undefined) {
  if (!generic || !('event' in generic.content)) throw new Error('the entry is not about events');
  return generic.content.event;
}

test('the entry of a generic webhook defines how bodies become events', () => {
  const when = '{ "/phase": [Succeeded, Failed], "/kind/a~1b": app }';
  const { generic, ...other } = hook(`name: argocd, ${token}, items: /items, when: ${when}, ${rest}`) ?? {};
  expect(other).toEqual({ name: 'argocd', auth: { type: 'token', header: 'X-Token', secretEnv: 'TOKEN' }, line: 3 });
  expect(generic?.items).toBe('/items');
  expect([...(generic?.when ?? [])]).toEqual([
    ['/phase', ['Succeeded', 'Failed']],
    ['/kind/a~1b', ['app']],
  ]);
  const { statuses, templates } = eventOf(generic);
  expect([...statuses]).toEqual([['OK', 'success']]);
  expect(Object.keys(templates)).toEqual(['deployment_id', 'service', 'environment', 'status', 'happened_at']);
  expect(templates.happened_at.names).toEqual(['/at', '/from']);
  expect(templates.deployment_id.fill((name) => ({ '/id': '7' })[name])).toBe('a-7');
});

test('items and when are optional, and items may be empty', () => {
  expect(hook(`name: a, ${token}, ${rest}`)?.generic).toMatchObject({ items: '', when: new Map() });
  expect(hook(`name: a, ${token}, items: "", ${rest}`)?.generic?.items).toBe('');
});

test('optional fields of an event are accepted', () => {
  const all = event.replace(' }', ', version: "{/v}", run_url: "{/u}", run_number: "1", actor: a, ref: r, sha: s }');
  expect(
    Object.keys(eventOf(hook(`name: a, ${token}, event: ${all}, statuses: { OK: success }`)?.generic).templates),
  ).toEqual([
    ...['deployment_id', 'service', 'environment', 'status', 'happened_at'],
    ...['version', 'run_url', 'run_number', 'actor', 'ref', 'sha'],
  ]);
});

test('cdevents accepts only auth', () => {
  expect(hook(`name: cdevents, ${token}`)).toEqual({
    name: 'cdevents',
    auth: { type: 'token', header: 'X-Token', secretEnv: 'TOKEN' },
    line: 3,
  });
});

test.each<[string, object]>([
  ['type: token, header: X-T, secret_env: S', { type: 'token', header: 'X-T', secretEnv: 'S' }],
  ['type: basic, user: ado, secret_env: S', { type: 'basic', user: 'ado', secretEnv: 'S' }],
  [
    'type: hmac-sha256, header: X-S, secret_env: S',
    { type: 'hmac-sha256', header: 'X-S', secretEnv: 'S', encoding: 'hex', prefix: '' },
  ],
  [
    'type: hmac-sha256, header: X-S, secret_env: S, encoding: base64, prefix: "sha256="',
    { type: 'hmac-sha256', header: 'X-S', secretEnv: 'S', encoding: 'base64', prefix: 'sha256=' },
  ],
  [
    'type: hmac-sha256, header: X-S, secret_env: S, encoding: hex, prefix: ""',
    { type: 'hmac-sha256', header: 'X-S', secretEnv: 'S', encoding: 'hex', prefix: '' },
  ],
  ['type: standard-webhooks, secret_env: S', { type: 'standard-webhooks', secretEnv: 'S' }],
])('auth { %s }', (auth, expected) => {
  expect(hook(`name: cdevents, auth: { ${auth} }`)?.auth).toEqual(expected);
});

test.each<[string, string]>([
  ['{}', 'webhooks must be a list'],
  ['[text]', 'webhooks[0] must be an object'],
  [`[{ ${token}, ${rest} }]`, 'webhooks[0] needs a name'],
  [
    `[{ name: Argo, ${token}, ${rest} }]`,
    'webhooks[0].name must be 1 to 64 characters long and contain only a-z, 0-9 and -',
  ],
  [`[{ name: ${'a'.repeat(65)}, ${token}, ${rest} }]`, 'webhooks[0].name must be 1 to 64 characters long'],
  [`[{ name: github, ${token}, ${rest} }]`, 'webhooks[0].name is configured by environment variables'],
  [`[{ name: gitlab, ${token}, ${rest} }]`, 'webhooks[0].name is configured by environment variables'],
  [`[{ name: cdevents, ${token} }, { name: cdevents, ${token} }]`, 'webhooks[1].name is the name of another webhook'],
  [`[{ name: cdevents, ${token}, items: "" }]`, 'webhooks[0].items does not belong to the webhook "cdevents"'],
  [`[{ name: cdevents, ${token}, ${rest} }]`, 'webhooks[0].event does not belong to the webhook "cdevents"'],
  [`[{ name: a, ${rest} }]`, 'webhooks[0] needs auth'],
  [`[{ name: a, ${token}, statuses: { OK: success } }]`, 'webhooks[0] needs event'],
  [`[{ name: a, ${token}, event: ${event} }]`, 'webhooks[0] needs statuses'],
  [`[{ name: a, ${token}, ${rest}, secret: x }]`, 'webhooks[0].secret is not known here'],
  [`[{ name: a, ${token}, ${rest}, items: items }]`, 'webhooks[0].items must be a JSON Pointer'],
  [`[{ name: a, ${token}, ${rest}, items: "/a~2" }]`, 'webhooks[0].items must be a JSON Pointer'],
  [`[{ name: a, ${token}, ${rest}, when: { phase: x } }]`, 'webhooks[0].when.phase is not a JSON Pointer'],
  [`[{ name: a, ${token}, ${rest}, when: { /phase: [7] } }]`, 'webhooks[0].when["/phase"][0] must be text'],
  [
    `[{ name: a, ${token}, event: ${event}, statuses: { OK: done } }]`,
    'webhooks[0].statuses.OK must be one of pending,',
  ],
  [`[{ name: a, ${token}, event: ${event}, statuses: [] }]`, 'webhooks[0].statuses must be an object'],
  [
    `[{ name: a, ${token}, event: {}, statuses: {} }]`,
    'event needs deployment_id, service, environment, status, happened_at',
  ],
  [`[{ name: a, ${token}, event: { parents: x }, statuses: {} }]`, 'webhooks[0].event.parents is not known here'],
  [
    `[{ name: a, ${token}, event: { service: "{app}" }, statuses: {} }]`,
    'names "app" in "{app}", which is unknown; known names: JSON Pointers',
  ],
])('refuses the webhooks %s: %s', (webhooks, sentence) => {
  expect(mistakesIn(`version: 1\nwebhooks: ${webhooks}`)).toContain(sentence);
});

test.each<[string, string]>([
  ['auth: token', 'auth must be an object'],
  ['auth: {}', 'auth needs a type, one of token, basic, hmac-sha256, standard-webhooks'],
  ['auth: { type: none }', 'auth.type needs one of token, basic, hmac-sha256, standard-webhooks'],
  ['auth: { type: token, secret_env: S }', 'auth needs header'],
  ['auth: { type: token, header: X-T }', 'auth needs secret_env'],
  [
    'auth: { type: token, header: X-T, secret_env: S, user: u }',
    'auth.user is not known here; known names: type, header, secret_env',
  ],
  ['auth: { type: token, header: "X T", secret_env: S }', 'auth.header must be a header name'],
  [
    'auth: { type: token, header: X-T, secret_env: a b }',
    'auth.secret_env must be the name of an environment variable',
  ],
  ['auth: { type: basic, secret_env: S }', 'auth needs user'],
  ['auth: { type: basic, user: "a:b", secret_env: S }', 'auth.user must be a user name without ":"'],
  ['auth: { type: hmac-sha256, secret_env: S }', 'auth needs header'],
  ['auth: { type: hmac-sha256, header: X, secret_env: S, encoding: HEX }', 'auth.encoding must be hex or base64'],
  ['auth: { type: standard-webhooks }', 'auth needs secret_env'],
  [
    'auth: { type: standard-webhooks, secret_env: S, header: X }',
    'auth.header is not known here; known names: type, secret_env',
  ],
])('refuses the authentication %s: %s', (auth, sentence) => {
  expect(mistakesIn(`version: 1\nwebhooks: [{ name: cdevents, ${auth} }]`)).toContain(`webhooks[0].${sentence}`);
});
