import { keyDigest, newKey } from '@shiplog/access';
import { testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { accessService, send } from '../support/access.ts';
import { Browser, signInService } from '../support/sign-in.ts';

const key = newKey('holdkeys', Buffer.alloc(32, 3));
const file = `keys:
  - id: holdkeys
    name: release-managers
    sha256: ${keyDigest(key)}
    may: { hold: { services: ["pay-*"], environments: [staging, "prod-?"] } }
`;

const until = () => new Date(Date.now() + 3_600_000).toISOString();
const lock = (more: object = {}) => ({
  kind: 'lock',
  services: ['pay-api'],
  environments: ['staging'],
  until: until(),
  reason: 'load test',
  ...more,
});

const post = (url: string, path: string, headers: Record<string, string>, body?: object) =>
  send(url, path, headers, { method: 'POST', ...(body && { body: JSON.stringify(body) }) });

test('a named key holds only names that its globs cover, and is the author', async () => {
  const { url } = await accessService(file);
  const hold = (more: object) => post(url, '/api/holds', { 'X-Api-Key': key }, lock({ by: 'someone else', ...more }));
  expect(await hold({ services: ['pay-*'], environments: ['prod-1', 'prod-?'] })).toMatchObject({
    status: 201,
    body: { by: 'release-managers' },
  });
  const refused = await hold({ services: ['pay-api', 'p*'], environments: ['prod-*', 'staging'] });
  expect(refused).toMatchObject({
    status: 403,
    body: {
      errors: [{ pointer: '/services/1' }, { pointer: '/environments/0' }],
      credential: { id: 'holdkeys' },
      asked: { services: ['pay-api', 'p*'] },
    },
  });
  // Validation comes first.
  expect((await hold({ services: ['web'], until: 'never' })).status).toBe(422);
});

test('releasing and excepting a hold requires the right to its whole scope', async () => {
  const { url } = await accessService(file);
  const shared = { 'X-Api-Key': testKeys.api };
  const { body } = await post(url, '/api/holds', shared, lock({ services: ['pay-api', 'web'], by: 'Ines' }));
  expect(body.by).toBe('Ines');
  const release = (headers: Record<string, string>) => post(url, `/api/holds/${body.id}/release`, headers);
  expect(await release({ 'X-Api-Key': key })).toMatchObject({
    status: 403,
    body: { errors: [{ pointer: '/services/1' }] },
  });
  const exception = { services: ['web'], until: until(), reason: 'x' };
  expect((await post(url, `/api/holds/${body.id}/exceptions`, { 'X-Api-Key': key }, exception)).status).toBe(403);
  expect((await release(shared)).status).toBe(200);
  expect((await release({})).status).toBe(401);
});

test('a hold outlives a reset', async () => {
  const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
  const { url } = await accessService(file, { config: { reset } });
  const { body } = await post(url, '/api/holds', { 'X-Api-Key': testKeys.api }, lock());
  const control = { 'X-Control-API-Key': testKeys.control };
  expect((await post(url, '/api/control/reset', control)).status).toBe(202);
  await expect.poll(async () => (await post(url, '/api/control/reset', control)).status, { timeout: 60_000 }).toBe(202);
  expect((await send(url, `/api/holds/${body.id}`, {})).status).toBe(200);
});

test('a person who has signed in can set a hold from a page of the same origin, and is the author', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  await browser.open(`${publicUrl}/docs`);
  const hold = (headers = {}) =>
    browser.open(`${publicUrl}/api/holds`, {
      method: 'POST',
      headers,
      body: JSON.stringify(lock({ by: 'someone else' })),
      follow: false,
    });
  const made = await hold();
  expect(made.status).toBe(201);
  expect(await made.json()).toMatchObject({ by: 'Eve@Acme.example' });
  expect((await hold({ Origin: 'https://evil.example' })).status).toBe(401);
  // A cookie authorizes nothing else.
  const event = await browser.open(`${publicUrl}/api/deployments`, { method: 'POST', body: '{}', follow: false });
  expect(event.status).toBe(401);
});
