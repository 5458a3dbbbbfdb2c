import { testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { freshEvent, unique } from './api.ts';
import { headerBytes } from './http.ts';
import { expectRefusal } from './refusals.ts';
import { suite } from './suite.ts';

/** §5: reads, streams and probes take no credential. */
const openPaths = ['/api/matrix', '/api/deployments', '/api/services', '/api/environments', '/healthz', '/readyz'];

suite('keys', (api, { testOwnInstance }) => {
  const post = (headers: Record<string, string | string[]>, body: unknown = freshEvent()) =>
    api.send({ method: 'POST', path: '/api/deployments', headers, body: JSON.stringify(body) });

  test('§5: ingest takes the key in X-Api-Key, under any spelling of the header name', async () => {
    for (const name of ['X-Api-Key', 'x-api-key', 'X-API-KEY']) {
      expect((await post({ [name]: api.keys.api })).status, name).toBe(201);
    }
  });

  test.each<[string, (key: string) => Record<string, string | string[]>]>([
    ['no key', () => ({})],
    ['an empty key', () => ({ 'X-Api-Key': '' })],
    ['a wrong key', () => ({ 'X-Api-Key': 'wrong' })],
    ['the key and one character more', (key) => ({ 'X-Api-Key': `${key}x` })],
    ['the key without its last character', (key) => ({ 'X-Api-Key': key.slice(0, -1) })],
    ['the key in upper case', (key) => ({ 'X-Api-Key': key.toUpperCase() })],
    ['the key in quotes', (key) => ({ 'X-Api-Key': `"${key}"` })],
    ['the key twice in a list', (key) => ({ 'X-Api-Key': `${key}, ${key}` })],
    ['a key of bytes that are no UTF-8', () => ({ 'X-Api-Key': '\xff\xfe\x80' })],
    ['a key in UTF-8 beyond ASCII', () => ({ 'X-Api-Key': headerBytes('schlüssel-😀') })],
    ['the key with a non-ASCII byte', (key) => ({ 'X-Api-Key': `${key}\xa0` })],
    ['a key of 8000 characters', () => ({ 'X-Api-Key': 'k'.repeat(8000) })],
    ['a key of one character', () => ({ 'X-Api-Key': 'k' })],
    ['the key as a bearer token', (key) => ({ Authorization: `Bearer ${key}` })],
    ['the key as a cookie', (key) => ({ Cookie: `X-Api-Key=${key}` })],
    ['the key in the header of the other', (key) => ({ 'X-Control-API-Key': key })],
  ])('§5 rule 2, reading 2.1: ingest with %s is 401, and nothing is stored', async (_, headers) => {
    const event = freshEvent();
    expectRefusal(await post(headers(api.keys.api), event), 'unauthorized');
    expect((await api.list({ service: event.service })).items).toEqual([]);
  });

  test('§5 rule 1: the control key does not ingest', async () => {
    expectRefusal(await post({ 'X-Api-Key': api.keys.control }), 'unauthorized');
    expectRefusal(await post({ 'X-Control-API-Key': api.keys.control }), 'unauthorized');
  });

  test('§5: a key in the query does not ingest', async () => {
    const path = `/api/deployments?x-api-key=${api.keys.api}&api_key=${api.keys.api}`;
    expectRefusal(await api.send({ method: 'POST', path, body: JSON.stringify(freshEvent()) }), 'unauthorized');
  });

  test('reading 2.3: a missing key and a wrong key give the same answer', async () => {
    const [missing, empty, wrong] = [
      await post({}),
      await post({ 'X-Api-Key': '' }),
      await post({ 'X-Api-Key': 'wrong' }),
    ].map(({ status, text, headers: { date: _, ...headers } }) => ({ status, text, headers }));
    expect(wrong).toEqual(missing);
    expect(empty).toEqual(missing);
  });

  test.each(openPaths)('§5: %s takes no key, and a wrong one does not matter', async (path) => {
    for (const headers of [{}, { 'X-Api-Key': 'wrong', 'X-Control-API-Key': '\xff' }]) {
      expect((await api.get(path, {}, headers)).status).toBe(200);
    }
  });

  test('§5: lookup and stream take no key, and a wrong one does not matter', async () => {
    const headers = { 'X-Api-Key': 'wrong', 'X-Control-API-Key': 'wrong' };
    const { id } = await api.append();
    expect((await api.get(`/api/deployments/${id}`, {}, headers)).status).toBe(200);
    expect((await api.stream({}, headers)).status).toBe(200);
  });

  test('§5 rule 3: no page, document or metric holds a key, also after both were used', async () => {
    await post({ 'X-Api-Key': api.keys.api, 'X-Control-API-Key': api.keys.control });
    await post({ 'X-Api-Key': api.keys.control });
    for (const path of ['/metrics', '/openapi.json', '/docs', '/problems/unauthorized', '/readyz']) {
      const { status, text } = await api.get(path, {}, { 'X-Api-Key': api.keys.api });
      expect(status, path).toBe(200);
      expect(text.includes(api.keys.api) || text.includes(api.keys.control), path).toBe(false);
    }
  });

  testOwnInstance(
    '§5 rule 3: no page or document holds the documented development keys while they are valid',
    async () => {
      const [dev, control] = ['dev-api-key', 'dev-control-key'];
      const { url } = await api.instance({ config: { keys: { api: [dev], control: [control] } } });
      for (const path of ['/metrics', '/openapi.json', '/docs', '/problems/unauthorized']) {
        const { text } = await api.send({ path }, url);
        expect(text.includes(dev) || text.includes(control), path).toBe(false);
      }
    },
  );

  testOwnInstance('reading 2.1: during a rotation both keys are taken, and nothing else', async () => {
    const next = unique('next-key');
    const keys = { api: [testKeys.api, next], control: [testKeys.control] };
    const { url } = await api.instance({ config: { keys } });
    const statusWith = async (key: string) => (await api.ingest(freshEvent(), { 'X-Api-Key': key }, url)).status;
    expect(await statusWith(testKeys.api)).toBe(201);
    expect(await statusWith(next)).toBe(201);
    expect(await statusWith(`${next}${testKeys.api}`)).toBe(401);
    expect(await statusWith(testKeys.control)).toBe(401);
  });

  testOwnInstance('reading 2.1: a key may hold any characters; its bytes are compared', async () => {
    const key = 'schlüssel-😀';
    const { url } = await api.instance({ config: { keys: { api: [key], control: ['other'] } } });
    expect((await api.ingest(freshEvent(), { 'X-Api-Key': headerBytes(key) }, url)).status).toBe(201);
    expect((await api.ingest(freshEvent(), { 'X-Api-Key': 'schl\xfcssel-' }, url)).status).toBe(401);
  });

  testOwnInstance('reading 2.1: a key is compared to its end, however long it is', async () => {
    const key = 'k'.repeat(2000);
    const { url } = await api.instance({ config: { keys: { api: [`${key}1`], control: [`${key}2`] } } });
    for (const [offered, status] of [
      [`${key}1`, 201],
      [`${key}2`, 401],
      [key, 401],
    ] as const) {
      expect((await api.ingest(freshEvent(), { 'X-Api-Key': offered }, url)).status).toBe(status);
    }
  });

  testOwnInstance('§5 rule 3: no log line holds a key, whatever was done with it', async () => {
    const lines: string[] = [];
    const { url } = await api.instance({ log: { write: (line) => lines.push(line) } });
    const body = JSON.stringify(freshEvent());
    for (const key of [testKeys.api, testKeys.control]) {
      for (const name of ['X-Api-Key', 'X-Control-API-Key', 'Authorization', 'X-Progress-Reporter']) {
        await api.send({ method: 'POST', path: '/api/deployments', headers: { [name]: key }, body: '{' }, url);
        await api.send({ method: 'PUT', path: '/api/deployments', headers: { [name]: key }, body }, url);
      }
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(testKeys.api) || line.includes(testKeys.control))).toEqual([]);
  });
});
