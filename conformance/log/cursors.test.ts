import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { type Api, bodyOf, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

/** Reads all pages of a listing. */
async function pages(api: Api, query: Record<string, string | number>): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await api.list({ ...query, ...(cursor === null ? {} : { cursor }) });
    found.push(page.items.map((item) => item.id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

async function cursorOf(api: Api, query: Record<string, string | number>): Promise<string> {
  const { next_cursor } = await api.list(query);
  if (next_cursor === null) throw new Error('this was the final page');
  return next_cursor;
}

suite('cursors', (api, { testOwnInstance, testSharedLog, testUnless }) => {
  test('reading 3.8: next_cursor is null on the last page, even if that page is full or empty', async () => {
    const service = unique();
    expect(await api.list({ service })).toEqual({ items: [], next_cursor: null });
    await api.appendAll([{ service }, { service }, { service }, { service }]);
    expect((await pages(api, { service, limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
    expect((await pages(api, { service, limit: 3 })).map((page) => page.length)).toEqual([3, 1]);
    expect((await pages(api, { service, limit: 4 })).map((page) => page.length)).toEqual([4]);
    expect((await pages(api, { service })).map((page) => page.length)).toEqual([4]);
  });

  testUnless('listCursor')('reading 3.8: a cursor is URL-safe', async () => {
    const service = unique();
    await api.appendAll([{ service }, { service }]);
    expect(await cursorOf(api, { service, limit: 1 })).toMatch(/^[A-Za-z0-9._~-]+$/);
  });

  test.each([1, 2, 3, 7])('reading 3.8: pages of %i contain every event once, in list order', async (limit) => {
    const service = unique();
    // The events have equal times, times one microsecond apart, and times that are equal after truncation.
    for (const fraction of ['', '.000001', '.000001', '.0000019', '.000002', '', '.001', '.000999', '', '.0000009']) {
      await api.append({ service, happened_at: `2026-05-04T09:00:00${fraction}Z` });
    }
    const whole = (await api.list({ service })).items.map((item) => item.id);
    expect(new Set(whole).size).toBe(10);
    expect((await pages(api, { service, limit })).flat()).toEqual(whole);
  });

  test.each(['service', 'environment', 'deployment_id', 'status', 'since'])(
    'reading 3.8: pages filtered by %s contain every matching event',
    async (field) => {
      const service = unique();
      const value = { status: 'failure', since: minute(3) }[field] ?? unique('value');
      const rows = Array.from({ length: 7 }, (_, n) => ({ service, happened_at: minute(n % 4) }));
      const filter: Record<string, string> = field === 'service' ? { service: value } : { service, [field]: value };
      await api.appendAll(rows.map((row) => (field === 'since' ? row : { ...row, ...filter })));
      const whole = (await api.list(filter)).items.map((item) => item.id);
      expect(whole.length).toBeGreaterThan(0);
      expect((await pages(api, { ...filter, limit: 1 })).flat()).toEqual(whole);
    },
  );

  test('readings 1.7 and 3.8: pages contain events from the last valid year to the first', async () => {
    const service = unique();
    const instants = [
      '9999-12-31T23:59:59.999999Z',
      '9999-12-31T23:59:59Z',
      '1970-01-01T00:00:00Z',
      '0001-01-01T00:00:00.000001Z',
      '0001-01-01T00:00:00Z',
    ];
    const stored = await api.appendAll(instants.map((happened_at) => ({ service, happened_at })));
    expect((await pages(api, { service, limit: 1 })).flat()).toEqual(stored.map((event) => event.id));
  });

  testUnless('listCursor')(
    'reading 3.8: events that arrive between two page requests do not cause repeated or missing events',
    async () => {
      const service = unique();
      const [a, b, c] = await api.appendAll([1, 3, 5].map((n) => ({ service, happened_at: minute(n) })));
      const first = await api.list({ service, limit: 1 });
      expect(first.items).toEqual([c]);
      const newer = await api.append({ service, happened_at: minute(9) });
      const older = await api.append({ service, happened_at: minute(2) });
      const rest = await api.list({ service, cursor: first.next_cursor ?? '' });
      expect(rest.items).toEqual([b, older, a]);
      expect((await api.list({ service })).items).toContainEqual(newer);
    },
  );

  testUnless('listCursor')('reading 3.8: a cursor is a position in time and is valid with any filter', async () => {
    const [service, other] = [unique(), unique()];
    await api.appendAll([1, 3, 5].map((n) => ({ service, happened_at: minute(n) })));
    const [older, , newer] = await api.appendAll([2, 3, 4].map((n) => ({ service: other, happened_at: minute(n) })));
    const cursor = await cursorOf(api, { service, limit: 2 });
    expect((await api.list({ service: other, cursor })).items).toEqual([older]);
    expect((await api.list({ service: other })).items).toContainEqual(newer);
  });

  testUnless('listCursor')('reading 3.8: limit and filters may change from page to page', async () => {
    const service = unique();
    const stored = await api.appendAll([1, 2, 3, 4, 5].map((n) => ({ service, happened_at: minute(n) })));
    const cursor = await cursorOf(api, { service, limit: 1 });
    const rest = await api.list({ service, cursor, limit: 500, since: minute(2) });
    expect(rest.items).toEqual([stored[3], stored[2], stored[1]]);
  });

  testOwnInstance('reading 3.8: the cursor of a removed row remains valid', async () => {
    const service = unique();
    const rows = [1, 2, 3].map((n) => ({ service, happened_at: minute(n) }));
    await api.appendAll(rows);
    // Another log has events with the same times, but never had the row that this cursor refers to.
    const { url } = await api.instance({ ownLog: true });
    for (const row of rows) await api.append(row, {}, url);
    const cursor = await cursorOf(api, { service, limit: 1 });
    const answer = await api.send({ path: `/api/deployments?service=${service}&cursor=${cursor}` }, url);
    const { items } = bodyOf<{ items: { happened_at: string }[] }>(answer);
    expect(items.map((item) => item.happened_at)).toEqual([minute(2), minute(1)]);
  });

  testSharedLog('reading 3.8: every instance accepts the cursors of every other', async () => {
    const service = unique();
    const [first] = await api.appendAll([1, 2].map((n) => ({ service, happened_at: minute(n) })));
    const { url } = await api.instance();
    const cursor = await cursorOf(api, { service, limit: 1 });
    const answer = await api.send({ path: `/api/deployments?service=${service}&cursor=${cursor}` }, url);
    expect(answer.json).toEqual({ items: [first], next_cursor: null });
  });

  const base64 = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    'x',
    '0',
    'null',
    '%20',
    '%F0%9F%98%80',
    '-1',
    '-'.repeat(2000),
    base64('{}'),
    base64('null'),
    base64('-1'),
    base64('1.5'),
    base64('2026-05-04T09:00:00.000000Z'),
    base64('2026-05-04T09:00:00.000000Z/'),
    base64('2026-05-04T09:00:00.000000Z/no-uuid'),
    base64("2026-05-04T09:00:00.000000Z/' or 1=1 --"),
    base64('\u0000'),
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
  ])('reading 3.8: cursor=%s is rejected as malformed', async (cursor) => {
    expectFaults(await api.send({ path: `/api/deployments?cursor=${cursor}` }), ['/cursor']);
  });

  test('reading 3.8: a shortened, lengthened or altered cursor is rejected as malformed', async () => {
    const service = unique();
    await api.appendAll([{ service }, { service }]);
    const cursor = await cursorOf(api, { service, limit: 1 });
    const altered = [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}!`,
      ` ${cursor}`,
      cursor.toUpperCase(),
    ];
    for (const broken of altered.filter((text) => text !== cursor)) {
      expectFaults(await api.get('/api/deployments', { service, cursor: broken }), ['/cursor']);
    }
    expect((await api.get('/api/deployments', { service, cursor })).status).toBe(200);
  });
});
