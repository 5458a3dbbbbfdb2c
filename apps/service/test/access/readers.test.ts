import { keyDigest, newKey } from '@shiplog/access';
import {
  builtDashboard,
  connections,
  exchange,
  type HeaderPairs,
  NetworkProxy,
  runSql,
  testDatabase,
  testKeys,
  until,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { accessService, keyEntries, keys, post, send } from '../support/access.ts';

const proxy = {
  readers: 'proxy',
  readerHeader: 'x-forwarded-email',
  readerProxies: ['127.0.0.0/8'],
  publicUrl: 'http://127.0.0.1:9',
} as const;
const file = `keys:${keyEntries}`;
const eve = { 'X-Forwarded-Email': 'eve@acme.example' };

const guarded = [
  '/api/matrix',
  '/api/deployments',
  '/api/services',
  '/api/quality',
  '/openapi.json',
  '/metrics',
  '/docs',
  '/',
  '/badges/a/b.svg',
  '/api/control/events',
  '/api/events/stream',
];
const open = [
  '/healthz',
  '/readyz',
  '/api/version',
  '/problems/forbidden',
  '/docs/style.css',
  '/signed-out',
  '/wall',
  '/wall.js',
];

const statusOf = async (url: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
  await response.body?.cancel();
  return response.status;
};

test('where reads are guarded, only what holds no data is open', async () => {
  const { url } = await accessService(file, { config: { ...proxy, dashboardDir: builtDashboard } });
  for (const path of guarded) expect([path, await statusOf(url, path)]).toEqual([path, 401]);
  for (const path of open) expect([path, await statusOf(url, path)]).toEqual([path, 200]);
  for (const path of guarded) expect([path, await statusOf(url, path, eve)]).toEqual([path, 200]);
  const head = await fetch(`${url}/api/matrix`, { method: 'HEAD' });
  expect(head.status).toBe(401);
  expect(await statusOf(url, '/api/nothing')).toBe(404);
  expect(await statusOf(url, '/login')).toBe(404);
  const answer = await fetch(`${url}/api/matrix`, { headers: eve });
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
});

test('the header of a proxy counts only if sent once and from its address', async () => {
  const { url } = await accessService(file, { config: { ...proxy, readerProxies: ['10.0.0.0/8'] } });
  expect(await statusOf(url, '/api/matrix', eve)).toBe(401);
  const inside = await accessService(file, { config: proxy });
  const agent = connections();
  onTestFinished(() => agent.destroy());
  const header = ['X-Forwarded-Email', 'a'] as const;
  const sent = (...headers: HeaderPairs) => exchange(inside.url, { path: '/api/matrix', headers }, agent);
  expect([(await sent(header)).status, (await sent(header, header)).status]).toEqual([200, 401]);
  expect(await statusOf(inside.url, '/api/matrix', { 'X-Forwarded-Email': 'x'.repeat(257) })).toBe(401);
  expect((await send(inside.url, '/api/access/self', eve)).body).toMatchObject({
    kind: 'reader',
    id: 'eve@acme.example',
    name: 'eve@acme.example',
    expires: null,
    may: { read: true, post: null },
  });
});

test('programs read with a key that may read, and a bad key is refused even with a valid session', async () => {
  const { url } = await accessService(file, { config: proxy });
  expect(await statusOf(url, '/api/matrix', { 'X-Api-Key': keys.operator })).toBe(200);
  expect(await statusOf(url, '/metrics', { Authorization: `Bearer ${keys.operator}` })).toBe(200);
  expect(await statusOf(url, '/api/matrix', { 'X-Api-Key': testKeys.api })).toBe(200);
  expect(await send(url, '/api/matrix', { 'X-Api-Key': keys.payments })).toMatchObject({
    status: 403,
    body: { asked: { read: true }, errors: [{ pointer: '/X-Api-Key' }] },
  });
  expect(await send(url, '/api/matrix', { Authorization: `Bearer ${keys.payments}` })).toMatchObject({
    status: 403,
    body: { errors: [{ pointer: '/Authorization' }] },
  });
  expect(await statusOf(url, '/api/matrix', { ...eve, 'X-Api-Key': 'wrong' })).toBe(401);
  // A control key can read nothing.
  expect(await statusOf(url, '/api/matrix', { 'X-Control-API-Key': testKeys.control })).toBe(401);
});

test('a sender that may post may check whether its event is stored', async () => {
  const { url } = await accessService(file, { config: proxy });
  const stored = await post(
    url,
    { 'X-Api-Key': keys.payments },
    { service: 'pay-api', environment: 'prod', deployment_id: 'd1' },
  );
  await post(url, { 'X-Api-Key': testKeys.api }, { service: 'web', environment: 'prod', deployment_id: 'd1' });
  const seen = await send(url, '/api/deployments?deployment_id=d1', { 'X-Api-Key': keys.payments });
  expect(seen.body.items).toEqual([stored.body]);
  expect(
    (await send(url, '/api/deployments?deployment_id=d1', { 'X-Api-Key': keys.operator })).body.items,
  ).toHaveLength(2);
  expect((await send(url, '/api/deployments', { 'X-Api-Key': keys.payments })).status).toBe(403);
  // What is out of its scope counts neither for a page nor for its cursor.
  const again = { service: 'pay-api', environment: 'staging', deployment_id: 'd1' };
  await post(url, { 'X-Api-Key': testKeys.api }, { ...again, service: 'web' });
  const other = await post(url, { 'X-Api-Key': keys.payments }, again);
  await post(url, { 'X-Api-Key': testKeys.api }, { ...again, service: 'web' });
  const page = (more: string) =>
    send(url, `/api/deployments?deployment_id=d1&limit=1${more}`, { 'X-Api-Key': keys.payments });
  const { items, next_cursor: next } = (await page('')).body;
  const last = (await page(`&cursor=${next}`)).body;
  expect([items, last.items].flat()).toHaveLength(2);
  expect([items, last.items].flat()).toEqual(expect.arrayContaining([stored.body, other.body]));
  expect(last.next_cursor).toBeNull();
  expect((await page('&deployment_id=d2')).status).toBe(403);
});

test('an IPv4-mapped proxy address and a UTF-8 header are understood', async () => {
  const mapped = await accessService(file, { config: { ...proxy, readerProxies: ['::ffff:127.0.0.0/104'] } });
  expect(await statusOf(mapped.url, '/api/matrix', eve)).toBe(200);
  // Node's clients send a header as Latin-1.
  const utf8 = (text: string) => ({ 'X-Forwarded-Email': Buffer.from(text).toString('latin1') });
  expect((await send(mapped.url, '/api/access/self', utf8('zoë@acme.example'))).body).toMatchObject({
    id: 'zoë@acme.example',
  });
  expect(await statusOf(mapped.url, '/api/matrix', { 'X-Forwarded-Email': 'zo\u00eb' })).toBe(401);
});

test('a page without the header of the proxy says why it cannot be read', async () => {
  const { url } = await accessService(file, { config: { ...proxy, dashboardDir: builtDashboard } });
  const page = await fetch(url, { headers: { Accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([401, expect.stringContaining('did not say who you are')]);
});

test('an unknown name in a path is 404 and an unknown method 405 before the sender is checked', async () => {
  const { url } = await accessService(file, { config: proxy });
  expect(await statusOf(url, '/api/analytics/evidence/nothing')).toBe(404);
  expect((await fetch(`${url}/api/matrix`, { method: 'PUT' })).status).toBe(405);
  expect((await fetch(`${url}/api/matrix`, { method: 'OPTIONS' })).status).toBe(405);
  expect((await fetch(`${url}/logout`)).status).toBe(405);
});

test('badges and metrics can stay open', async () => {
  const { url } = await accessService(file, { config: { ...proxy, badges: 'open', metrics: 'open' } });
  expect(await statusOf(url, '/badges/a/b.svg')).toBe(200);
  expect(await statusOf(url, '/metrics')).toBe(200);
  expect(await statusOf(url, '/api/matrix')).toBe(401);
});

test('a stream ends with a last frame when its key is revoked', async () => {
  const { url, write } = await accessService(file, { config: proxy, times: { streamJudgeMs: 20 } });
  const response = await fetch(`${url}/api/events/stream`, { headers: { 'X-Api-Key': keys.operator } });
  expect(response.status).toBe(200);
  write('shared_key: on\n');
  expect((await response.text()).endsWith('event: session-ended\ndata: {"reason":"key"}\n\n')).toBe(true);
  expect(await statusOf(url, '/api/events/stream', { 'X-Api-Key': keys.operator })).toBe(401);
});

test('a stream of a proxy ends after a while, so that the proxy authenticates its reader again', async () => {
  const { url } = await accessService(file, { config: proxy, times: { streamJudgeMs: 20, proxyStreamMs: 100 } });
  const response = await fetch(`${url}/api/events/stream`, { headers: eve });
  expect(response.headers.get('cache-control')).toMatch(/^private, no-cache/);
  expect((await response.text()).endsWith('event: session-ended\ndata: {"reason":"expired"}\n\n')).toBe(true);
});

test('a stream and its session end when the key that sealed the session is removed', async () => {
  const times = { streamJudgeMs: 20, sessionsPollMs: 20 };
  const { url, databaseUrl } = await accessService(file, { config: proxy, times });
  const opened = await fetch(`${url}/api/access/session`, { method: 'POST', headers: { 'X-Api-Key': keys.operator } });
  const [pair = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';');
  const stream = await fetch(`${url}/api/events/stream`, { headers: { Cookie: pair } });
  await runSql(databaseUrl, 'delete from session_keys');
  expect((await stream.text()).endsWith('event: session-ended\ndata: {"reason":"key"}\n\n')).toBe(true);
  expect(await statusOf(url, '/api/matrix', { Cookie: pair })).toBe(401);
});

test('the public URL decides what is the same origin, whatever host a proxy sends', async () => {
  const { url } = await accessService(file, { config: { ...proxy, publicUrl: 'https://tools.example/shiplog' } });
  const out = (Origin: string) => fetch(`${url}/logout`, { method: 'POST', headers: { Origin }, redirect: 'manual' });
  expect((await out('https://evil.example')).status).toBe(403);
  const answer = await out('https://tools.example');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/shiplog/signed-out']);
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-shiplog=; .*Path=\/shiplog/);
});

test('a wall display exchanges its key for a session, which ends with the key', async () => {
  const { url, write } = await accessService(file, { config: proxy });
  const exchange = (key: string, headers = {}) =>
    fetch(`${url}/api/access/session`, { method: 'POST', headers: { 'X-Api-Key': key, ...headers } });
  expect((await exchange(testKeys.api)).status).toBe(403);
  expect((await exchange(keys.payments)).status).toBe(403);
  expect((await exchange('wrong')).status).toBe(401);
  // The key is checked first.
  expect((await exchange('wrong', { Origin: 'https://evil.example' })).status).toBe(401);
  expect((await exchange(keys.operator, { Origin: 'https://evil.example' })).status).toBe(403);
  const opened = await exchange(keys.operator);
  expect(opened.status).toBe(204);
  const cookie = opened.headers.getSetCookie()[0] ?? '';
  expect(cookie).toMatch(/^shiplog=[^;]+; .*HttpOnly/);
  const [pair = ''] = cookie.split(';');
  expect(await statusOf(url, '/api/matrix', { Cookie: pair })).toBe(200);
  expect(await statusOf(url, '/api/matrix', { Cookie: `${pair.slice(0, -3)}abc` })).toBe(401);
  // A cookie never authorizes a write.
  expect((await post(url, { Cookie: pair })).status).toBe(401);
  write('shared_key: on\n');
  await until(async () => (await statusOf(url, '/api/matrix', { Cookie: pair })) === 401);
});

test('while the database is unreachable, sessions continue as they were last read', async () => {
  const { url: databaseUrl } = await testDatabase();
  const line = await NetworkProxy.open(databaseUrl);
  const config = { ...proxy, dashboardDir: builtDashboard };
  const { url } = await accessService(file, { databaseUrl: line.url, config, times: { sessionsPollMs: 20 } });
  const opened = () => fetch(`${url}/api/access/session`, { method: 'POST', headers: { 'X-Api-Key': keys.operator } });
  const cookies = await Promise.all([opened(), opened()]);
  const [going = '', ended = ''] = cookies.map(({ headers }) => headers.getSetCookie()[0]?.split(';')[0] ?? '');
  await fetch(`${url}/logout`, { method: 'POST', headers: { Cookie: ended }, redirect: 'manual' });
  line.way = 'refused';
  line.cut();
  expect(await statusOf(url, '/docs', { Cookie: going })).toBe(200);
  expect(await statusOf(url, '/docs', { Cookie: ended })).toBe(401);
});

test('a session ends on every instance when its reader signs out', async () => {
  const { url } = await accessService(file, { config: proxy });
  const opened = await fetch(`${url}/api/access/session`, { method: 'POST', headers: { 'X-Api-Key': keys.operator } });
  const [pair = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';');
  const out = await fetch(`${url}/logout`, { method: 'POST', headers: { Cookie: pair }, redirect: 'manual' });
  expect([out.status, out.headers.get('location')]).toEqual([303, '/signed-out']);
  expect(out.headers.getSetCookie()[0]).toMatch(/^shiplog=;/);
  // A copied cookie ends too.
  expect(await statusOf(url, '/api/matrix', { Cookie: pair })).toBe(401);
  const foreign = await fetch(`${url}/logout`, {
    method: 'POST',
    headers: { Origin: 'https://evil.example' },
    redirect: 'manual',
  });
  expect(foreign.status).toBe(403);
});

test('with open reads, no credential is checked on a read', async () => {
  const { url } = await accessService(file);
  expect(await statusOf(url, '/api/matrix', { 'X-Api-Key': 'wrong', Authorization: 'Bearer wrong' })).toBe(200);
  const wall = await fetch(`${url}/api/access/session`, { method: 'POST', headers: { 'X-Api-Key': keys.operator } });
  expect([wall.status, wall.headers.getSetCookie()]).toEqual([204, []]);
  const out = await fetch(`${url}/logout`, { method: 'POST', redirect: 'manual' });
  expect([out.status, out.headers.get('location')]).toEqual([303, '/signed-out']);
  const login = await fetch(`${url}/login?to=/docs`, { redirect: 'manual' });
  expect([login.status, login.headers.get('location')]).toEqual([302, '/docs']);
});

test('the session of a wall ends when its key is replaced under the same id', async () => {
  const { url, write } = await accessService(file, { config: proxy });
  const opened = await fetch(`${url}/api/access/session`, { method: 'POST', headers: { 'X-Api-Key': keys.operator } });
  const cookie = (opened.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  expect([opened.status, await statusOf(url, '/api/matrix', { cookie })]).toEqual([204, 200]);
  const stream = await fetch(`${url}/api/events/stream`, { headers: { 'X-Api-Key': keys.operator } });
  write(file.replace(keyDigest(keys.operator), keyDigest(newKey('operator', Buffer.alloc(32, 7)))));
  await until(async () => (await statusOf(url, '/api/matrix', { cookie })) === 401);
  const text = await stream.text();
  expect(text).toContain('event: session-ended\ndata: {"reason":"key"}');
});

test('a page of another origin changes nothing, even if its host is sent as Host', async () => {
  const { url } = await accessService(file, { config: proxy });
  const statusFrom = async (origin: string) => {
    const headers = { 'X-Api-Key': keys.operator, Host: new URL(origin).host, Origin: origin };
    const agent = connections(1);
    const { status } = await exchange(url, { method: 'POST', path: '/api/access/session', headers }, agent);
    agent.destroy();
    return status;
  };
  expect(await statusFrom('http://evil.example')).toBe(403);
  expect(await statusFrom('https://127.0.0.1:9')).toBe(403);
  expect(await statusFrom(proxy.publicUrl)).toBe(204);
});
