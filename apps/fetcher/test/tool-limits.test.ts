import { gzipSync } from 'node:zlib';
import { cuts, hangs, heldBack } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { AskedTool, asIs, never, refusalOf, testTool } from './support/asked-tool.ts';

const mib = 1024 * 1024;

test('requests of all callers are sent one at a time, in the order of the calls', async () => {
  const tool = await AskedTool.open();
  const held = heldBack(404);
  tool.server.script('GET /1', held.act);
  tool.server.script('GET /2', tool.says(2));
  const calls = [tool.get('/1').catch(() => 'refused'), tool.connection.http(testTool).get('/2', never, asIs)];
  await tool.server.asked(1);
  // A request outside the queue has arrived by now, and would not have been the first.
  tool.server.script('GET /past', tool.says(0));
  for (let n = 0; n < 3; n += 1) await fetch(`${tool.server.url}/past`);
  expect(tool.urls).toEqual(['/1', '/past', '/past', '/past']);
  held.release();
  expect(await Promise.all(calls)).toEqual(['refused', { body: 2, unchanged: false }]);
});

test('no minute contains more requests than the pace allows, including free requests', async () => {
  const tool = await AskedTool.open({ requestsPerMinute: 3 });
  tool.server.script('GET /a', tool.says(1, { etag: '"1"' }), tool.answers(304));
  const at: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    await tool.get('/a');
    at.push(tool.clock.now().getTime());
    tool.clock.advance(10_000);
  }
  const [first = 0] = at;
  expect(at.map((ms) => (ms - first) / 1000)).toEqual([0, 10, 20, 60, 70, 80, 120, 130]);
});

test('a caller can see that no requests are left in this minute', async () => {
  const tool = await AskedTool.open({ requestsPerMinute: 1 });
  tool.server.script('GET /a', tool.says(1));
  expect([tool.http.hasTurn, tool.http.hasSpare]).toEqual([true, true]);
  await tool.get('/a');
  tool.clock.advance(59_999);
  expect([tool.http.hasTurn, tool.http.hasSpare]).toEqual([false, false]);
  tool.clock.advance(1);
  expect([tool.http.hasTurn, tool.http.hasSpare]).toEqual([true, true]);
});

test('the budget is checked before each request, including one after a redirect', async () => {
  const tool = await AskedTool.open({ percent: 10 });
  const rate = tool.rate(20, 20, 3600);
  tool.server.script('GET /a', tool.says(1, rate), tool.answers(302, '', { ...rate, location: '/b' }));
  await tool.get('/a');
  const refusal = await refusalOf(tool.get('/a'));
  const untilMs = tool.clock.now().getTime() + 3_601_000;
  expect([refusal.kind, refusal.untilMs, tool.urls]).toEqual(['SourcePaused', untilMs, ['/a', '/a']]);
  expect([tool.http.hasTurn, tool.http.hasSpare]).toEqual([false, false]);
  tool.clock.advance(3_601_000);
  expect(tool.http.hasTurn).toBe(true);
});

test('free requests are sent even if the budget is used up', async () => {
  const tool = await AskedTool.open({ percent: 10 });
  tool.server.script('GET /rate_limit', tool.says(1, tool.rate(100, 90, 3600)));
  tool.connection.restore([Math.floor(tool.clock.now().getTime() / 1000) + 3600, 500]);
  expect(await refusalOf(tool.get('/a'))).toMatchObject({ kind: 'SourcePaused' });
  await tool.get('/rate_limit');
  expect(tool.urls).toEqual(['/rate_limit']);
});

test('usage and remaining requests are in the snapshot and in the cursor', async () => {
  const tool = await AskedTool.open({ percent: 30 });
  expect([tool.connection.rateLimit, tool.connection.used]).toEqual([null, undefined]);
  tool.server.script('GET /a', tool.says(1, tool.rate(5000, 4998, 3600)));
  await tool.get('/a');
  expect(tool.connection.rateLimit).toEqual({
    used: 1,
    budget: 1500,
    reset_at: '2026-01-01T01:00:00.000Z',
    ci_limit: 5000,
    ci_remaining: 4998,
  });
  expect(tool.connection.used).toEqual([Date.UTC(2026, 0, 1, 1) / 1000, 1]);
});

test('a request without a response counts against the quota, and a truncated response as its headers say', async () => {
  const tool = await AskedTool.open();
  const head = tool.rate(5000, 4998, 3600);
  tool.server.script('GET /a', cuts);
  tool.server.script('GET /b', (response) => response.writeHead(200, head).write('{', () => response.destroy()));
  await refusalOf(tool.get('/a'));
  await refusalOf(tool.get('/b'));
  expect([tool.heard, tool.connection.rateLimit?.used]).toEqual([['none', '200'], 2]);
});

test("the clock follows the tool's clock to the second and does not oscillate", async () => {
  const tool = await AskedTool.open();
  const dated = (ms: number) => tool.answers(200, '1', { date: new Date(ms).toUTCString() });
  const start = tool.clock.now().getTime();
  const skew = async (ms: number) => {
    tool.server.script('GET /a', dated(tool.clock.now().getTime() + ms));
    await tool.get('/a');
    return tool.http.now() - tool.clock.now().getTime();
  };
  expect(await skew(0)).toBe(0);
  tool.clock.advance(999);
  expect(await skew(0)).toBe(0);
  tool.clock.advance(1);
  expect(await skew(-3_600_000)).toBe(-3_600_000);
  tool.clock.advance(700);
  expect(await skew(-3_600_000)).toBe(-3_600_000);
  expect(await skew(5000 - 700)).toBe(5000 - 700);
  expect(tool.clock.now().getTime()).toBe(start + 1700);
});

