import { expect, test } from 'vitest';
import { freshEvent, unique } from './api.ts';
import { expectRefusal } from './refusals.ts';
import { suite } from './suite.ts';

const bodyBytesMax = 256 * 1024;

/** §4 and reading 8.4: every path of the service that takes GET, with an example where it has a parameter. */
const readPaths = [
  '/api/deployments',
  '/api/matrix',
  '/api/services',
  '/api/environments',
  '/api/events/stream',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/metrics',
  '/problems/validation',
];

/** A valid body of exactly this many bytes: white space after the value. */
function bodyOfBytes(bytes: number): Buffer {
  const json = JSON.stringify(freshEvent());
  return Buffer.concat([Buffer.from(json), Buffer.alloc(bytes - Buffer.byteLength(json), ' ')]);
}

suite('requests in general', (api) => {
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
  ])('reading 1.1: a JSON body is taken whatever Content-Type says: %j', async (type) => {
    const answer = await api.ingest(freshEvent(), { 'Content-Type': type });
    expect(answer.status).toBe(201);
  });

  test('reading 1.1: a JSON body is taken without a Content-Type', async () => {
    expect((await api.ingest(freshEvent())).status).toBe(201);
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
    '/healthz/',
    '/problems/nope',
    '/__proto__',
    '/constructor',
  ])('reading 1.9: the unknown path %s is 404', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE']) {
      const answer = await api.send({ method, path });
      expect(answer.status, method).toBe(404);
      if (method !== 'HEAD') expectRefusal(answer, 'not-found');
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'reading 1.9: %s on a path that takes only GET is 405 with Allow',
    async (method) => {
      for (const path of [...readPaths.slice(1), '/api/deployments/no-uuid']) {
        const answer = await api.send({ method, path });
        expectRefusal(answer, 'method-not-allowed');
        expect(allowed(answer.headers.allow), path).toEqual(['GET', 'HEAD']);
      }
    },
  );

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'reading 1.9: %s on /api/deployments is 405, and Allow names POST too',
    async (method) => {
      const answer = await api.send({ method, path: '/api/deployments' });
      expectRefusal(answer, 'method-not-allowed');
      expect(allowed(answer.headers.allow)).toEqual(['GET', 'HEAD', 'POST']);
    },
  );

  test.each(readPaths)('reading 1.9: HEAD %s answers like GET, without a body', async (path) => {
    const head = await api.send({ method: 'HEAD', path });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    if (path === '/api/events/stream') return;
    const get = await api.send({ path });
    for (const name of ['content-type', 'etag', 'cache-control', 'x-stream-position']) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }
  });

  test('reading 1.9: HEAD looks up and refuses like GET', async () => {
    const { id } = await api.append();
    const statuses = [`/api/deployments/${id}`, '/api/deployments/no-uuid', '/api/deployments?limit=0'].map(
      async (path) => (await api.send({ method: 'HEAD', path })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 422]);
  });

  test('reading 1.9: HEAD on a stream answers its headers and ends', async () => {
    const head = await api.send({ method: 'HEAD', path: '/api/events/stream' });
    expect(head.headers['content-type']).toBe('text/event-stream');
    expect(head.headers['x-stream-resume']).toBe('live');
  });

  test('reading 1.5: a body of exactly 256 KiB is taken', async () => {
    expect((await api.ingest(bodyOfBytes(bodyBytesMax))).status).toBe(201);
  });

  test.each([
    ['one byte over 256 KiB', bodyBytesMax + 1],
    ['5 MiB', 5 * 1024 * 1024],
  ])('reading 1.5: a body of %s is 413', async (_, bytes) => {
    expectRefusal(await api.ingest(bodyOfBytes(bytes)), 'payload-too-large');
  });

  test.each([
    ['in one chunk', bodyBytesMax],
    ['in chunks of 1000 bytes', 1000],
  ])('reading 1.5: the limit holds for a chunked body %s', async (_, chunkBytes) => {
    const request = { method: 'POST', path: '/api/deployments', headers: { 'X-Api-Key': api.keys.api }, chunkBytes };
    expect((await api.send({ ...request, body: bodyOfBytes(bodyBytesMax) })).status).toBe(201);
    expectRefusal(await api.send({ ...request, body: bodyOfBytes(bodyBytesMax + 1) }), 'payload-too-large');
  });

  test('reading 1.5: the largest legal body written in JSON escapes fits', async () => {
    const escaped = (codePoints: number) => '\\ud83d\\ude00'.repeat(codePoints);
    const body = JSON.stringify({ ...freshEvent(), deployment_id: 'ID', actor: 'ACTOR', parent_deployments: ['P'] });
    const parents = Array.from({ length: 32 }, (_, n) => `"${escaped(198)}${String(n).padStart(2, '0')}"`);
    const text = body.replace('ID', escaped(200)).replace('ACTOR', escaped(128)).replace('"P"', parents.join(','));
    expect(text.length).toBeGreaterThan(75_000);
    expect((await api.ingest(text)).status).toBe(201);
  });

  test('reading 1.4: an unknown path is 404 and a wrong method 405 before any key is judged', async () => {
    const headers = { 'X-Api-Key': 'wrong' };
    expectRefusal(await api.send({ method: 'POST', path: '/api/deploymentz', headers }), 'not-found');
    expectRefusal(await api.send({ method: 'PUT', path: '/api/deployments', headers }), 'method-not-allowed');
  });

  test('reading 1.4: 404 and 405 come before 413', async () => {
    const body = Buffer.alloc(bodyBytesMax + 1, '{');
    for (const chunks of [{}, { chunkBytes: 100_000 }]) {
      expectRefusal(await api.send({ method: 'POST', path: '/api/nope', body, ...chunks }), 'not-found');
      expectRefusal(await api.send({ method: 'PUT', path: '/api/deployments', body, ...chunks }), 'method-not-allowed');
    }
  });

  test('reading 1.4: 401 comes before 413, and 413 before 422', async () => {
    const tooLarge = Buffer.alloc(bodyBytesMax + 1, '{');
    const badHeader = { 'X-Progress-Reporter': 'BAD' };
    expectRefusal(await api.ingest(tooLarge, { 'X-Api-Key': 'wrong' }), 'unauthorized');
    expectRefusal(await api.ingest('{', { 'X-Api-Key': 'wrong', ...badHeader }), 'unauthorized');
    expectRefusal(await api.ingest(tooLarge, badHeader), 'payload-too-large');
    expectRefusal(await api.ingest('{', badHeader), 'validation');
  });

  test('reading 1.3: unknown query parameters are ignored, repeated ones too', async () => {
    const service = unique();
    const { id } = await api.append({ service });
    for (const path of ['/api/deployments', '/api/matrix', '/api/services', '/api/environments', '/healthz']) {
      const answer = await api.send({ path: `${path}?colour=red&colour=blue&service_=x&__proto__=y&%zz=1&&=` });
      expect(answer.status, path).toBe(200);
    }
    expect((await api.send({ path: `/api/deployments/${id}?colour=red` })).status).toBe(200);
    const page = await api.list({ service, colour: 'red', offset: 7, page: 2 });
    expect(page.items.map((event) => event.id)).toEqual([id]);
  });

  test('§9 rule 4: unknown query parameters on a write are no unknown fields', async () => {
    const answer = await api.send({
      method: 'POST',
      path: '/api/deployments?dry_run=1',
      headers: { 'X-Api-Key': api.keys.api },
      body: JSON.stringify(freshEvent()),
    });
    expect(answer.status).toBe(201);
  });

  test('§1 rule 8: a foreign Origin changes nothing and gets no CORS headers', async () => {
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
