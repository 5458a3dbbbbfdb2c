import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { allStatuses } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const page = '/api/deployments';

suite('listing', (api) => {
  const ids = async (query: Record<string, string | number>) => (await api.list(query)).items.map((item) => item.id);

  test('§1 rule 3: events are listed newest first by happened_at, however late they arrived', async () => {
    const service = unique();
    for (const offset of [30, 10, 40, 20]) await api.append({ service, happened_at: minute(offset) });
    const { items } = await api.list({ service });
    expect(items.map((item) => Date.parse(item.happened_at))).toEqual(
      [40, 30, 20, 10].map((offset) => Date.parse(minute(offset))),
    );
  });

  test('§4: events with equal times are listed by id, greatest first', async () => {
    const service = unique();
    const stored = await api.appendAll(Array.from({ length: 5 }, () => ({ service, happened_at: minute(1) })));
    expect(await ids({ service })).toEqual(stored.map((event) => event.id).reverse());
  });

  test('§4: the filters are exact and combined with AND', async () => {
    const [service, environment, deployment_id] = [unique(), unique('env'), unique('deployment')];
    const wanted = await api.append({ service, environment, deployment_id, status: 'failure', happened_at: minute(5) });
    await api.appendAll([
      { service: `${service}x`, environment, deployment_id, status: 'failure', happened_at: minute(5) },
      { service, environment: environment.toUpperCase(), deployment_id, status: 'failure', happened_at: minute(5) },
      { service, environment, deployment_id: `${deployment_id} `, status: 'failure', happened_at: minute(5) },
      { service, environment, deployment_id, status: 'success', happened_at: minute(5) },
      { service, environment, deployment_id, status: 'failure', happened_at: minute(4) },
      { service, environment, deployment_id, status: 'failure', happened_at: minute(6) },
    ]);
    const since = minute(5);
    const until = minute(5).replace('.000Z', '.000001Z');
    const all = { service, environment, deployment_id, status: 'failure', since, until };
    expect((await api.list(all)).items).toEqual([wanted]);
    for (const left of Object.keys(all)) {
      const query = Object.fromEntries(Object.entries(all).filter(([name]) => name !== left));
      expect(await ids(query), `without ${left}`).toHaveLength(2);
    }
  });

  test.each(['service', 'environment', 'deployment_id'])(
    '§4: the filter %s works without other filters',
    async (field) => {
      const value = unique('value');
      const event = await api.append({ [field]: value });
      await api.append();
      expect((await api.list({ [field]: value })).items).toEqual([event]);
      expect((await api.list({ [field]: value.toUpperCase() })).items).toEqual([]);
    },
  );

  test.each(allStatuses)('§4: status=%s returns only events with that status', async (status) => {
    const service = unique();
    await api.appendAll(api.statuses.map((each) => ({ service, status: each })));
    const { items } = await api.list({ service, status });
    expect(items.map((item) => item.status)).toEqual(api.statuses.filter((each) => each === status));
  });

  test('§4: since is inclusive, until is exclusive, and together they select any range', async () => {
    const service = unique();
    const [a, b, c] = (await api.appendAll([1, 2, 3].map((n) => ({ service, happened_at: minute(n) })))).map(
      (e) => e.id,
    );
    expect(await ids({ service, since: minute(2) })).toEqual([c, b]);
    expect(await ids({ service, until: minute(2) })).toEqual([a]);
    expect(await ids({ service, since: minute(1), until: minute(3) })).toEqual([b, a]);
    expect(await ids({ service, since: minute(2), until: minute(2) })).toEqual([]);
    expect(await ids({ service, since: minute(3), until: minute(1) })).toEqual([]);
    expect(await ids({ service, since: '0001-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).toEqual([c, b, a]);
  });

  test.each(['service', 'environment', 'deployment_id'])('reading 1.3: an empty %s counts as absent', async (field) => {
    const own = await api.append();
    const others = { service: own.service, environment: own.environment, deployment_id: own.deployment_id };
    expect((await api.list({ ...others, [field]: '' })).items).toEqual([own]);
    expect((await api.list({ service: '', environment: '', deployment_id: '', limit: '1' })).items).toHaveLength(1);
  });

  test.each(['status', 'since', 'until', 'cursor', 'limit'])('reading 1.3: an empty %s is refused', async (name) => {
    expectFaults(await api.get(page, { [name]: '' }), [`/${name}`]);
  });

  test.each(['service', 'environment', 'deployment_id'])(
    'reading 1.6: NUL or invalid percent-encoding in %s matches nothing',
    async (field) => {
      const value = unique('value');
      await api.append({ [field]: value });
      for (const broken of [
        '%00',
        `${value}%00`,
        '%',
        '%z',
        '%zz',
        `${value}%`,
        '%ff',
        '%c3%28',
        '%ed%a0%80',
        '%e2%82',
      ]) {
        const answer = await api.send({ path: `${page}?${field}=${broken}` });
        expect(answer.json, broken).toEqual({ items: [], next_cursor: null });
      }
    },
  );

  test.each(['status', 'since', 'until', 'cursor', 'limit'])(
    'readings 1.3 and 1.6: NUL or invalid percent-encoding in %s is rejected',
    async (name) => {
      for (const broken of ['%00', '%zz', '%ff', '5%00']) {
        expectFaults(await api.send({ path: `${page}?${name}=${broken}` }), [`/${name}`]);
      }
    },
  );

  test.each([' & ', 'ä😀', 'a+b', '50%', '"\\', 'a/b?c#d', '__proto__', "' or 1=1 --"])(
    '§4: a percent-encoded filter matches the value %j',
    async (text) => {
      const service = `${unique()}${text}`;
      const event = await api.append({ service });
      expect((await api.list({ service })).items).toEqual([event]);
    },
  );

  test('§4: a filter longer than any stored value matches nothing', async () => {
    for (const field of ['service', 'environment', 'deployment_id']) {
      expect(await api.list({ [field]: 'x'.repeat(8000) })).toEqual({ items: [], next_cursor: null });
    }
  });

  test.each(['success', 'in-progress'])('reading 1.3: the status filter matches exactly: %s', async (status) => {
    expect((await api.get(page, { status })).status).toBe(200);
    for (const wrong of [status.toUpperCase(), ` ${status}`, `${status},failure`, 'unknown', '5']) {
      expectFaults(await api.get(page, { status: wrong }), ['/status']);
    }
  });

  test.each(['service', 'environment', 'status', 'deployment_id', 'since', 'until', 'cursor', 'limit'])(
    'reading 1.3: a repeated %s is rejected, even if the values are equal',
    async (name) => {
      const value = { status: 'success', since: minute(1), until: minute(1), limit: '5' }[name] ?? 'x';
      expectFaults(await api.send({ path: `${page}?${name}=${value}&${name}=${value}` }), [`/${name}`]);
      expectFaults(await api.send({ path: `${page}?${name}=${value}&x=1&${name}=` }), [`/${name}`]);
    },
  );

  test.each([
    '0',
    '501',
    '-1',
    '-5',
    '+5',
    '%2B5',
    '%205',
    '5%20',
    '1e2',
    '0x10',
    '0b1',
    '5.0',
    '5.',
    '.5',
    '5,0',
    '1_0',
    'five',
    'NaN',
    'Infinity',
    'null',
    'true',
    '[5]',
    '%D9%A5',
    '%EF%BC%95',
    '99999999999999999999',
    '1'.repeat(400),
  ])('readings 1.2 and 1.3: limit=%s is rejected', async (limit) => {
    expectFaults(await api.send({ path: `${page}?limit=${limit}` }), ['/limit']);
  });

  test('§4: limit is from 1 to 500, in decimal digits', async () => {
    const service = unique();
    await api.appendAll([{ service }, { service }, { service }]);
    for (const [limit, count] of [
      ['1', 1],
      ['2', 2],
      ['002', 2],
      ['500', 3],
    ] as const) {
      expect(await ids({ service, limit }), limit).toHaveLength(count);
    }
  });

  test('§4: a page has 100 events by default and at most 500', async () => {
    const service = unique();
    await Promise.all(Array.from({ length: 501 }, () => api.append({ service })));
    expect(await ids({ service })).toHaveLength(100);
    const largest = await api.list({ service, limit: 500 });
    expect(largest.items).toHaveLength(500);
    expect(largest.next_cursor).not.toBeNull();
  });

  test('reading 1.2: every invalid query value is reported with its own pointer', async () => {
    for (const [name, value] of [
      ['limit', 'x'],
      ['status', 'x'],
      ['since', 'x'],
      ['until', 'x'],
      ['cursor', 'x'],
    ] as const) {
      expectFaults(await api.get(page, { service: 'x', [name]: value }), [`/${name}`]);
    }
  });
});
