import type { Answer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { freshEvent, unique } from '../support/api.ts';
import { expectRefusal, type RefusalKind, refusalStatuses } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

/** Reading 8.4: every kind of problem of the service and its companions. */
const kinds = [
  'validation',
  'unauthorized',
  'not-found',
  'method-not-allowed',
  'payload-too-large',
  'too-many-requests',
  'reset-in-progress',
  'unavailable',
  'internal',
  'forbidden',
  'hold-over',
  'forbidden-origin',
  'upstream',
];

suite('problems', (api, { testOwnInstance }) => {
  const post = (path: string, body: string | Buffer = '{') =>
    api.send({ method: 'POST', path, headers: { 'X-Api-Key': api.keys.api }, body });

  const refusals: Record<
    Exclude<RefusalKind, 'forbidden' | 'reset-in-progress' | 'unavailable'>,
    () => Promise<Answer>
  > = {
    validation: () => post('/api/deployments'),
    unauthorized: () => api.send({ method: 'POST', path: '/api/deployments', body: '{}' }),
    'not-found': () => api.get('/api/deployments/no-uuid'),
    'method-not-allowed': () => api.send({ method: 'PUT', path: '/api/matrix' }),
    'payload-too-large': () => post('/api/deployments', Buffer.alloc(256 * 1024 + 1, ' ')),
  };

  const entries = Object.entries(refusals) as [keyof typeof refusals, () => Promise<Answer>][];
  test.each(entries)('§2 Problem, §7: a %s error has the members of a problem', async (kind, refuse) => {
    const answer = await refuse();
    const problem = expectRefusal(answer, kind);
    const members = ['type', 'title', 'status', 'detail', 'instance', ...(kind === 'validation' ? ['errors'] : [])];
    expect(Object.keys(problem).sort()).toEqual(members.sort());
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problem.status).toBe(refusalStatuses[kind]);
  });

  test.each(entries)(
    'reading 8.4: the type of a %s error is the URL of a page that explains it',
    async (kind, refuse) => {
      const { type, title } = expectRefusal(await refuse(), kind);
      const page = await api.send({ path: new URL(type, 'http://x').pathname });
      expect(page.status).toBe(200);
      expect(page.headers['content-type']).toMatch(/^text\/html; charset=utf-8$/i);
      expect(page.text).toContain(`<h1>${title}</h1>`);
    },
  );

  test.each(kinds)('reading 8.4: the kind %s has a page and an entry in the OpenAPI document', async (kind) => {
    const { type } = expectRefusal(await api.get('/api/nope'), 'not-found');
    const page = await api.send({ path: new URL(type, 'http://x').pathname.replace(/not-found$/, kind) });
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<code>${type.replace(/not-found$/, kind)}</code>`);
    const entry = api.document['x-problems']?.find((problem) => problem.type.endsWith(`/${kind}`));
    expect(entry?.type).toBe(type.replace(/not-found$/, kind));
  });

  test('§7: a kind has the same type and title everywhere', async () => {
    const [body, query] = [await post('/api/deployments'), await api.get('/api/deployments', { limit: 0 })];
    const [first, second] = [expectRefusal(body, 'validation'), expectRefusal(query, 'validation')];
    expect([second.type, second.title]).toEqual([first.type, first.title]);
  });

  test.each([
    '/api/deployments/no-uuid',
    '/api/deployments/no-uuid?x=1&y=/a?b',
    '/api/deployments/%C3%A4%20b',
    '/api/deployments/%c3%a4%20b',
    '/api/deployments/a%2Fb%3Fc',
    '/api/deployments/%zz',
    '/api/deployments/%',
    '/api/control/%65vents/x',
    '/api/nope',
    '/api/%6eope/?',
    '/api/matrix/?service=x',
    '//nope//',
    '/a/./b/../c',
    "/!$&'()*+,;=:@~",
    '/%00',
    '/nope%',
  ])('reading 8.4: the instance for %s is the path as sent', async (path) => {
    const { instance } = expectRefusal(await api.send({ path }), 'not-found');
    expect(instance).toBe(path.replace(/\?.*$/, ''));
  });

  test('reading 8.4: the instance of other errors is also the path without the query', async () => {
    const { instance } = expectRefusal(await api.get('/api/deployments', { limit: 0, service: 'a/b' }), 'validation');
    expect(instance).toBe('/api/deployments');
    const adapter = await api.send({ path: '/api/fetcher/state/%C3%A4?x', headers: { 'X-Api-Key': api.keys.api } });
    expect(expectRefusal(adapter, 'validation').instance).toBe('/api/fetcher/state/%C3%A4');
    const wrongMethod = await api.send({ method: 'PUT', path: '/api/deployments/%C3%A4?x' });
    expect(expectRefusal(wrongMethod, 'method-not-allowed').instance).toBe('/api/deployments/%C3%A4');
  });

  test('§2 Problem: values from the request are plain text, and pointers are exact', async () => {
    const name = `<script>"'&\n\u2028😀`;
    const { errors = [] } = expectRefusal(await api.ingest({ ...freshEvent(), [name]: 1 }), 'validation');
    expect(errors.map((fault) => fault.pointer)).toEqual([`/${name}`]);
  });

  test('§7 rule 1: ingest never returns 409, even for existing rows', async () => {
    const event = freshEvent();
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await api.ingest(event)).status));
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
  });

  testOwnInstance.each(['/errors', '/a/b.c', 'https://docs.example.com/shiplog/problems'])(
    'reading 8.4: with PROBLEM_BASE %s, problem types begin with it and their pages exist',
    async (problemBase) => {
      const { url } = await api.instance({ config: { problemBase } });
      const { type } = expectRefusal(await api.send({ path: '/api/deployments?limit=0' }, url), 'validation');
      expect(type).toBe(`${problemBase}/validation`);
      const page = await api.send({ path: new URL(type, url).pathname }, url);
      expect(page.status).toBe(200);
      const document = (await api.send({ path: '/openapi.json' }, url)).json as typeof api.document;
      expect(document['x-problems']?.map((problem) => problem.type).sort()).toEqual(
        kinds.map((kind) => `${problemBase}/${kind}`).sort(),
      );
    },
  );

  test('§5 rule 3: a response never contains a key from the request', async () => {
    const key = unique('guess');
    const answer = await api.ingest(freshEvent(), { 'X-Api-Key': key });
    expectRefusal(answer, 'unauthorized');
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(key);
  });
});
