import type { Matrix } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('matrix snapshot', (api, { testSharedLog, testUnless }) => {
  const etagOf = async (service: string) => (await api.get('/api/matrix', { service })).headers.etag ?? '';

  test('§2: generated_at is the time of the snapshot', async () => {
    const [first, second] = [await api.matrix(), await api.matrix()];
    expect(first.generated_at).toMatch(/Z$/);
    expect(Date.parse(second.generated_at)).toBeGreaterThanOrEqual(Date.parse(first.generated_at));
  });

  test('reading 4.1: the rows are the services of /api/services, in code point order', async () => {
    const prefix = unique('row');
    const names = ['A', 'Z', 'a', 'ä', '\uff5e', '\u{1f600}'];
    // The services are stored in an order that differs from every list order.
    for (const index of [2, 0, 5, 1, 4, 3]) await api.append({ service: `${prefix}${names[index]}` });
    const { rows } = await api.matrix();
    const own = rows.filter((row) => row.service.startsWith(prefix));
    expect(own.map((row) => row.service.slice(prefix.length))).toEqual(names);
    const { json } = await api.get('/api/services');
    expect(rows.map((row) => row.service)).toEqual((json as { items: string[] }).items);
  });

  testUnless('ingestStatuses')('reading 4.1: a service without a slot has a row', async () => {
    const prefix = unique('row');
    for (const name of ['c', 'b', 'a']) {
      await api.append({ service: `${prefix}${name}`, status: name === 'b' ? 'queued' : 'success' });
    }
    const own = (await api.matrix()).rows.filter((row) => row.service.startsWith(prefix));
    expect(own.map((row) => row.service.slice(prefix.length))).toEqual(['a', 'b', 'c']);
    expect(own[1]?.slots).toEqual({});
    const { json } = await api.get('/api/services');
    expect(json).toMatchObject({ items: expect.arrayContaining([own[1]?.service]) });
  });

  testUnless('environmentOrder', 'ingestStatuses')(
    'reading 4.1: the list has the environments of the returned slots, in code point order',
    async () => {
      const [service, other] = [unique(), unique()];
      const prefix = unique('env');
      const names = ['A', 'Z', 'a', 'ä', '\uff5e', '\u{1f600}'].map((name) => `${prefix}${name}`);
      for (const environment of [...names].reverse()) await api.append({ service, environment });
      await api.append({ service, environment: `${prefix}quiet`, status: 'queued' });
      await api.append({ service: other, environment: `${prefix}other` });
      expect((await api.matrix(service)).environments).toEqual(names);
      expect((await api.matrix(other)).environments).toEqual([`${prefix}other`]);
      const { environments } = await api.matrix();
      expect(environments.filter((name) => name.startsWith(prefix))).toEqual([
        names[0],
        names[1],
        names[2],
        `${prefix}other`,
        ...names.slice(3),
      ]);
    },
  );

  testUnless('ingestStatuses')(
    'reading 4.1: a slot with only non-effective events has the latest event as next, and adds no environment',
    async () => {
      const service = unique();
      const [prod, edge] = [
        { service, environment: 'prod' },
        { service, environment: 'edge' },
      ];
      const dev = { service, environment: 'dev' };
      const read = async () => (await api.matrix(service)).rows[0];
      await api.append({ ...dev, status: 'success' });
      expect(await read()).not.toHaveProperty('upcoming');
      await api.append({ ...prod, status: 'queued', happened_at: minute(1) });
      const waiting = await api.append({ ...prod, status: 'waiting', happened_at: minute(3) });
      await api.append({ ...prod, status: 'cancelled', happened_at: minute(2) });
      await api.append({ ...edge, status: 'pending', happened_at: minute(5) });
      const rejected = await api.append({ ...edge, status: 'rejected', happened_at: minute(5) });
      expect((await read())?.upcoming).toEqual({ edge: rejected, prod: waiting });
      expect((await api.matrix(service)).environments).toEqual(['dev']);
      const etag = await etagOf(service);
      await api.append({ ...edge, status: 'queued', happened_at: minute(9) });
      expect(await etagOf(service)).not.toBe(etag);
      await api.append({ ...edge, status: 'in-progress', happened_at: minute(4) });
      await api.append({ ...prod, status: 'failure', happened_at: minute(0) });
      const settled = await read();
      expect(settled).not.toHaveProperty('upcoming');
      expect(Object.keys(settled?.slots ?? {})).toEqual(['dev', 'edge', 'prod']);
    },
  );

  test('readings 1.3 and 4.5: an empty service parameter returns the complete matrix', async () => {
    const { service } = await api.append();
    const services = async (path: string) =>
      (await api.send({ path })).json as { readonly rows: readonly { readonly service: string }[] };
    expect((await services('/api/matrix?service=')).rows.map((row) => row.service)).toContain(service);
  });

  test('reading 4.5: the matrix of an unknown or malformed service has no rows', async () => {
    for (const service of [unique(), '%00', '%zz', '%ff']) {
      const answer = await api.send({ path: `/api/matrix?service=${service}` });
      expect(answer.status, service).toBe(200);
      expect(answer.json, service).toMatchObject({ environments: [], rows: [] });
    }
  });

  test('reading 1.3: a repeated service parameter is rejected', async () => {
    expectFaults(await api.send({ path: '/api/matrix?service=a&service=a' }), ['/service']);
  });

  test('§4, reading 4.4: the matrix has a weak ETag, and a request with this ETag returns 304 and the same ETag', async () => {
    const { service } = await api.append();
    for (const query of [{}, { service }]) {
      const whole = await api.get('/api/matrix', query);
      const etag = whole.headers.etag ?? '';
      expect(etag).toMatch(/^W\/"[^"]+"$/);
      expect(whole.headers['cache-control']).toBe('no-cache');
      const unchanged = await api.get('/api/matrix', query, { 'If-None-Match': etag });
      expect(unchanged.status).toBe(304);
      expect(unchanged.headers.etag).toBe(etag);
      expect(unchanged.headers['cache-control']).toBe('no-cache');
      expect((await api.get('/api/matrix', query)).headers.etag).toBe(etag);
    }
  });

  test.each<[string, number, (etag: string) => string | string[]]>([
    ['the ETag', 304, (etag) => etag],
    ['its strong form', 304, (etag) => etag.replace('W/', '')],
    ['*', 304, () => '*'],
    ['a list with the ETag first', 304, (etag) => `${etag}, "a"`],
    ['a list with the ETag last', 304, (etag) => `"a", W/"b",${etag}`],
    ['a list with empty elements', 304, (etag) => `, ,${etag},`],
    ['two lines', 304, (etag) => ['"a"', etag]],
    ['the ETag after another tag that contains a comma', 304, (etag) => `"a,b", ${etag}`],
    ['another tag', 200, () => 'W/"other"'],
    ['an empty value', 200, () => ''],
    ['the tag without quotes', 200, (etag) => etag.replace('W/', '').replaceAll('"', '')],
    ['the tag in another case', 200, (etag) => etag.replace(/"(.*)"/, (_, tag: string) => `"${swapCase(tag)}"`)],
    ['a tag that begins with the ETag', 200, (etag) => etag.replace(/"$/, 'x"')],
    ['a list of other ETags', 200, () => '"a", "b", W/"*"'],
    ['an asterisk in quotes', 200, () => '"*"'],
  ])('reading 4.4, RFC 9110: If-None-Match with %s returns %i', async (_, status, value) => {
    const { service } = await api.append();
    const etag = await etagOf(service);
    const answer = await api.get('/api/matrix', { service }, { 'If-None-Match': value(etag) });
    expect(answer.status).toBe(status);
    expect(answer.headers.etag).toBe(etag);
  });

  test('reading 4.4: HEAD returns the ETag and 304', async () => {
    const { service } = await api.append();
    const path = `/api/matrix?service=${service}`;
    const etag = await etagOf(service);
    expect((await api.send({ method: 'HEAD', path })).headers.etag).toBe(etag);
    expect((await api.send({ method: 'HEAD', path, headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  testUnless('ingestStatuses')(
    'reading 4.4: an event that does not change the filtered snapshot does not change its ETag',
    async () => {
      const service = unique();
      const place = { service, environment: 'prod' };
      await api.append({ ...place, status: 'success', happened_at: minute(10) });
      await api.append({ ...place, status: 'failure', happened_at: minute(20) });
      await api.append({ ...place, status: 'queued', happened_at: minute(30) });
      const etag = await etagOf(service);
      await api.append({ environment: 'prod' });
      await api.append({ ...place, status: 'success', happened_at: minute(9) });
      await api.append({ ...place, status: 'failure', happened_at: minute(19) });
      await api.append({ ...place, status: 'in-progress', happened_at: minute(8) });
      await api.append({ ...place, status: 'rejected', happened_at: minute(29) });
      expect(await etagOf(service)).toBe(etag);
      expect((await api.get('/api/matrix', { service }, { 'If-None-Match': etag })).status).toBe(304);
    },
  );

  test('reading 4.4: an event that does not change the complete snapshot does not change its ETag', async () => {
    const service = unique();
    await api.append({ service, happened_at: minute(10) });
    const etag = (await api.get('/api/matrix')).headers.etag ?? '';
    await api.append({ service, happened_at: minute(9) });
    await api.append({ service, status: 'failure', happened_at: minute(9) });
    const answer = await api.get('/api/matrix', {}, { 'If-None-Match': etag });
    expect(answer.status).toBe(304);
    expect(answer.headers.etag).toBe(etag);
  });

  testUnless('ingestStatuses')('reading 4.4: an event that changes the snapshot changes its ETag', async () => {
    const service = unique();
    const seen = new Set([await etagOf(service)]);
    const changes = [
      { status: 'queued', happened_at: minute(1) },
      { status: 'in-progress', happened_at: minute(2) },
      { status: 'failure', happened_at: minute(1) },
      { status: 'success', happened_at: minute(0) },
      { status: 'waiting', happened_at: minute(3) },
      { status: 'waiting', happened_at: minute(3) },
      { status: 'success', happened_at: minute(4), environment: 'prod' },
    ] as const;
    for (const change of changes) {
      const etag = [...seen].at(-1) ?? '';
      await api.append({ service, ...change });
      const answer = await api.get('/api/matrix', { service }, { 'If-None-Match': etag });
      expect(answer.status, JSON.stringify(change)).toBe(200);
      seen.add(answer.headers.etag ?? '');
    }
    expect(seen.size).toBe(changes.length + 1);
  });

  test('reading 4.4: different services and the complete matrix have different ETags', async () => {
    const [a, b] = await api.appendAll([{}, {}]);
    const whole = (await api.get('/api/matrix')).headers.etag;
    const [etagOfA, etagOfB] = [await etagOf(a?.service ?? ''), await etagOf(b?.service ?? '')];
    expect(new Set([etagOfA, etagOfB, whole]).size).toBe(3);
    await etagOf(a?.service ?? '');
    const other = await api.get('/api/matrix', { service: b?.service ?? '' }, { 'If-None-Match': etagOfA });
    expect(other.status).toBe(200);
  });

  testSharedLog('reading 4.4: the ETag is the same on every instance and after a restart', async () => {
    const { service } = await api.append({ version: 'ä😀' });
    await api.append({ service, environment: 'prod', status: 'in-progress', happened_at: minute(60) });
    for (const path of ['/api/matrix', `/api/matrix?service=${service}`]) {
      const { headers } = await api.send({ path });
      for (let start = 0; start < 2; start += 1) {
        const { url, stop } = await api.instance();
        const ifNoneMatch = { 'If-None-Match': headers.etag ?? '' };
        expect((await api.send({ path }, url)).headers.etag).toBe(headers.etag);
        expect((await api.send({ path, headers: ifNoneMatch }, url)).status).toBe(304);
        await stop();
      }
    }
  });

  testSharedLog('§1 rule 7: an event posted to one instance is in the matrix of another at once', async () => {
    const { url } = await api.instance();
    const { service } = await api.append();
    const path = `/api/matrix?service=${service}`;
    const before = await api.send({ path }, url);
    const event = await api.append({ service, happened_at: minute(60) });
    const after = await api.send({ path, headers: { 'If-None-Match': before.headers.etag ?? '' } }, url);
    expect((after.json as Matrix).rows[0]?.slots.staging).toEqual({ current: event });
  });
});

function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}
