import { expect, test } from 'vitest';
import { type CachedAnswer, Etags } from '../src/tool/etags.ts';
import { AskedTool, asIs, never, refusalOf, testTool } from './support/asked-tool.ts';

const etag = 'W/"1"';
const conditional = (tool: AskedTool, path: string) => tool.headersOf(path).map((headers) => headers['if-none-match']);

test('a response with an ETag is requested conditionally, and a 304 returns the cached value', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.says({ id: 7, rest: 'x' }, { etag }), tool.answers(304));
  const pick = (body: unknown) => (body as { id: number }).id;
  expect(await tool.http.get('/a', never, pick)).toEqual({ body: 7, unchanged: false });
  expect(await tool.http.get('/a', never, pick)).toEqual({ body: 7, unchanged: true });
  expect(conditional(tool, '/a')).toEqual([undefined, etag]);
  expect(tool.heard).toEqual(['200', '304 free']);
});

test('a changed response replaces the cached one', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.says(1, { etag }), tool.says(2, { etag: '"2"' }), tool.answers(304));
  expect([await tool.get('/a'), await tool.get('/a'), await tool.get('/a')]).toEqual([
    { body: 1, unchanged: false },
    { body: 2, unchanged: false },
    { body: 2, unchanged: true },
  ]);
  expect(conditional(tool, '/a')).toEqual([undefined, etag, '"2"']);
});

test('a response without an ETag is not cached', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.says(1, { etag }), tool.says(2), tool.says(1, { etag }));
  for (const body of [1, 2, 1]) expect(await tool.get('/a')).toEqual({ body, unchanged: false });
  expect(conditional(tool, '/a')).toEqual([undefined, etag, undefined]);
});

test('an invalid body is not cached', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.answers(200, '{', { etag }), tool.says(1));
  await refusalOf(tool.get('/a'));
  expect(await tool.get('/a')).toEqual({ body: 1, unchanged: false });
  expect(conditional(tool, '/a')).toEqual([undefined, undefined]);
});

test('each caller has its own cache, and a reset clears every cache', async () => {
  const tool = await AskedTool.open();
  const other = tool.connection.http(testTool);
  tool.server.script('GET /a', tool.says(1, { etag }));
  await tool.get('/a');
  await other.get('/a', never, asIs);
  tool.connection.forget();
  await tool.get('/a');
  await other.get('/a', never, asIs);
  expect(conditional(tool, '/a')).toEqual([undefined, undefined, undefined, undefined]);
});

test('a validator is sent only to the URL that returned it', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.says(1, { etag }), tool.answers(301, '', { location: '/b' }));
  tool.server.script('GET /b', tool.says(2, { etag: '"2"' }), tool.answers(304));
  await tool.get('/a');
  expect([await tool.get('/a'), await tool.get('/a')]).toEqual([
    { body: 2, unchanged: false, isMoved: true },
    { body: 2, unchanged: true, isMoved: true },
  ]);
  expect([conditional(tool, '/a'), conditional(tool, '/b')]).toEqual([
    [undefined, etag],
    [undefined, '"2"'],
  ]);
});

test("requests obey the tool's poll interval, with or without an ETag", async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.says(1, { 'x-poll-interval': '60' }), tool.says(2));
  tool.server.script(
    'GET /b',
    tool.says(1, { etag, 'x-poll-interval': '60' }),
    tool.answers(304, '', { 'x-poll-interval': '9' }),
  );
  await tool.get('/a');
  await tool.get('/b');
  tool.clock.advance(59_999);
  expect([await tool.get('/a'), await tool.get('/b')]).toEqual(Array(2).fill({ body: 1, unchanged: true }));
  expect(tool.urls).toHaveLength(2);
  tool.clock.advance(1);
  expect([await tool.get('/a'), await tool.get('/b')]).toEqual([
    { body: 2, unchanged: false },
    { body: 1, unchanged: true },
  ]);
  tool.clock.advance(8999);
  await tool.get('/b');
  expect(tool.urls).toHaveLength(4);
});

