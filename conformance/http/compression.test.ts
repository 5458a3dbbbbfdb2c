import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { addressOf } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { unique } from '../support/api.ts';
import { suite } from '../support/suite.ts';

interface Encoded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** The raw bytes of a response. */
function fetched(baseUrl: string, path: string, headers: Readonly<Record<string, string>>): Promise<Encoded> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...addressOf(baseUrl), path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
    onTestFinished(() => void sent.destroy());
  });
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;

suite('compressed responses', (api) => {
  const get = (path: string, encoding?: string, more: Readonly<Record<string, string>> = {}) =>
    fetched(api.baseUrl, path, { ...(encoding !== undefined && { 'Accept-Encoding': encoding }), ...more });
  /** A service with enough events for responses above 1 kB. */
  const aLargeService = async () => {
    const service = unique();
    for (const environment of ['dev', 'prod', 'qa', 'staging']) {
      await api.append({ service, environment, ref: 'refs/heads/'.padEnd(200, 'x') });
    }
    return service;
  };

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['BR;Q=0, *', 'gzip'],
    ['*', 'br'],
    ['zstd, gzip;q=0.1', 'gzip'],
  ] as const)(
    'RFC 9110, 12.5.3: a response above 1 kB to Accept-Encoding %s has the encoding %s',
    async (accepted, encoding) => {
      const service = await aLargeService();
      for (const path of [`/api/deployments?service=${service}`, '/openapi.json', '/docs']) {
        const plain = await get(path);
        const encoded = await get(path, accepted);
        expect(encoded.headers['content-encoding'], path).toBe(encoding);
        expect(encoded.bytes.length, path).toBeLessThan(plain.bytes.length);
        expect(decoders[encoding](encoded.bytes).equals(plain.bytes), path).toBe(true);
        for (const answer of [plain, encoded]) expect(answer.headers.vary, path).toBe('Accept-Encoding');
      }
    },
  );

  test.each([undefined, '', 'identity', 'deflate', 'br;q=0', '*;q=0', 'x;y', 'gzip;q=no'])(
    'RFC 9110, 12.5.3: a response to Accept-Encoding %s is not compressed',
    async (accepted) => {
      const answer = await get(`/api/deployments?service=${await aLargeService()}`, accepted);
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(answer.bytes.toString())).toHaveProperty('items');
    },
  );

  test('a response below 1 kB is not compressed', async () => {
    const answer = await get('/healthz', 'br');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.bytes.toString()).toBe('{"status":"ok"}');
  });

  test('reading 4.4: an ETag is valid for every encoding of a response', async () => {
    const path = `/api/matrix?service=${await aLargeService()}`;
    const etags = [await get(path), await get(path, 'br'), await get(path, 'gzip')].map(({ headers }) => headers.etag);
    expect(new Set(etags).size).toBe(1);
    for (const accepted of [undefined, 'br', 'gzip']) {
      const again = await get(path, accepted, { 'If-None-Match': String(etags[0]) });
      expect(again.status).toBe(304);
      expect(again.headers.etag).toBe(etags[0]);
      expect(again.headers.vary).toBe('Accept-Encoding');
      expect(again.headers['content-encoding']).toBeUndefined();
    }
  });

  test('reading 1.9: HEAD returns the same length and encoding as GET', async () => {
    const path = `/api/deployments?service=${await aLargeService()}`;
    const whole = await get(path, 'br');
    const head = await api.send({ method: 'HEAD', path, headers: { 'Accept-Encoding': 'br' } });
    expect(head.headers['content-encoding']).toBe('br');
    expect(head.headers['content-length']).toBe(String(whole.bytes.length));
  });

  test('an error response above 1 kB is compressed', async () => {
    const answer = await get(`/api/${'x'.repeat(2000)}`, 'gzip');
    expect(answer.status).toBe(404);
    expect(JSON.parse(gunzipSync(answer.bytes).toString())).toMatchObject({ status: 404 });
  });
});
