import { request } from 'node:http';
import { limits } from '@shiplog/contract';
import { type Act, answers, cuts, hangs } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';
import type { Upstream } from './support/upstream.ts';

const calls = [
  ['GET', '/demo/ci/status', '/_ci/status'],
  ['POST', '/demo/ci/seed', '/_ci/seed'],
  ['POST', '/demo/ci/clear', '/_ci/clear'],
  ['GET', '/demo/ci/emit', '/_ci/emit'],
  ['POST', '/demo/ci/emit', '/_ci/emit'],
] as const;

const seed = ['/demo/ci/seed', 'POST /_ci/seed'] as const;

test.each(calls)(
  'reading 9.7: %s %s is forwarded to %s with its query, and the response is passed on unchanged',
  async (method, path, target) => {
    const { driver, upstream } = await drivenUpstream();
    upstream.script(`${method} ${target}`, answers(207, '{ "as":1.0 }', { 'content-type': 'application/x-thing' }));
    const query = '?colour=red&colour=%C3%A9&x=a+b&%zz&y=1/2?3';
    const answer = await driver.call(method, `${path}${query}`);
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      207,
      'application/x-thing',
      '{ "as":1.0 }',
    ]);
    expect(upstream.of(`${method} ${target}`).map(({ url }) => url)).toEqual([`${target}${query}`]);
  },
);

function lastOf(upstream: Upstream, route: string) {
  const [received] = upstream.of(route);
  if (!received) throw new Error(`nothing came to ${route}`);
  return received;
}

test.each<[string, Uint8Array, string | undefined]>([
  ['JSON', Buffer.from('{"n":1.0, "a" : "\\u00e9"}'), 'application/json'],
  ['a form', Buffer.from('a=1&b=2'), 'application/x-www-form-urlencoded; charset=utf-8'],
  ['every byte value', Uint8Array.from({ length: 256 }, (_, byte) => byte), 'application/octet-stream'],
  ['a body without a type', Buffer.from('plain'), undefined],
  ['nothing', new Uint8Array(), undefined],
])('a body of %s is forwarded byte for byte with its content type', async (_, body, type) => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(seed[1], answers(204));
  const { port } = new URL(driver.url);
  const headers = { 'content-length': body.length, ...(type === undefined ? {} : { 'content-type': type }) };
  const status = await new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: seed[0], headers });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end(body);
  });
  const received = lastOf(upstream, seed[1]);
  expect([status, received.headers['content-type']]).toEqual([204, type]);
  expect(new Uint8Array(received.body)).toEqual(new Uint8Array(body));
});

test.each(['/demo/ci/seed', '/demo/ci/clear', '/demo/ci/emit'])(
  'reading 9.7: %s accepts a body of at most 5 MiB',
  async (path) => {
    const { driver, upstream } = await drivenUpstream();
    const route = `POST ${path.replace('/demo/ci', '/_ci')}`;
    upstream.script(route, answers(204));
    const body = Buffer.alloc(5 * 1024 * 1024, 'x');
    expect((await driver.call('POST', path, { body })).status).toBe(204);
    const chunks = new Blob([body, ' ']).stream();
    for (const larger of [Buffer.alloc(body.length + 1, 'x'), chunks]) {
      const { status, json } = await driver.call('POST', path, { body: larger, duplex: 'half' } as RequestInit);
      expect([status, json]).toEqual([413, expect.objectContaining({ type: '/problems/payload-too-large' })]);
    }
    expect(upstream.of(route).map((received) => received.body.equals(body))).toEqual([true]);
  },
);

test("the driver's other calls have the usual limit on bodies", async () => {
  const { driver } = await drivenUpstream();
  const body = `${' '.repeat(limits.bodyBytes - 2)}{}`;
  expect((await driver.call('POST', '/demo/emit', { body })).status).toBe(200);
  expect((await driver.call('POST', '/demo/emit', { body: `${body} ` })).status).toBe(413);
});

