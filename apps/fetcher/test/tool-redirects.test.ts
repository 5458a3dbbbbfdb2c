import { ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { AskedTool, asIs, never, refusalOf, token } from './support/asked-tool.ts';

const redirect = (tool: AskedTool, status: number, location: string) => tool.answers(status, '', { location });

test.each([301, 302, 307, 308])(
  'a redirect with status %s is followed once, with credentials on the same origin',
  async (status) => {
    const tool = await AskedTool.open();
    tool.server.script('GET /old', redirect(tool, status, '/new?page=1'));
    tool.server.script('GET /new', tool.says('moved'));
    expect(await tool.get('/old')).toEqual({ body: 'moved', unchanged: false, isMoved: true });
    expect(tool.headersOf('/new?page=1')).toMatchObject([{ authorization: `Bearer ${token}` }]);
  },
);

test.each([301, 302, 307, 308])(
  'no credentials are sent after a redirect with status %s to another origin',
  async (status) => {
    const tool = await AskedTool.open();
    const storage = await ScriptedServer.open(tool.says('stored'));
    tool.server.script('GET /file', redirect(tool, status, `${storage.url}/blob?sig=1`));
    expect(await tool.get('/file')).toEqual({ body: 'stored', unchanged: false, isMoved: true });
    expect(Buffer.from(await tool.http.bytes('/file', never, 100)).toString()).toBe('"stored"');
    for (const { headers } of storage.received) {
      expect(Object.keys(headers).sort()).toEqual(
        ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'sec-fetch-mode', 'user-agent'].sort(),
      );
      expect([headers.accept, headers['user-agent']]).toEqual(['application/test', 'shiplog-fetcher']);
    }
    expect(tool.heard).toEqual([String(status), '200 free', String(status), '200 free']);
  },
);

test('a request for a file sends no credentials, even on the same origin, because the URL contains them', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /zip', redirect(tool, 302, '/blob'));
  tool.server.script('GET /blob', tool.answers(200, 'PK'));
  expect(Buffer.from(await tool.http.bytes('/zip', never, 2)).toString()).toBe('PK');
  expect(tool.headersOf('/blob')[0]).not.toHaveProperty('authorization');
});

test('a permanent redirect is kept until the next discovery', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /old', redirect(tool, 301, '/new'));
  tool.server.script('GET /new', tool.says(1));
  await tool.get('/old');
  await tool.get('/old');
  expect(tool.urls).toEqual(['/old', '/new', '/new']);
  tool.http.rediscover();
  await tool.get('/old');
  expect(tool.urls.slice(3)).toEqual(['/old', '/new']);
});

test.each([302, 307])('a redirect with status %s applies to one request only', async (status) => {
  const tool = await AskedTool.open();
  tool.server.script('GET /old', redirect(tool, status, '/new'));
  tool.server.script('GET /new', tool.says(1));
  await tool.get('/old');
  await tool.get('/old');
  expect(tool.urls).toEqual(['/old', '/new', '/old', '/new']);
});

test('a redirect to another origin is never kept', async () => {
  const tool = await AskedTool.open();
  const other = await ScriptedServer.open(tool.says(1));
  tool.server.script('GET /old', redirect(tool, 301, `${other.url}/new`));
  await tool.get('/old');
  await tool.get('/old');
  expect(tool.urls).toEqual(['/old', '/old']);
});

test('the second attempt reads an artifact of a moved repository', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /old', redirect(tool, 301, '/new'));
  tool.server.script('GET /new', redirect(tool, 302, '/blob'));
  tool.server.script('GET /blob', tool.answers(200, 'PK'));
  expect(await refusalOf(tool.http.bytes('/old', never, 2))).toMatchObject({
    kind: 'ToolAway',
    message: 'GET /old: redirected twice',
  });
  expect(Buffer.from(await tool.http.bytes('/old', never, 2)).toString()).toBe('PK');
});

test('a redirect loop ends after two requests', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', redirect(tool, 301, '/b'));
  tool.server.script('GET /b', redirect(tool, 301, '/a'));
  for (const attempt of [1, 2, 3]) {
    expect(await refusalOf(tool.get('/a'))).toMatchObject({ kind: 'ToolAway' });
    expect(tool.urls).toHaveLength(2 * attempt);
  }
});

test.each(['', 'file:///etc/passwd', 'http://me:pass@127.0.0.1/'])(
  'a redirect to "%s" is not followed',
  async (location) => {
    const tool = await AskedTool.open();
    tool.server.script('GET /a', tool.answers(302, '', location === '' ? {} : { location }));
    const refusal = await refusalOf(tool.get('/a'));
    expect([refusal.kind, refusal.message]).toEqual(['ToolAway', 'GET /a: a redirect has no valid target']);
  },
);

test('a POST follows a redirect on the same origin only', async () => {
  const tool = await AskedTool.open();
  const other = await ScriptedServer.open(tool.says(1));
  tool.server.script('POST /old', redirect(tool, 307, '/new'), redirect(tool, 307, `${other.url}/new`));
  tool.server.script('POST /new', tool.answers(201, '{"ok":true}'));
  expect(await tool.http.post('/old', { a: 1 }, never, asIs)).toEqual({ ok: true });
  expect(tool.server.of('POST /new').map(({ body }) => String(body))).toEqual(['{"a":1}']);
  expect(await refusalOf(tool.http.post('/old', { a: 1 }, never, asIs))).toMatchObject({ kind: 'ToolAway' });
  expect(other.received).toEqual([]);
});

test.each([
  [401, 'ToolAway'],
  [403, 'ToolAway'],
  [404, 'PlaceRefused'],
  [410, 'PlaceRefused'],
  [429, 'ToolAway'],
])(
  "status %s from another origin throws %s, and doesn't affect the token, the limits or the clock",
  async (status, kind) => {
    const tool = await AskedTool.open();
    const headers = { 'retry-after': '30', date: 'Thu, 01 Jan 2037 00:00:00 GMT', ...tool.rate(60, 0, 60) };
    const other = await ScriptedServer.open(tool.answers(status, '', headers));
    tool.server.script('GET /a', redirect(tool, 302, other.url));
    expect(await refusalOf(tool.http.bytes('/a', never, 100))).toMatchObject({ kind });
    expect([tool.http.hasTurn, tool.connection.rateLimit]).toEqual([true, null]);
    expect(tool.http.now()).toBe(tool.clock.now().getTime());
  },
);
