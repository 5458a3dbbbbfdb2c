import type { ReleasePage } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, type QueryValues, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('questions: releases', (api) => {
  const list = async (query: QueryValues) => bodyOf<ReleasePage>(await api.get('/api/releases', query));
  const found = async (query: QueryValues) => (await list(query)).items.map(({ version, sha }) => version ?? sha);

  test('§9.1: releases are listed newest first by the happened_at of their latest row, not by arrival', async () => {
    const service = unique();
    await api.append({ service, version: '2', happened_at: minute(5) });
    await api.append({ service, version: '3', happened_at: minute(3) });
    await api.append({ service, version: '1', happened_at: minute(1) });
    await api.append({ service, version: '3', happened_at: minute(2) });
    expect(await found({ service })).toEqual(['2', '3', '1']);
    await api.append({ service, version: '1', status: 'queued', happened_at: minute(6) });
    expect(await found({ service })).toEqual(['1', '2', '3']);
  });

  test('§12.9: if rows have equal times, the row with the greater id is newer', async () => {
    const service = unique();
    for (const version of ['a', 'b', 'c']) await api.append({ service, version, happened_at: minute(1) });
    expect(await found({ service })).toEqual(['c', 'b', 'a']);
  });

  test("§9: a release is a version, or a sha if its rows have no version; rows with neither don't belong to a release", async () => {
    const service = unique();
    await api.append({ service, happened_at: minute(1) });
    await api.append({ service, version: '', sha: '', happened_at: minute(2) });
    await api.append({ service, version: '', sha: 'abcd1', happened_at: minute(3) });
    await api.append({ service, sha: 'abcd1', happened_at: minute(4) });
    await api.append({ service, version: 'abcd1', sha: 'ffff', happened_at: minute(5) });
    const { items } = await list({ service });
    expect(items.map(({ version, sha }) => [version, sha])).toEqual([
      ['abcd1', 'ffff'],
      [null, 'abcd1'],
    ]);
  });

  test('§9.2, §12.9: sha, ref and actor come from the newest row that has them, and times come from all rows of the release', async () => {
    const service = unique();
    const release = { service, version: '1' };
    await api.append({ ...release, ref: 'main', actor: 'alice', sha: 'aaaa', happened_at: minute(1) });
    await api.append({ ...release, ref: '', actor: 'bob', happened_at: minute(3) });
    await api.append({ ...release, sha: 'bbbb', actor: 'carol', happened_at: minute(2), status: 'pending' });
    const times = { first_at: minute(1), last_at: minute(3) };
    expect((await list({ service })).items).toMatchObject([
      { service, version: '1', sha: 'bbbb', ref: 'main', actor: 'bob', ...times },
    ]);
    const bare = unique();
    await api.append({ service: bare, version: '1', status: 'waiting' });
    expect((await list({ service: bare })).items).toMatchObject([
      { sha: null, ref: null, actor: null, runs_in: [], places: {} },
    ]);
  });

  test("§9.2: each environment has the release's latest effective event and, if the release is the last success, since when it runs", async () => {
    const service = unique();
    const at = (environment: string, version: string, n: number) => ({
      service,
      environment,
      version,
      happened_at: minute(n),
    });
    await api.append(at('prod', '1', 1));
    await api.append(at('prod', '1', 2));
    const failed = await api.append({ ...at('prod', '1', 4), status: 'failure' });
    await api.append({ ...at('prod', '1', 5), status: 'cancelled' });
    await api.append(at('dev', '1', 1));
    await api.append(at('dev', '2', 3));
    const [older, newer] = (await list({ service })).items;
    expect(older).toMatchObject({
      runs_in: ['prod'],
      places: { prod: { event: { id: failed.id }, since: minute(1) }, dev: { since: null } },
    });
    expect(newer).toMatchObject({ runs_in: ['dev'], places: { dev: { since: minute(3) } } });
    expect(Object.keys(newer?.places ?? {})).toEqual(['dev']);
  });

  test('§12.9, §12.12: since is the first success of the last run, and a success of another release or of no release interrupts a run', async () => {
    for (const between of [{ version: '2' }, {}]) {
      const service = unique();
      await api.append({ service, environment: 'prod', version: '1', happened_at: minute(1) });
      await api.append({ service, environment: 'prod', ...between, happened_at: minute(2) });
      await api.append({ service, environment: 'prod', version: '1', happened_at: minute(3) });
      await api.append({ service, environment: 'prod', version: '2', status: 'failure', happened_at: minute(4) });
      await api.append({ service, environment: 'prod', version: '1', happened_at: minute(5) });
      const one = (await list({ service })).items.find(({ version }) => version === '1');
      expect(one?.places.prod?.since).toBe(minute(3));
    }
  });

  test('§9.1, §12.9: q matches part of a version, ignoring ASCII case; % and _ are literal', async () => {
    const service = unique();
    for (const version of ['RC_1%', 'rcx1', 'v1.é', 'v1.É']) await api.append({ service, version });
    expect(await found({ service, q: 'rc' })).toEqual(['rcx1', 'RC_1%']);
    expect(await found({ service, q: 'C_1' })).toEqual(['RC_1%']);
    expect(await found({ service, q: '1%' })).toEqual(['RC_1%']);
    expect(await found({ service, q: '.é' })).toEqual(['v1.é']);
    expect(await found({ service, q: '\\\\' })).toEqual([]);
  });

  test('§9.1, §12.9: q of four or more hex digits matches the start of any row’s sha, ignoring case', async () => {
    const service = unique();
    await api.append({ service, version: '1', sha: 'ABcd1234', happened_at: minute(1) });
    await api.append({ service, version: '1', sha: 'ffff0000', happened_at: minute(2) });
    await api.append({ service, sha: 'abCD9', happened_at: minute(3) });
    expect(await found({ service, q: 'abcd' })).toEqual(['abCD9', '1']);
    expect(await found({ service, q: 'ABCD12' })).toEqual(['1']);
    expect(await found({ service, q: 'ffff' })).toEqual(['1']);
    expect(await found({ service, q: 'abc' })).toEqual([]);
    expect(await found({ service, q: 'cd12' })).toEqual([]);
    expect(await found({ service, q: 'xyzw' })).toEqual([]);
  });

  test('§1.3: pages are contiguous even while rows arrive, and the last page has no cursor', async () => {
    const service = unique();
    for (let n = 1; n <= 7; n += 1) await api.append({ service, version: `${n}`, happened_at: minute(n) });
    const seen: (string | null)[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: ReleasePage = await list({ service, limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.items.map(({ version }) => version));
      cursor = page.next_cursor;
      await api.append({ service, version: `later-${seen.length}`, happened_at: minute(20 + seen.length) });
      await api.append({ service, version: '7', happened_at: minute(30) });
    }
    expect(seen).toEqual(['7', '6', '5', '4', '3', '2', '1']);
  });

  test('§9: a version built from many shas is one release, even across pages', async () => {
    const service = unique();
    await api.append({ service, version: '1', happened_at: minute(0) });
    for (let n = 1; n <= 12; n += 1) {
      await api.append({ service, version: 'latest', sha: `abcd${n}`, happened_at: minute(n) });
    }
    const first = await list({ service, limit: 1 });
    expect(first.items).toMatchObject([{ version: 'latest', sha: 'abcd12', first_at: minute(1) }]);
    const second = await list({ service, limit: 1, cursor: first.next_cursor ?? '' });
    expect(second.items.map(({ version }) => version)).toEqual(['1']);
    expect(second.next_cursor).toBeNull();
    expect(await found({ service, q: 'abcd1' })).toEqual(['latest']);
  });

  test('§1.1: the ETag is weak, and a request with it returns 304 until the response changes', async () => {
    const service = unique();
    await api.append({ service, version: '1' });
    const { headers } = await api.get('/api/releases', { service });
    expect(headers.etag).toMatch(/^W\//);
    const again = () => api.get('/api/releases', { service }, { 'If-None-Match': headers.etag ?? '' });
    expect((await again()).status).toBe(304);
    await api.append({ service: unique(), version: '1' });
    expect((await again()).status).toBe(304);
    await api.append({ service, version: '1' });
    expect((await again()).status).toBe(200);
  });

  test.each([
    ['q=', '/q'],
    ['q=a', '/q'],
    [`q=${'x'.repeat(129)}`, '/q'],
    ['q=ab&q=cd', '/q'],
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['cursor=', '/cursor'],
    ['cursor=nonsense', '/cursor'],
    ['service=a&service=b', '/service'],
  ])('§1.1, §12.9: %s is rejected with its pointer', async (query, pointer) => {
    expectFaults(await api.send({ path: `/api/releases?${query}` }), [pointer]);
  });

  test('§9.1: the length of q counts code points, NUL and invalid percent-encoding match nothing, and an empty service is ignored', async () => {
    const service = unique();
    await api.append({ service, version: '1' });
    expect(await found({ service, q: '\u{1f6a2}'.repeat(128) })).toEqual([]);
    for (const query of ['q=1%00', 'q=%ff%ff', 'q=%zz', 'service=%00']) {
      expect((await api.send({ path: `/api/releases?${query}` })).json).toEqual({ items: [], next_cursor: null });
    }
    expect((await list({ service: '', limit: 1 })).items).toHaveLength(1);
  });
});
