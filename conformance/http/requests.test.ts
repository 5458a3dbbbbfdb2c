import { expect, test } from 'vitest';
import { freshEvent, unique } from '../support/api.ts';
import { type BodiedCall, bodiedCalls, headersOf, named, requestOf, streamCalls } from '../support/calls.ts';
import { Control } from '../support/control.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { bodyBytesMax, keyHeaders } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** §4 and reading 8.4: every path of the service that accepts only GET and needs no key. */
const readPaths = [
  '/api/matrix',
  '/api/services',
  '/api/environments',
  '/api/events/stream',
  '/api/control/events/stream',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/metrics',
  '/problems/validation',
];

/** §4: the other paths and their methods. */
const mixedPaths: readonly [string, readonly string[]][] = [
  ['/api/deployments', ['GET', 'HEAD', 'POST']],
  ['/api/control/events', ['GET', 'HEAD', 'POST']],
  ['/api/control/reset', ['POST']],
  ['/api/fetcher/state/a', ['GET', 'HEAD', 'PUT']],
  ['/api/fetcher/state/BAD', ['GET', 'HEAD', 'PUT']],
];

/** Pads a valid body with white space to exactly this many bytes. */
function bodyOfBytes(call: BodiedCall, bytes: number): Buffer {
  const json = JSON.stringify(call.body());
  return Buffer.concat([Buffer.from(json), Buffer.alloc(bytes - Buffer.byteLength(json), ' ')]);
}

