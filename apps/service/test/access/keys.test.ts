import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { keyDigest, newKey } from '@shiplog/access';
import { runSql, testKeys, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { appendActs } from '../../src/db/access/acts.ts';
import { accessService, keyEntries, keys, post, send } from '../support/access.ts';

const slot = { service: 'pay-api', environment: 'prod' };

test('a named key posts within its scope, and the event proves it', async () => {
  const { url } = await accessService(`keys:${keyEntries}`);
  const stored = await post(url, { 'X-Api-Key': keys.payments }, slot);
  expect(stored.status).toBe(201);
  const proof = await send(url, `/api/deployments/${stored.body.id}/proof`, {});
  expect(proof.body).toEqual({
    kind: 'key',
    key: { id: 'payments', name: 'jenkins-payments' },
    token: null,
    verified_at: expect.stringMatching(/Z$/),
    claims: [],
  });
});

test('a named key out of scope is refused with an error that names its rights and the request', async () => {
  const { url } = await accessService(`keys:${keyEntries}`);
  const refused = await post(url, { 'X-Api-Key': keys.payments }, { service: 'web', environment: 'prod' });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    type: '/problems/forbidden',
    errors: [{ pointer: '/service' }],
    credential: { kind: 'key', id: 'payments', name: 'jenkins-payments' },
    asked: { service: 'web', environment: 'prod' },
    may: {
      post: { services: ['pay-*'], environments: ['staging', 'prod'] },
      hold: null,
      report: ['relay-*'],
      state: ['github-*'],
      outage: false,
      read: false,
      control: false,
    },
  });
  const both = await post(url, { 'X-Api-Key': keys.payments }, { service: 'web', environment: 'dev' });
  expect(both.body.errors).toMatchObject([{ pointer: '/service' }, { pointer: '/environment' }]);
  // Validation comes first.
  expect((await post(url, { 'X-Api-Key': keys.payments }, { service: '' })).status).toBe(422);
});

