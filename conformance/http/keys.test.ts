import { headerBytes, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { freshEvent, unique } from '../support/api.ts';
import { type Call, keyedCalls, named, requestOf, resetCall, streamCalls } from '../support/calls.ts';
import { aReport, Control } from '../support/control.ts';
import { expectRefusal } from '../support/refusals.ts';
import { keyHeaders } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** §5: reads, streams and probes need no key. */
const openPaths = [
  '/api/matrix',
  '/api/deployments',
  '/api/services',
  '/api/environments',
  '/api/control/events',
  '/healthz',
  '/readyz',
];

/** Headers without a valid key, made from the header name and the key. */
const wrongKeys: readonly [string, (name: string, key: string) => Record<string, string>][] = [
  ['no key', () => ({})],
  ['an empty key', (name) => ({ [name]: '' })],
  ['a wrong key', (name) => ({ [name]: 'wrong' })],
  ['the key followed by another character', (name, key) => ({ [name]: `${key}x` })],
  ['the key without its last character', (name, key) => ({ [name]: key.slice(0, -1) })],
  ['the key in upper case', (name, key) => ({ [name]: key.toUpperCase() })],
  ['the key in quotes', (name, key) => ({ [name]: `"${key}"` })],
  ['a list with the key twice', (name, key) => ({ [name]: `${key}, ${key}` })],
  ['a key that is invalid UTF-8', (name) => ({ [name]: '\xff\xfe\x80' })],
  ['a non-ASCII key in UTF-8', (name) => ({ [name]: headerBytes('schlüssel-😀') })],
  ['the key with a non-ASCII byte', (name, key) => ({ [name]: `${key}\xa0` })],
  ['a key of 8000 characters', (name) => ({ [name]: 'k'.repeat(8000) })],
  ['a key of one character', (name) => ({ [name]: 'k' })],
  ['the key as a bearer token', (_, key) => ({ Authorization: `Bearer ${key}` })],
  ['the key as a cookie', (name, key) => ({ Cookie: `${name}=${key}` })],
  ['the key in the header of the other key', (name, key) => ({ [otherHeader(name)]: key })],
];

function otherHeader(name: string): string {
  return name === keyHeaders.api ? keyHeaders.control : keyHeaders.api;
}

suite('keys', (api, { testOwnInstance, testWith }) => {
  const post = (headers: Record<string, string | string[]>, body: unknown = freshEvent()) =>
    api.send({ method: 'POST', path: '/api/deployments', headers, body: JSON.stringify(body) });
  const control = new Control(api);
  /** A call with these headers instead of its key. */
  const withHeaders = (call: Call, headers: (name: string, key: string) => Record<string, string>) => {
    const [name, key] = [keyHeaders[call.key ?? 'api'], api.keys[call.key ?? 'api']];
    return api.send({ ...requestOf(call, api.keys), headers: { ...call.headers, ...headers(name, key) } });
  };

  test('§5: ingest accepts the key in X-Api-Key, in any letter case of the header name', async () => {
    for (const name of ['X-Api-Key', 'x-api-key', 'X-API-KEY']) {
      expect((await post({ [name]: api.keys.api })).status, name).toBe(201);
    }
  });

  test.each(
    keyedCalls
      .filter(api.serves)
      .flatMap((call) => wrongKeys.map(([sort, headers]) => [call.name, sort, call, headers] as const)),
  )('§5 rule 2, reading 2.1: %s with %s returns 401', async (_name, _sort, call, headers) => {
    expectRefusal(await withHeaders(call, headers), 'unauthorized');
  });

  test.each(wrongKeys)('§5 rule 2: a write with %s is not stored', async (_, headers) => {
    const wrong = headers(keyHeaders.api, api.keys.api);
    const event = freshEvent();
    await post(wrong, event);
    expect((await api.list({ service: event.service })).items).toEqual([]);
    const name = unique('adapter');
    const path = `/api/fetcher/state/${name}`;
    await api.send({ method: 'PUT', path, headers: wrong, body: '{"cursor":"x"}' });
    expectRefusal(await control.getCursor(name), 'not-found');
  });

  testWith('control').each(wrongKeys)('§5 rule 2: a report with %s is not stored', async (_, headers) => {
    const name = unique('component');
    const [body, component] = [JSON.stringify(aReport()), { 'X-Component-Id': name }];
    const sent = { ...component, ...headers(keyHeaders.api, api.keys.api) };
    await api.send({ method: 'POST', path: '/api/control/events', headers: sent, body });
    expect((await control.list({ component_id: name })).items).toEqual([]);
  });

  test.each(named(api, keyedCalls))('§5 rule 1: %s rejects the other key', async (_, call) => {
    const other = call.key === 'api' ? api.keys.control : api.keys.api;
    expectRefusal(await withHeaders(call, (name) => ({ [name]: other })), 'unauthorized');
    expectRefusal(await withHeaders(call, (name) => ({ [otherHeader(name)]: other })), 'unauthorized');
  });

  const keyedReads = keyedCalls.filter((call) => call.method === 'GET');
  test.each(named(api, keyedReads))('§5 rule 2: HEAD requires the same key as GET: %s', async (_, call) => {
    const { headers = {}, path } = requestOf(call, api.keys);
    expect((await api.send({ method: 'HEAD', path })).status).toBe(401);
    await control.putCursor('caller', { cursor: 'x' });
    expect((await api.send({ method: 'HEAD', path, headers })).status).toBe(200);
  });

  test('§5: reports, cursors and the control stream accept the key header in any letter case', async () => {
    const spellings = (name: string) => [name, name.toLowerCase(), name.toUpperCase()];
    const calls = keyedCalls.filter((each) => each !== resetCall && !streamCalls.includes(each));
    for (const call of calls.filter(api.serves)) {
      for (const name of spellings(keyHeaders.api)) {
        const { headers: _, ...request } = requestOf(call, api.keys);
        const answer = await api.send({ ...request, headers: { ...call.headers, [name]: api.keys.api } });
        expect(answer.status, `${call.name} ${name}`).toBeLessThan(300);
      }
    }
    for (const { path } of streamCalls.filter((each) => each.key === 'control').filter(api.serves)) {
      for (const name of spellings(keyHeaders.control)) {
        expect((await api.openStream(path, { [name]: api.keys.control })).status, name).toBe(200);
      }
    }
  });

  test('§5: ingest does not accept a key in the query', async () => {
    const path = `/api/deployments?x-api-key=${api.keys.api}&api_key=${api.keys.api}`;
    expectRefusal(await api.send({ method: 'POST', path, body: JSON.stringify(freshEvent()) }), 'unauthorized');
  });

  test.each(named(api, keyedCalls))(
    'reading 2.3: %s returns the same response for a missing key and a wrong key',
    async (_, call) => {
      const [missing, empty, wrong] = [
        await withHeaders(call, () => ({})),
        await withHeaders(call, (name) => ({ [name]: '' })),
        await withHeaders(call, (name) => ({ [name]: 'wrong' })),
      ].map(({ status, text, headers: { date: _, ...headers } }) => ({ status, text, headers }));
      expect(wrong).toEqual(missing);
      expect(empty).toEqual(missing);
    },
  );

  test.each(openPaths.filter(api.serves))('§5: %s needs no key and ignores a wrong one', async (path) => {
    for (const headers of [{}, { 'X-Api-Key': 'wrong', 'X-Control-API-Key': '\xff' }]) {
      expect((await api.get(path, {}, headers)).status).toBe(200);
    }
  });

  test('§5: lookup and the open streams need no key and ignore a wrong one', async () => {
    const headers = { 'X-Api-Key': 'wrong', 'X-Control-API-Key': 'wrong' };
    const { id } = await api.append();
    expect((await api.get(`/api/deployments/${id}`, {}, headers)).status).toBe(200);
    for (const { path } of streamCalls.filter((call) => !call.key && api.serves(call))) {
      expect((await api.openStream(path, headers)).status).toBe(200);
    }
  });

  test('§5 rule 3: no page, document or metric contains a key, even after both keys were used', async () => {
    await post({ 'X-Api-Key': api.keys.api, 'X-Control-API-Key': api.keys.control });
    await post({ 'X-Api-Key': api.keys.control });
    const paths = ['/metrics', '/openapi.json', '/docs', '/problems/unauthorized', '/readyz'];
    for (const path of paths.filter(api.serves)) {
      const { status, text } = await api.get(path, {}, { 'X-Api-Key': api.keys.api });
      expect(status, path).toBe(200);
      expect(text.includes(api.keys.api) || text.includes(api.keys.control), path).toBe(false);
    }
  });

  testOwnInstance(
    '§5 rule 3: no page or document contains the documented development keys while they are valid',
    async () => {
      const [dev, control] = ['dev-api-key', 'dev-control-key'];
      const { url } = await api.instance({ config: { keys: { api: [dev], control: [control] } } });
      for (const path of ['/metrics', '/openapi.json', '/docs', '/problems/unauthorized']) {
        const { text } = await api.send({ path }, url);
        expect(text.includes(dev) || text.includes(control), path).toBe(false);
      }
    },
  );

  testOwnInstance('reading 2.1: during a rotation only the two keys are accepted', async () => {
    const next = unique('next-key');
    const keys = { api: [testKeys.api, next], control: [testKeys.control] };
    const { url } = await api.instance({ config: { keys } });
    const statusWith = async (key: string) => (await api.ingest(freshEvent(), { 'X-Api-Key': key }, url)).status;
    expect(await statusWith(testKeys.api)).toBe(201);
    expect(await statusWith(next)).toBe(201);
    expect(await statusWith(`${next}${testKeys.api}`)).toBe(401);
    expect(await statusWith(testKeys.control)).toBe(401);
  });

  testOwnInstance('reading 2.1: a key may contain any characters and is compared by its bytes', async () => {
    const key = 'schlüssel-😀';
    const { url } = await api.instance({ config: { keys: { api: [key], control: ['other'] } } });
    expect((await api.ingest(freshEvent(), { 'X-Api-Key': headerBytes(key) }, url)).status).toBe(201);
    expect((await api.ingest(freshEvent(), { 'X-Api-Key': 'schl\xfcssel-' }, url)).status).toBe(401);
  });

  testOwnInstance('reading 2.1: a key of any length is compared completely', async () => {
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

  testOwnInstance('§5 rule 3: no log line contains a key, however it was sent', async () => {
    const lines: string[] = [];
    const { url } = await api.instance({ log: { write: (line) => lines.push(line) } });
    const body = JSON.stringify(freshEvent());
    for (const key of [testKeys.api, testKeys.control]) {
      for (const name of ['X-Api-Key', 'X-Control-API-Key', 'Authorization', 'X-Progress-Reporter']) {
        await api.send({ method: 'POST', path: '/api/deployments', headers: { [name]: key }, body: '{' }, url);
        await api.send({ method: 'PUT', path: '/api/deployments', headers: { [name]: key }, body }, url);
      }
      for (const call of keyedCalls.filter((each) => each !== resetCall)) {
        const headers = { [keyHeaders.api]: key, 'X-Component-Id': key, 'X-Correlation-Id': key };
        await api.send({ ...requestOf(call, testKeys, call.method === 'GET' ? undefined : '{'), headers }, url);
      }
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(testKeys.api) || line.includes(testKeys.control))).toEqual([]);
  });
});
