import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { Control } from '../support/control.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { bodyBytesMax, keyHeaders, storedBytesMax } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

const adapterMax = 64;

suite('fetcher state', (api, { testSharedLog }) => {
  const control = new Control(api);

  test('§4, reading 8.1: storing a cursor returns 204, and reading it returns the cursor, its adapter and its time', async () => {
    const adapter = unique('adapter');
    const stored = await control.putCursor(adapter, { cursor: 'page 7' });
    expect(stored.status).toBe(204);
    expect(await control.cursor(adapter)).toEqual({
      adapter,
      cursor: 'page 7',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    });
  });

  test('§4: an adapter without a stored cursor returns 404', async () => {
    expectRefusal(await control.getCursor(unique('adapter')), 'not-found');
  });

  test('§4: the latest write wins, and updated_at is the time of this write', async () => {
    const adapter = unique('adapter');
    const states = [];
    for (const cursor of ['a', 'b', 'a', '']) {
      await control.putCursor(adapter, { cursor });
      states.push(await control.cursor(adapter));
    }
    expect(states.map((state) => state.cursor)).toEqual(['a', 'b', 'a', '']);
    const times = states.map((state) => Date.parse(state.updated_at));
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect((times[3] ?? 0) > (times[0] ?? 0)).toBe(true);
  });

  test('§4: after concurrent writes, the stored cursor is exactly the cursor of one write', async () => {
    const adapter = unique('adapter');
    const cursors = Array.from({ length: 30 }, (_, n) => `${n}-`.repeat(n + 1));
    const answers = await Promise.all(cursors.map((cursor) => control.putCursor(adapter, { cursor })));
    expect(answers.map((answer) => answer.status)).toEqual(cursors.map(() => 204));
    expect(cursors).toContain((await control.cursor(adapter)).cursor);
  });

  test('§4: each adapter has its own cursor', async () => {
    const [one, other] = [unique('adapter'), unique('adapter')];
    await control.putCursor(one, { cursor: '1' });
    await control.putCursor(other, { cursor: '2' });
    expect((await control.cursor(one)).cursor).toBe('1');
    expect((await control.cursor(other)).cursor).toBe('2');
  });

  test.each([
    '',
    ' ',
    'null',
    '0',
    '{"page":7}',
    '{"page":',
    '{"n":9007199254740993,"n":1.0}',
    'a\nb\r\n\tc\u2028\u0085\u007f\ufeff',
    'grüße-😀-e\u0301',
    '\\u0000',
    "'; drop table x --",
  ])('§4, reading 8.1: the cursor %j is opaque and returned unchanged', async (cursor) => {
    const adapter = unique('adapter');
    expect((await control.putCursor(adapter, { cursor })).status).toBe(204);
    expect((await control.cursor(adapter)).cursor).toBe(cursor);
  });

  test.each([
    ['ASCII', 'x'],
    ['two-byte characters', 'é'],
    ['four-byte characters', '😀'],
  ])('§8, readings 1.6 and 8.1: a cursor of %s has at most 8192 UTF-8 bytes', async (_, filler) => {
    const adapter = unique('adapter');
    const fits = filler.repeat(storedBytesMax / Buffer.byteLength(filler));
    expect((await control.putCursor(adapter, { cursor: fits })).status).toBe(204);
    expectRefusal(await control.putCursor(adapter, { cursor: `${fits}x` }), 'payload-too-large');
    expect((await control.cursor(adapter)).cursor).toBe(fits);
  });

  test('§8: the limit applies to the bytes of the decoded cursor, not to its JSON escapes', async () => {
    const adapter = unique('adapter');
    const escaped = '\\ud83d\\ude00'.repeat(storedBytesMax / 4);
    expect((await control.putCursor(adapter, `{"cursor":"${escaped}"}`)).status).toBe(204);
    expect((await control.cursor(adapter)).cursor).toBe('😀'.repeat(storedBytesMax / 4));
  });

  test('reading 1.4: the 256 KiB limit is checked first, then validation (422), then the 8 KiB limit', async () => {
    const cursor = 'x'.repeat(storedBytesMax + 1);
    expectFaults(await control.putCursor('a', { cursor, colour: 1 }), ['/colour']);
    expectFaults(await control.putCursor('A', { cursor }), ['/adapter']);
    expectRefusal(await control.putCursor('A', { colour: 'x'.repeat(bodyBytesMax) }), 'payload-too-large');
  });

  test.each([
    ['a number', 7],
    ['a boolean', true],
    ['null', null],
    ['an object', { page: 7 }],
    ['an array', ['x']],
    ['NUL', 'a\u0000b'],
    ['a lone surrogate', '\ud800'],
  ])('readings 1.2 and 1.6: %s is rejected as a cursor', async (_, cursor) => {
    const adapter = unique('adapter');
    expectFaults(await control.putCursor(adapter, { cursor }), ['/cursor']);
    expectRefusal(await control.getCursor(adapter), 'not-found');
  });

  test('§2, reading 1.2: an unknown field in the body is rejected', async () => {
    const state = { cursor: 'x', adapter: 'a', updated_at: '2026-05-04T09:12:02Z' };
    expectFaults(await control.putCursor('a', state), ['/adapter', '/updated_at']);
  });

  test('reading 1.1: the last of several duplicate members counts', async () => {
    const adapter = unique('adapter');
    expect((await control.putCursor(adapter, '{"cursor":7,"cursor":"last"}')).status).toBe(204);
    expect((await control.cursor(adapter)).cursor).toBe('last');
    expectFaults(await control.putCursor(adapter, '{"cursor":"first","cursor":7}'), ['/cursor']);
  });

  test.each(['a', '0', 'github-actions', '0-', 'a--b', 'x'.repeat(adapterMax)])(
    '§4: the adapter name %s is accepted',
    async (adapter) => {
      expect((await control.putCursor(adapter, { cursor: adapter })).status).toBe(204);
      expect(await control.cursor(adapter)).toMatchObject({ adapter, cursor: adapter });
    },
  );

  test.each([
    'A',
    'aB',
    '-a',
    '_a',
    'a_b',
    'a.b',
    'a%20b',
    '%20a',
    'a%0A',
    'a%2Fb',
    '%00',
    'a%00',
    '%zz',
    'a%',
    '%ff',
    '%C3%A4',
    '*',
    "'",
    'x'.repeat(adapterMax + 1),
    'x'.repeat(5000),
  ])('§4, readings 1.6 and 8.1: the adapter name %s is rejected with the pointer /adapter', async (adapter) => {
    expectFaults(await control.getCursor(adapter), ['/adapter']);
    expectFaults(await control.putCursor(adapter, { cursor: 'x' }), ['/adapter']);
  });

  test('§4: a percent-encoded adapter name is decoded', async () => {
    const adapter = unique('adapter');
    expect((await control.putCursor(adapter.replace('adapter', '%61dapter'), { cursor: 'x' })).status).toBe(204);
    expect((await control.cursor(adapter)).cursor).toBe('x');
  });

  test('reading 1.2: errors in the path and the body are reported together', async () => {
    expectFaults(await control.putCursor('A', { cursor: 7, colour: 1 }), ['/adapter', '/colour', '/cursor']);
  });

  test('readings 1.3 and 1.4: a query is ignored, and the key is checked before the adapter', async () => {
    const adapter = unique('adapter');
    expect((await control.putCursor(`${adapter}?cursor=y&cursor=z`, { cursor: 'x' })).status).toBe(204);
    expect((await control.getCursor(`${adapter}?%zz`)).status).toBe(200);
    expectRefusal(await control.send({ path: '/api/fetcher/state/A' }), 'unauthorized');
  });

  test('reading 1.9: HEAD responds like GET, including 404', async () => {
    const adapter = unique('adapter');
    const head = (name: string) =>
      control.send({
        method: 'HEAD',
        path: `/api/fetcher/state/${name}`,
        headers: { [keyHeaders.api]: api.keys.api },
      });
    await control.putCursor(adapter, { cursor: 'x' });
    expect((await head(adapter)).status).toBe(200);
    expect((await head(unique('adapter'))).status).toBe(404);
    expect((await head('A')).status).toBe(422);
  });

  testSharedLog('§1 rule 7: a cursor stored on one instance is readable on every other at once', async () => {
    const { url } = await api.instance();
    const adapter = unique('adapter');
    const headers = { [keyHeaders.api]: api.keys.api };
    for (const cursor of ['1', '2', '3']) {
      await control.putCursor(adapter, { cursor });
      const answer = await api.send({ path: `/api/fetcher/state/${adapter}`, headers }, url);
      expect(answer.json).toMatchObject({ adapter, cursor });
    }
  });
});