test('an unknown, a malformed and an expired key get the same response', async () => {
  const expired = keyEntries.replace('name: jenkins-payments', 'name: jenkins-payments\n    expires: 2026-01-01');
  const { url } = await accessService(`keys:${expired}`);
  const answers = await Promise.all(
    [newKey(), 'shl_payments_wrong', keys.payments].map((key) => post(url, { 'X-Api-Key': key }, slot)),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(answers[2]?.body).toEqual(answers[0]?.body);
});

test('a request that its head rules out is refused before its body is read', async () => {
  const { url } = await accessService(`keys:${keyEntries}`);
  const key = { 'X-Api-Key': keys.payments };
  const state = (adapter: string) =>
    send(url, `/api/fetcher/state/${adapter}`, key, { method: 'PUT', body: 'no JSON' });
  expect(await state('gitlab')).toMatchObject({
    status: 403,
    body: { errors: [{ pointer: '/adapter' }], asked: { adapter: 'gitlab' } },
  });
  expect((await state('github-acme')).status).toBe(422);
  expect((await state('NOT-an-adapter')).status).toBe(422);
  const report = (id: string) =>
    send(url, '/api/control/events', { ...key, 'X-Component-Id': id }, { method: 'POST', body: 'no JSON' });
  expect(await report('fetcher')).toMatchObject({
    status: 403,
    body: { errors: [{ pointer: '/X-Component-Id' }], asked: { component: 'fetcher' } },
  });
  expect((await report('relay-1')).status).toBe(422);
  expect((await report('Not Valid')).status).toBe(422);
});

test('only a key with control is accepted in place of the control key', async () => {
  const { url } = await accessService(`keys:${keyEntries}`);
  const acts = (key: string) => send(url, '/api/access/acts', { 'X-Control-API-Key': key });
  expect((await acts(keys.operator)).status).toBe(200);
  expect((await acts(testKeys.control)).status).toBe(200);
  expect(await acts(keys.payments)).toMatchObject({
    status: 403,
    body: { errors: [{ pointer: '/X-Control-API-Key' }], asked: { control: true } },
  });
  expect((await acts(newKey())).status).toBe(401);
});

test('the shared key can be switched off, and a key removed, while the service runs', async () => {
  const { url, write } = await accessService(`keys:${keyEntries}`);
  const statusOf = async (key: string) => (await post(url, { 'X-Api-Key': key }, slot)).status;
  expect(await statusOf(testKeys.api)).toBe(201);
  expect(await statusOf(keys.payments)).toBe(201);
  write('shared_key: off\n');
  await until(async () => (await statusOf(testKeys.api)) === 401);
  expect(await statusOf(keys.payments)).toBe(401);
  // A version with an error changes nothing.
  write('shared_key: maybe\n');
  await until(async () => /faults_total 1/.test(await (await fetch(`${url}/metrics`)).text()));
  expect(await statusOf(testKeys.api)).toBe(401);
  write(`shared_key: on\nkeys:${keyEntries}`);
  await until(async () => (await statusOf(testKeys.api)) === 201);
  expect(await statusOf(keys.payments)).toBe(201);
});

test('every sender can ask who it is', async () => {
  const { url } = await accessService(`keys:${keyEntries}`);
  const self = (headers: Record<string, string>) => send(url, '/api/access/self', headers);
  expect((await self({})).status).toBe(401);
  expect((await self({ 'X-Api-Key': testKeys.api })).body).toMatchObject({
    kind: 'shared',
    id: null,
    name: null,
    expires: null,
    may: { control: false, read: true, report: ['*'] },
  });
  expect((await self({ 'X-Control-API-Key': testKeys.control })).body).toMatchObject({
    kind: 'shared',
    may: { post: null, control: true },
  });
  expect((await self({ Authorization: `Bearer ${keys.operator}` })).body).toMatchObject({
    kind: 'key',
    id: 'operator',
    may: { read: true },
  });
  expect((await self({ Authorization: `Bearer ${keys.operator}`, 'X-Api-Key': keys.operator })).status).toBe(401);
});

test('acts record what changed, what was used first, and what was refused', async () => {
  const { url, write } = await accessService(`keys:${keyEntries}`);
  await post(url, { 'X-Api-Key': keys.payments }, slot);
  await post(url, { 'X-Api-Key': keys.payments }, { ...slot, service: 'web' });
  await post(url, { 'X-Api-Key': keys.payments }, { ...slot, service: 'web' });
  await post(url, { 'X-Api-Key': 'guess' }, slot);
  await post(url, {}, slot);
  write(`keys:${keyEntries.split('  - id: operator')[0]}`);
  const acts = async (query = '') =>
    (await send(url, `/api/access/acts${query}`, { 'X-Control-API-Key': testKeys.control })).body.items as Record<
      string,
      unknown
    >[];
  await until(async () => (await acts('?kind=file-changed')).length === 2);
  const all = await acts();
  expect(all.find(({ kind }) => kind === 'key-first-used')).toMatchObject({ subject: 'payments', count: 1 });
  const refused = all.filter(({ kind }) => kind === 'refused');
  expect(
    refused.filter(({ subject }) => subject === 'payments').reduce((sum, { count }) => sum + Number(count), 0),
  ).toBe(2);
  expect(refused.find(({ subject }) => subject === null)).toMatchObject({ reason: 'malformed', count: 1 });
  const [latest, first] = await acts('?kind=file-changed');
  expect(first?.detail).toMatchObject({ keys: { added: ['payments', 'operator'], removed: [], changed: [] } });
  expect(latest?.detail).toEqual({
    digest: expect.any(String),
    keys: { added: [], removed: ['operator'], changed: [] },
    rules: { added: [], removed: [] },
  });
  expect((await send(url, '/api/access/acts?kind=nothing', { 'X-Control-API-Key': testKeys.control })).status).toBe(
    422,
  );
});

test('an act says that the shared key was switched off', async () => {
  const { url, write } = await accessService(`keys:${keyEntries}`);
  write(`shared_key: off\nkeys:${keyEntries}`);
  const details = async () => {
    const query = '/api/access/acts?kind=file-changed';
    const { body } = await send(url, query, { 'X-Control-API-Key': testKeys.control });
    return (body.items as { detail: { shared_key?: string } }[]).map(({ detail }) => detail.shared_key);
  };
  await expect.poll(details).toEqual(['off', undefined]);
});

test('shared_key: off refuses API_KEY even if the file lists it as a named key', async () => {
  const shared = newKey('shared00', Buffer.alloc(32, 9));
  const entry = `
  - { id: shared00, name: shared, sha256: ${keyDigest(shared)}, may: { post: { services: ["*"], environments: ["*"] } } }
`;
  const config = { keys: { api: [shared], control: [testKeys.control] } };
  const { url } = await accessService(`shared_key: off\nkeys:${entry}`, { config });
  expect((await post(url, { 'X-Api-Key': shared })).status).toBe(401);
  expect((await send(url, '/api/access/self', { 'X-Api-Key': shared })).status).toBe(401);
});

test('acts of one append keep their order, and one that PostgreSQL cannot store holds none back', async () => {
  const { url, databaseUrl } = await accessService(`keys:${keyEntries}`);
  const queries = {
    query: ({ text, values }: { text: string; values?: unknown[] }) => runSql(databaseUrl, text, values),
  };
  const others = Array.from({ length: 20 }, (_, index) => `c${index}`);
  await appendActs(queries as never, [
    { kind: 'sign-in-refused', subject: 'a\0b\ud800', detail: { name: '\0' } },
    ...others.map((subject) => ({ kind: 'sign-in-refused' as const, subject })),
  ]);
  const { body } = await send(url, '/api/access/acts?kind=sign-in-refused', { 'X-Control-API-Key': testKeys.control });
  expect((body.items as { subject: string }[]).map(({ subject }) => subject)).toEqual([
    ...others.reverse(),
    'a\ufffdb\ufffd',
  ]);
});

test('an error in the file quotes no key that is in the wrong place', async () => {
  const key = newKey('aaaaaaaa', Buffer.alloc(32, 3));
  const text = `keys:\n  - { ${key}: x }\n`;
  const fault = await accessService(text).catch((error) => error);
  expect(fault.message).toContain('shl_aaaaaaaa');
  expect(fault.message).not.toContain(key.slice(0, 20));
});

test('a pipe in place of the file is an error, and the previous version stays in use', async () => {
  const { url, path, write } = await accessService(`keys:${keyEntries}`);
  rmSync(path);
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  const faults = async () =>
    /shiplog_access_faults_total (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  await until(async () => Number(await faults()) > 0);
  expect((await post(url, { 'X-Api-Key': keys.payments }, { service: 'pay-a', environment: 'prod' })).status).toBe(201);
  rmSync(path);
  write('shared_key: on\n');
  await until(async () => (await post(url, { 'X-Api-Key': keys.payments })).status === 401);
});
