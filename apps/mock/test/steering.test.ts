import type { MockStatus } from '@shiplog/companions';
import type { Problem } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { testMock } from './support/mock.ts';

const fresh: MockStatus = { emitting: false, demo_enabled: true, event_count: 47, fetcher_adapters: [] };

test('a mock starts with the demo data, without emission and without adapters', async () => {
  const mock = await testMock();
  expect(await mock.status()).toEqual(fresh);
});

test('fetcher_adapters names each adapter that stored a cursor, once and by code point', async () => {
  const mock = await testMock();
  for (const adapter of ['gitlab', 'b', 'a-1', 'b']) await mock.putCursor(adapter, 'x');
  expect((await mock.status()).fetcher_adapters).toEqual(['a-1', 'b', 'gitlab']);
});

test('/_mock/reset resets everything and returns the status', async () => {
  const mock = await testMock();
  await mock.append();
  await mock.putCursor('github', 'x');
  await mock.post('/_mock/emit', { enabled: true });
  await mock.post('/_mock/demo', { enabled: false });
  expect(await mock.status()).toEqual({
    emitting: true,
    demo_enabled: false,
    event_count: 1,
    fetcher_adapters: ['github'],
  });
  expect(await mock.post('/_mock/reset')).toEqual(fresh);
  expect(await mock.status()).toEqual(fresh);
  expect(await mock.events()).toHaveLength(47);
});

test('/_mock/demo/reset leaves only demo data in the log, and keeps emission and cursors', async () => {
  const mock = await testMock();
  const { id } = await mock.append();
  await mock.putCursor('github', 'x');
  await mock.post('/_mock/emit', { enabled: true });
  await mock.post('/_mock/demo', { enabled: false });
  expect(await mock.post('/_mock/demo/reset')).toEqual({ enabled: true, event_count: 47 });
  expect(await mock.status()).toEqual({ ...fresh, emitting: true, fetcher_adapters: ['github'] });
  expect((await mock.send(`/api/deployments/${id}`)).status).toBe(404);
});

describe.each([
  ['/_mock/emit', 'emitting', false],
  ['/_mock/demo', 'enabled', true],
] as const)('%s', (path, member, initially) => {
  test('is set by the request body, and toggled by a request without a body', async () => {
    const mock = await testMock();
    const stateOf = async (body?: object) => (await mock.post<Record<string, unknown>>(path, body))[member];
    expect((await mock.get<Record<string, unknown>>(path))[member]).toBe(initially);
    expect(await stateOf({ enabled: true })).toBe(true);
    expect(await stateOf({ enabled: true })).toBe(true);
    expect(await stateOf({ enabled: false })).toBe(false);
    expect(await stateOf({ enabled: false })).toBe(false);
    expect(await stateOf()).toBe(true);
    expect(await stateOf({})).toBe(false);
    expect((await mock.get<Record<string, unknown>>(path))[member]).toBe(false);
  });

  test.each([
    ['{"enabled":1}', '/enabled'],
    ['{"enabled":null}', '/enabled'],
    ['{"enabled":"true"}', '/enabled'],
    ['{"enable":true}', '/enable'],
    ['[]', ''],
    ['{', ''],
  ])('refuses %s with 422 at %j and changes nothing', async (body, pointer) => {
    const mock = await testMock();
    const before = await mock.status();
    const answer = await mock.send<Problem>(path, { method: 'POST', body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.map((fault) => fault.pointer)).toEqual([pointer]);
    expect(await mock.status()).toEqual(before);
  });

  test('returns exactly the specified fields', async () => {
    const mock = await testMock();
    const expected = path === '/_mock/emit' ? { emitting: false, event_count: 47 } : { enabled: true };
    expect(await mock.get(path)).toEqual(expected);
  });
});

describe('a state-changing call', () => {
  const paths = ['/_mock/reset', '/_mock/emit', '/_mock/demo', '/_mock/demo/reset'];

  test.each(paths)('%s from another site is refused with 403 and changes nothing', async (path) => {
    const mock = await testMock();
    await mock.append();
    const before = await mock.status();
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
    ]) {
      const answer = await mock.send<Problem>(path, { method: 'POST', headers });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.body.type).toBe('/problems/forbidden-origin');
    }
    expect(await mock.status()).toEqual(before);
  });

  test.each(paths)('%s from the panel of the mock or from a program other than a browser is accepted', async (path) => {
    const mock = await testMock();
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: mock.url }, { 'X-Nothing': '1' }]) {
      expect((await mock.send(path, { method: 'POST', headers })).status).toBe(200);
    }
  });
});