suite('requests in general', (api, { testWith }) => {
  const control = new Control(api);
  // Removal is part of the control API, although it has the same path as the lookup (reading 8.7).
  const lookup = '/api/deployments/no-uuid';
  const removes = api.serves('/api/control/removals');
  const removal: typeof mixedPaths = [[lookup, ['DELETE', 'GET', 'HEAD']]];
  const mixed = [...mixedPaths.filter(([path]) => api.serves(path)), ...(removes ? removal : [])];

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'not a media type',
    '/',
    '',
  ])('reading 1.1: a JSON body is accepted with any Content-Type: %j', async (type) => {
    for (const call of bodiedCalls.filter(api.serves)) {
      const { headers, ...request } = requestOf(call, api.keys);
      const answer = await api.send({ ...request, headers: { ...headers, 'Content-Type': type } });
      expect(answer.status, call.name).toBe(call.success);
    }
  });

  test.each(named(api, bodiedCalls))('reading 1.1: %s accepts a JSON body without a Content-Type', async (_, call) => {
    expect((await api.send(requestOf(call, api.keys))).status).toBe(call.success);
  });

  test.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/matrix/',
    '/api/deployments/',
    '/api/services/x',
    '/api/deployments/a/b',
    '//api/matrix',
    '/API/matrix',
    '/api/matrix%2F',
    '/api/matrix;x=1',
    '/api/v1/deployments',
    '/api/%zz',
    '/%00',
    '/api/events/stream/',
    '/api/control',
    '/api/control/',
    '/api/control/events/',
    '/api/control/events/x',
    '/api/control/stream/',
    '/api/control/reset/',
    '/api/fetcher/state',
    '/api/fetcher/state/',
    '/api/fetcher/state/a/b',
    '/healthz/',
    '/problems/nope',
    '/__proto__',
    '/constructor',
  ])('reading 1.9: the unknown path %s returns 404', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE']) {
      const answer = await api.send({ method, path });
      expect(answer.status, method).toBe(404);
      if (method !== 'HEAD') expectRefusal(answer, 'not-found');
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'reading 1.9: %s on a path that accepts only GET returns 405 with Allow',
    async (method) => {
      for (const path of [...readPaths, '/api/control/stream', ...(removes ? [] : [lookup])].filter(api.serves)) {
        const answer = await api.send({ method, path });
        expectRefusal(answer, 'method-not-allowed');
        expect(allowed(answer.headers.allow), path).toEqual(['GET', 'HEAD']);
      }
    },
  );

  test.each(mixed)('reading 1.9: %s accepts %j, and any other method returns 405 with Allow', async (path, methods) => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !methods.includes(one));
    for (const method of others) {
      const answer = await api.send({ method, path });
      expect(answer.status, method).toBe(405);
      if (method !== 'HEAD') expectRefusal(answer, 'method-not-allowed');
      expect(allowed(answer.headers.allow), method).toEqual(methods);
    }
  });

  test.each([...readPaths, '/api/deployments', '/api/control/events'].filter(api.serves))(
    'reading 1.9: HEAD %s responds like GET, without a body',
    async (path) => {
      const head = await api.send({ method: 'HEAD', path });
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      if (streamCalls.some((call) => call.path === path)) return;
      const get = await api.send({ path });
      for (const name of ['content-type', 'etag', 'cache-control', 'x-stream-position']) {
        expect(head.headers[name], name).toBe(get.headers[name]);
      }
    },
  );

  test('reading 1.9: HEAD returns the same status as GET for found and invalid requests', async () => {
    const { id } = await api.append();
    const expected: readonly [string, number][] = [
      [`/api/deployments/${id}`, 200],
      ['/api/deployments/no-uuid', 404],
      ['/api/deployments?limit=0', 422],
      ['/api/control/events?limit=0', 422],
      ['/api/control/stream', 401],
    ];
    for (const [path, status] of expected.filter(([path]) => api.serves(path))) {
      expect((await api.send({ method: 'HEAD', path })).status, path).toBe(status);
    }
  });

  test.each(named(api, streamCalls))(
    "reading 1.9: HEAD on %s returns the stream's headers and ends",
    async (_, call) => {
      const head = await api.send({ method: 'HEAD', path: call.path, headers: headersOf(call, api.keys) });
      expect(head.status).toBe(200);
      expect(head.headers['content-type']).toBe('text/event-stream');
      expect(head.headers['x-stream-resume']).toBe('live');
    },
  );

  test.each(named(api, bodiedCalls))(
    'reading 1.5: %s accepts a body of exactly 256 KiB but no larger body',
    async (_, call) => {
      const send = (bytes: number) => api.send(requestOf(call, api.keys, bodyOfBytes(call, bytes)));
      expect((await send(bodyBytesMax)).status).toBe(call.success);
      expectRefusal(await send(bodyBytesMax + 1), 'payload-too-large');
      expectRefusal(await send(5 * 1024 * 1024), 'payload-too-large');
    },
  );

  test.each([
    ['in one chunk', bodyBytesMax],
    ['in chunks of 1000 bytes', 1000],
  ])('reading 1.5: the limit applies to a chunked body %s', async (_, chunkBytes) => {
    for (const call of bodiedCalls.filter(api.serves)) {
      const send = (bytes: number) => api.send({ ...requestOf(call, api.keys, bodyOfBytes(call, bytes)), chunkBytes });
      expect((await send(bodyBytesMax)).status).toBe(call.success);
      expectRefusal(await send(bodyBytesMax + 1), 'payload-too-large');
    }
  });

  test('reading 1.5: the largest valid body fits even if written in JSON escapes', async () => {
    const escaped = (codePoints: number) => '\\ud83d\\ude00'.repeat(codePoints);
    const body = JSON.stringify({ ...freshEvent(), deployment_id: 'ID', actor: 'ACTOR', parent_deployments: ['P'] });
    const parents = Array.from({ length: 32 }, (_, n) => `"${escaped(198)}${String(n).padStart(2, '0')}"`);
    const text = body.replace('ID', escaped(200)).replace('ACTOR', escaped(128)).replace('"P"', parents.join(','));
    expect(text.length).toBeGreaterThan(75_000);
    expect((await api.ingest(text)).status).toBe(201);
  });

  test('reading 1.4: an unknown path returns 404 and a wrong method returns 405 before any key is checked', async () => {
    const headers = { 'X-Api-Key': 'wrong', 'X-Control-API-Key': 'wrong' };
    for (const path of ['/api/deploymentz', '/api/control/resetz', '/api/fetcher/state', '/api/control/stream/x']) {
      expectRefusal(await api.send({ method: 'POST', path, headers }), 'not-found');
    }
    for (const [path] of mixed) {
      expectRefusal(await api.send({ method: 'PATCH', path, headers }), 'method-not-allowed');
    }
    for (const { path } of streamCalls.filter(api.serves)) {
      expectRefusal(await api.send({ method: 'POST', path, headers }), 'method-not-allowed');
    }
  });

  test('reading 1.4: 404 and 405 are checked before 413', async () => {
    const body = Buffer.alloc(bodyBytesMax + 1, '{');
    for (const chunks of [{}, { chunkBytes: 100_000 }]) {
      expectRefusal(await api.send({ method: 'POST', path: '/api/nope', body, ...chunks }), 'not-found');
      for (const [path] of mixed) {
        expectRefusal(await api.send({ method: 'PATCH', path, body, ...chunks }), 'method-not-allowed');
      }
    }
  });

  test.each(named(api, bodiedCalls))('reading 1.4: %s checks 401 before 413, and 413 before 422', async (_, call) => {
    const tooLarge = Buffer.alloc(bodyBytesMax + 1, '{');
    const bad = { 'X-Progress-Reporter': 'BAD', 'X-Component-Id': 'BAD' };
    const send = (body: string | Buffer, headers: Record<string, string>) =>
      api.send({ method: call.method, path: call.path, body, headers: { ...headersOf(call, api.keys), ...headers } });
    expectRefusal(await send(tooLarge, { [keyHeaders.api]: 'wrong' }), 'unauthorized');
    expectRefusal(await send('{', { [keyHeaders.api]: 'wrong', ...bad }), 'unauthorized');
    expectRefusal(await send(tooLarge, bad), 'payload-too-large');
    expectRefusal(await send('{', bad), 'validation');
  });

  test('readings 1.2 and 1.4: header errors are reported together with an invalid JSON body', async () => {
    expectFaults(await api.ingest('{', { 'X-Progress-Reporter': 'BAD' }), ['', '/X-Progress-Reporter']);
    expectFaults(await control.putCursor('BAD', '{'), ['', '/adapter']);
  });

  testWith('control')(
    'readings 1.2 and 1.4: header errors are reported together with an invalid JSON report',
    async () => {
      const headers = { 'X-Component-Id': 'BAD', 'X-Correlation-Id': 'x'.repeat(129) };
      expectFaults(await control.report('{', headers), ['', '/X-Component-Id', '/X-Correlation-Id']);
    },
  );

  test('reading 1.3: unknown query parameters are ignored, even repeated ones', async () => {
    const service = unique();
    const { id } = await api.append({ service });
    for (const path of [
      '/api/deployments',
      '/api/matrix',
      '/api/services',
      '/api/environments',
      '/api/control/events',
      '/healthz',
    ].filter(api.serves)) {
      const answer = await api.send({ path: `${path}?colour=red&colour=blue&service_=x&__proto__=y&%zz=1&&=` });
      expect(answer.status, path).toBe(200);
    }
    expect((await api.send({ path: `/api/deployments/${id}?colour=red` })).status).toBe(200);
    const page = await api.list({ service, colour: 'red', offset: 7, page: 2 });
    expect(page.items.map((event) => event.id)).toEqual([id]);
  });

  test.each(named(api, bodiedCalls))('§9 rule 4: %s ignores unknown query parameters', async (_, call) => {
    const answer = await api.send({ ...requestOf(call, api.keys), path: `${call.path}?dry_run=1&dry_run=2&%zz` });
    expect(answer.status).toBe(call.success);
  });

  test('§1 rule 8: a request with a foreign Origin gets the same response, without CORS headers', async () => {
    const answer = await api.get('/api/matrix', {}, { Origin: 'https://elsewhere.example' });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

function allowed(allow: string | undefined): string[] {
  return (allow ?? '')
    .split(',')
    .map((method) => method.trim())
    .sort();
}