test.each(['', 'yesterday', '2037-01-01T00:00:00Z', 'Thu, 41 Jan 2037 00:00:00 GMT'])(
  '"%s" is not a valid Date header',
  async (date) => {
    const tool = await AskedTool.open();
    tool.server.script('GET /a', tool.answers(200, '1', { date }));
    await tool.get('/a');
    expect(tool.http.now()).toBe(tool.clock.now().getTime());
  },
);

test.each<[string, (text: string) => Uint8Array, Record<string, string>]>([
  ['uncompressed', Buffer.from, {}],
  ['packed', gzipSync, { 'content-encoding': 'gzip' }],
])('a body is limited to 10 MiB, %s', async (_, packed, headers) => {
  const tool = await AskedTool.open();
  const answer = (bytes: number) => tool.answers(200, packed(`"${'x'.repeat(bytes - 2)}"`), headers);
  tool.server.script('GET /a', answer(10 * mib), answer(10 * mib + 1));
  expect(await tool.http.get('/a', never, (body) => String(body).length)).toMatchObject({ body: 10 * mib - 2 });
  const refusal = await refusalOf(tool.get('/a'));
  expect([refusal.kind, refusal.message]).toEqual(['ToolAway', 'GET /a: the body has more than 10485760 bytes']);
});

test('a file is limited to the number of bytes that its caller accepts', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.answers(200, 'abc'));
  expect(await tool.http.bytes('/a', never, 3)).toEqual(Buffer.from('abc'));
  expect(await refusalOf(tool.http.bytes('/a', never, 2))).toMatchObject({ kind: 'ToolAway' });
});

test('reading a compressed gibibyte stops after the first megabytes', async () => {
  const tool = await AskedTool.open();
  const member = gzipSync(Buffer.alloc(16 * mib));
  const bomb = Buffer.concat(Array.from({ length: 64 }, () => member));
  tool.server.script('GET /a', tool.answers(200, bomb, { 'content-encoding': 'gzip' }));
  const before = process.memoryUsage().arrayBuffers;
  expect(await refusalOf(tool.get('/a'))).toMatchObject({ kind: 'ToolAway' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * mib);
});

test.each(['while it waits for its turn', 'while it is answered'])(
  'a call that is aborted %s ends at once',
  async (when) => {
    const tool = await AskedTool.open();
    tool.server.script('GET /a', hangs);
    const underWay = new AbortController();
    const waiting = new AbortController();
    const first = tool.get('/a', underWay.signal);
    const second = tool.get('/a', waiting.signal);
    await tool.server.asked(1);
    const reason = new Error('a reset');
    if (when === 'while it is answered') underWay.abort(reason);
    else waiting.abort(reason);
    await expect(when === 'while it is answered' ? first : second).rejects.toBe(reason);
    underWay.abort(reason);
    waiting.abort(reason);
    await Promise.allSettled([first, second]);
    tool.server.script('GET /b', tool.says(1));
    expect(await tool.get('/b')).toMatchObject({ body: 1 });
  },
);

test('a call that is aborted while it waits ends without a request', async () => {
  const tool = await AskedTool.open({ requestsPerMinute: 1 });
  tool.server.script('GET /a', tool.says(1));
  await tool.get('/a');
  const stop = new AbortController();
  const reason = new Error('a stop');
  tool.clock.sleep = async () => stop.abort(reason);
  await expect(tool.get('/a', stop.signal)).rejects.toBe(reason);
  expect(tool.urls).toHaveLength(1);
});

test('a tool may request its token over the same connection', async () => {
  const tool = await AskedTool.open();
  tool.server.script('POST /token', tool.answers(201, '"t"'));
  tool.server.script('GET /a', tool.says(1));
  const headers = async (signal: AbortSignal) => ({
    authorization: String(await tool.http.post('/token', {}, signal, asIs)),
  });
  const http = tool.connection.http({ ...testTool, headers });
  expect(await http.get('/a', never, asIs)).toMatchObject({ body: 1 });
  expect(tool.headersOf('/a')).toMatchObject([{ authorization: 't' }]);
});

test('a list whose next link has another origin yields the current page and then fails', async () => {
  const tool = await AskedTool.open();
  const link = '<https://elsewhere.example/list?page=2>; rel="next"';
  tool.server.script('GET /list', tool.says([1], { link, etag: '"1"' }), tool.answers(304, '', { link }));
  for (let look = 0; look < 2; look += 1) {
    const pages: unknown[] = [];
    const all = (async () => {
      for await (const { body, more } of tool.http.pages('/list', never, asIs)) pages.push([body, more]);
    })();
    expect(await refusalOf(all)).toMatchObject({ kind: 'ListCut', message: expect.stringContaining('elsewhere') });
    expect(pages).toEqual([[[1], true]]);
  }
  tool.server.script('GET /one', tool.says(1, { link }));
  expect(await tool.get('/one')).toEqual({ body: 1, unchanged: false });
});