test("only the caller's content type is forwarded", async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(seed[1], answers(200, '{}'));
  const headers = {
    ...{ 'content-type': 'text/x', cookie: 'a=b', authorization: 'Basic x', 'x-api-key': 'mine', accept: 'text/x' },
    ...{ 'user-agent': 'me', 'x-correlation-id': 'c', 'if-none-match': 'e', 'accept-encoding': 'br' },
  };
  await driver.call('POST', seed[0], { headers, body: 'x' });
  const { host, ...got } = lastOf(upstream, seed[1]).headers;
  expect(host).toBe(new URL(upstream.url).host);
  expect(got).toEqual({ 'content-type': 'text/x', 'content-length': '1', connection: 'close' });
});

test.each([400, 401, 404, 409, 500, 503])('a %i from the emulator is passed on', async (status) => {
  const { driver, upstream } = await drivenUpstream();
  const type = 'text/plain; charset=latin1';
  upstream.script(seed[1], answers(status, 'no', { 'content-type': type, 'retry-after': '3', 'set-cookie': 'a=b' }));
  const answer = await driver.post(seed[0]);
  expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([status, 'no', type]);
  expect(answer.headers.get('retry-after')).toBe('3');
  expect(answer.headers.has('set-cookie')).toBe(false);
});

test.each([301, 302, 303, 307, 308])(
  'reading 9.7: a %i is passed on with its Location instead of being followed',
  async (status) => {
    const { driver, upstream } = await drivenUpstream();
    upstream.script(seed[1], answers(status, 'there', { location: '/healthz?a#b' }));
    const { status: got, text, headers } = await driver.post(seed[0]);
    expect([got, text, headers.get('location')]).toEqual([status, 'there', '/healthz?a#b']);
    expect(upstream.received.filter(({ path }) => path === '/healthz')).toEqual([]);
  },
);

test.each<[string, Act, number]>([
  ['cuts the connection', cuts, 502],
  ['answers no HTTP', (response) => response.socket?.end('what?\r\n\r\n'), 502],
  ['does not begin in time', hangs, 504],
])('if the emulator %s, the driver answers with a problem', async (_, act, status) => {
  const { driver, upstream } = await drivenUpstream(act === hangs ? { times: { proxyTimeoutMs: 50 } } : {});
  upstream.script(seed[1], act);
  const { status: got, headers, json } = await driver.post(seed[0]);
  expect([got, headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  expect(json).toMatchObject({ type: '/problems/upstream', title: 'Upstream unreachable', status, instance: seed[0] });
});

test('calls to an unreachable emulator are answered with 502', async () => {
  const nowhere = 'http://127.0.0.1:9';
  const { driver } = await drivenUpstream({
    config: { neighbours: { writeApiUrl: nowhere, emulatorUrl: nowhere, fetcherUrl: nowhere } },
  });
  expect((await driver.call('GET', '/demo/ci/status')).status).toBe(502);
});

test('an uncompressed response stays uncompressed, whatever the caller accepts', async () => {
  const { driver, upstream } = await drivenUpstream();
  const long = JSON.stringify({ runs: 'x'.repeat(5000) });
  upstream.script('GET /_ci/status', answers(200, long));
  const { text, headers } = await driver.call('GET', '/demo/ci/status', { headers: { 'accept-encoding': 'br, gzip' } });
  expect([text, headers.get('content-encoding')]).toEqual([long, null]);
});

test('a compressed response stays compressed', async () => {
  const { driver, upstream } = await drivenUpstream();
  const { gzipSync } = await import('node:zlib');
  upstream.script('GET /_ci/status', (response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync('packed'));
  });
  const { text, headers } = await driver.call('GET', '/demo/ci/status');
  expect([text, headers.get('content-encoding')]).toEqual(['packed', 'gzip']);
});

test('an incomplete response is not passed on as complete', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script('GET /_ci/status', (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  await expect(driver.call('GET', '/demo/ci/status')).rejects.toThrow();
});

test('HEAD is answered like GET without the body', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script('GET /_ci/status', answers(200, '{"a":1}'));
  const { status, text } = await driver.call('HEAD', '/demo/ci/status');
  expect([status, text]).toEqual([200, '']);
});
