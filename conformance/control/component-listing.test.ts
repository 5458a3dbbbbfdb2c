import { expect, test } from 'vitest';
import { type QueryValues, unique } from '../support/api.ts';
import { aReport, Control } from '../support/control.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const path = '/api/control/events';

suite('control: component listing', (api, { testOwnInstance }) => {
  const control = new Control(api);

  /** Stores reports of one component, oldest first. */
  const recordAll = async (component: string, count: number) => {
    const records = [];
    for (let n = 0; n < count; n += 1) records.push(await control.record({}, { 'X-Component-Id': component }));
    return records;
  };

  /** The ids on all pages of a listing. */
  const pages = async (query: QueryValues) => {
    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await control.list({ ...query, ...(cursor === null ? {} : { cursor }) });
      found.push(page.items.map((item) => item.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  };

  test('reading 7.8: records of all components are listed, newest first', async () => {
    const records = [await control.record(), await control.record(), await control.record()];
    const { items } = await control.list();
    expect(items.slice(0, 3)).toEqual(records.reverse());
  });

  test('reading 7.8: records are ordered by arrival, not by occurred_at', async () => {
    const headers = { 'X-Component-Id': unique('component') };
    const years = ['2026', '1999', '2030'];
    for (const year of years) await control.record({ occurred_at: `${year}-01-01T00:00:00Z` }, headers);
    const { items } = await control.list({ component_id: headers['X-Component-Id'] });
    expect(items.map((item) => item.occurred_at.slice(0, 4))).toEqual(years.reverse());
  });

  test.each(['component_id', 'event_type', 'correlation_id'])(
    'reading 7.8: the %s filter matches exactly',
    async (name) => {
      const value = unique('value');
      const record = (text: string) =>
        control.record(name === 'event_type' ? { event_type: text } : {}, {
          ...(name === 'component_id' && { 'X-Component-Id': text }),
          ...(name === 'correlation_id' && { 'X-Correlation-Id': text }),
        });
      const own = [await record(value), await record(value)];
      await record(`${value}x`);
      await record(value.slice(0, -1));
      expect(await control.list({ [name]: value })).toEqual({ items: own.reverse(), next_cursor: null });
      expect((await control.list({ [name]: value.toUpperCase() })).items).toEqual([]);
      expect((await control.list({ [name]: `${value.slice(0, -1)}%` })).items).toEqual([]);
    },
  );

  test('reading 7.8: filters are combined with AND', async () => {
    const [component_id, correlation_id, event_type] = [unique('component'), unique('run'), unique('type')];
    const [sender, run] = [{ 'X-Component-Id': component_id }, { 'X-Correlation-Id': correlation_id }];
    const record = await control.record({ event_type }, { ...sender, ...run });
    await control.record({ event_type }, sender);
    await control.record({ event_type }, run);
    await control.record({}, { ...sender, ...run });
    expect((await control.list({ component_id, correlation_id, event_type })).items).toEqual([record]);
  });

  test('reading 7.8: correlation_id=null matches only the string "null"', async () => {
    const component_id = unique('component');
    await control.record({}, { 'X-Component-Id': component_id });
    expect((await control.list({ component_id, correlation_id: 'null' })).items).toEqual([]);
    const named = await control.record({}, { 'X-Component-Id': component_id, 'X-Correlation-Id': 'null' });
    expect((await control.list({ component_id, correlation_id: 'null' })).items).toEqual([named]);
  });

  test.each(['component_id', 'event_type', 'correlation_id'])(
    'readings 1.3 and 1.6: an empty or invalid %s matches nothing, and a repeated %s is rejected',
    async (name) => {
      await control.record();
      for (const value of ['', '%00', '%zz', '%ff', 'a%00b', '%F0%9F%98%80']) {
        const answer = await control.send({ path: `${path}?${name}=${value}` });
        expect(answer.json, value).toEqual({ items: [], next_cursor: null });
      }
      expectFaults(await control.send({ path: `${path}?${name}=x&${name}=x` }), [`/${name}`]);
    },
  );

  test('reading 7.8: a page has 100 records by default', async () => {
    const component_id = unique('component');
    const headers = { 'X-Component-Id': component_id };
    await Promise.all(Array.from({ length: 101 }, () => control.report(aReport(), headers)));
    expect((await pages({ component_id })).map((page) => page.length)).toEqual([100, 1]);
    expect((await pages({ component_id, limit: 500 })).map((page) => page.length)).toEqual([101]);
  });

  test.each(['0', '501', '-1', '1.5', '1e2', '0x10', '+5', ' 5', 'ten', '', '99999999999999999999'])(
    'readings 1.3 and 7.8: limit=%s is rejected',
    async (limit) => {
      expectFaults(await control.send({ path: `${path}?limit=${encodeURIComponent(limit)}` }), ['/limit']);
    },
  );

  test('readings 3.8 and 7.8: next_cursor is null on the last page, even if that page is full or empty', async () => {
    const component_id = unique('component');
    expect(await control.list({ component_id })).toEqual({ items: [], next_cursor: null });
    await recordAll(component_id, 4);
    expect((await pages({ component_id, limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
    expect((await pages({ component_id, limit: 3 })).map((page) => page.length)).toEqual([3, 1]);
    expect((await pages({ component_id, limit: 4 })).map((page) => page.length)).toEqual([4]);
  });

  test.each([1, 2, 3])('readings 3.8 and 7.8: pages of %i contain every record once, in order', async (limit) => {
    const component_id = unique('component');
    const ids = (await recordAll(component_id, 7)).map((record) => record.id);
    expect((await pages({ component_id, limit })).flat()).toEqual(ids.reverse());
  });

  test('readings 3.8 and 7.8: a cursor is URL-safe, and records that arrive between two requests do not affect the pages', async () => {
    const component_id = unique('component');
    const [first, second] = await recordAll(component_id, 3);
    const cursor = (await control.list({ component_id, limit: 1 })).next_cursor ?? '';
    expect(cursor).toMatch(/^[A-Za-z0-9._~-]+$/);
    await recordAll(component_id, 2);
    expect((await control.list({ component_id, cursor })).items).toEqual([second, first]);
  });

  test('readings 1.3 and 3.8: a malformed, empty or repeated cursor is rejected', async () => {
    const component_id = unique('component');
    await recordAll(component_id, 2);
    const cursor = (await control.list({ component_id, limit: 1 })).next_cursor ?? '';
    for (const broken of [
      '',
      'x',
      '%00',
      '%zz',
      '-1',
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}&cursor=${cursor}`,
    ]) {
      expectFaults(await control.send({ path: `${path}?cursor=${broken}` }), ['/cursor']);
    }
  });

  test('reading 1.2: all errors in a query are reported together', async () => {
    expectFaults(await control.send({ path: `${path}?limit=0&cursor=x&event_type=a&event_type=b` }), [
      '/limit',
      '/event_type',
    ]);
  });

  testOwnInstance(
    '§1 rule 7: every instance lists the records of all instances and accepts their cursors',
    async () => {
      const component_id = unique('component');
      const [first, second] = await recordAll(component_id, 2);
      const { url } = await api.instance();
      const cursor = (await control.list({ component_id, limit: 1 })).next_cursor;
      const whole = await api.send({ path: `${path}?component_id=${component_id}` }, url);
      expect(whole.json).toEqual({ items: [second, first], next_cursor: null });
      const rest = await api.send({ path: `${path}?component_id=${component_id}&cursor=${cursor}` }, url);
      expect(rest.json).toEqual({ items: [first], next_cursor: null });
    },
  );
});