/** A list of pages at `/list`, each with a link to the next. */
async function listOf(pages: number): Promise<AskedTool> {
  const tool = await AskedTool.open({ requestsPerMinute: 100_000 });
  tool.server.script('GET /list', (response, request) => {
    const page = Number(new URLSearchParams(request.url.split('?')[1]).get('page') ?? 1);
    const link = page < pages ? `<${tool.server.url}/list?page=${page + 1}>; rel="next"` : '<http://x>; rel="first"';
    const isHeld = request.headers['if-none-match'] !== undefined;
    // In a 304, real tools send links in some versions but not in others.
    const act = isHeld ? tool.answers(304, '', page === 1 ? {} : { link }) : tool.says(page, { link, etag });
    act(response, request);
  });
  return tool;
}

async function take(tool: AskedTool, pagesMax: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  for await (const { body, unchanged, more } of tool.http.pages('/list', never, asIs)) {
    taken.push([body, unchanged, more]);
    if (taken.length === pagesMax) break;
  }
  return taken;
}

test('a list is read page by page as far as the caller continues, even from the cache', async () => {
  const tool = await listOf(3);
  expect(await take(tool, 2)).toEqual([
    [1, false, true],
    [2, false, true],
  ]);
  expect(tool.urls).toHaveLength(2);
  expect(await take(tool, 9)).toEqual([
    [1, true, true],
    [2, true, true],
    [3, false, false],
  ]);
});

test('a list ends after a thousand pages', async () => {
  const tool = await listOf(1001);
  const refusal = await refusalOf(take(tool, 2000));
  expect([refusal.kind, refusal.message]).toEqual(['ToolAway', 'GET /list: more than 1000 pages']);
  expect(tool.urls).toHaveLength(1000);
});

test('a link to another origin is not requested', async () => {
  const tool = await AskedTool.open();
  const other = await AskedTool.open();
  tool.server.script('GET /list', tool.says(1, { link: `<${other.server.url}/list?page=2>; rel="next"` }));
  expect(await refusalOf(take(tool, 9))).toMatchObject({ kind: 'ListCut' });
  expect(other.urls).toEqual([]);
});

const held = (picked: string | undefined): CachedAnswer => ({
  etag,
  from: '',
  picked,
  next: undefined,
  notBeforeMs: 0,
});
const kept = (etags: Etags, keys: readonly string[]) => keys.filter((key) => etags.get(key) !== undefined);

test('if there are too many cached responses, the least recently used are removed', () => {
  const etags = new Etags({ entries: 2, bytes: 10_000 });
  etags.set('a', held('1'));
  etags.set('b', held('1'));
  etags.get('a');
  etags.set('c', held('1'));
  expect(kept(etags, ['a', 'b', 'c'])).toEqual(['a', 'c']);
});

test('over the size limit, the least recently used responses are removed; a response over the limit is not cached', () => {
  const etags = new Etags({ entries: 100, bytes: 1000 });
  for (const key of ['a', 'b', 'c']) etags.set(key, held('ü'.repeat(200)));
  expect(kept(etags, ['a', 'b', 'c'])).toEqual(['b', 'c']);
  etags.set('d', held('x'.repeat(1000)));
  expect(kept(etags, ['b', 'c', 'd'])).toEqual(['b', 'c']);
});

test('the value that `pick` returns may be undefined', () => {
  const etags = new Etags();
  etags.set('a', held(undefined));
  expect(etags.get('a')).toEqual(held(undefined));
});

test('a value that is nested too deeply for the stack is returned but not cached', async () => {
  const nested = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
  const tool = await AskedTool.open();
  const answer = tool.answers(200, nested, { etag });
  tool.server.script('GET /a', answer, answer);
  await tool.get('/a');
  expect(await tool.get('/a')).toMatchObject({ unchanged: false });
});
