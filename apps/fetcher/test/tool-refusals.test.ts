import { cuts, hangs } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { AskedTool, type AskedToolOptions, refusalOf, token } from './support/asked-tool.ts';

const hour = 3600;

interface Row {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** The quota headers: the remaining requests, and the seconds until the reset. */
  readonly rate?: readonly [remaining: number, secondsLeft: number];
  /** The class of the error, and how long the source pauses. */
  readonly gives: readonly [kind: string, restMs?: number];
}

const secondary = '{"message":"You have exceeded a secondary rate limit."}';
const table: readonly Row[] = [
  { status: 401, gives: ['AuthFailed'] },
  { status: 403, headers: { 'retry-after': '30' }, gives: ['SourcePaused', 30_000] },
  { status: 429, headers: { 'retry-after': '30' }, gives: ['SourcePaused', 30_000] },
  { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' }, gives: ['SourcePaused', 120_000] },
  { status: 429, headers: { 'retry-after': '0' }, gives: ['SourcePaused', 1000] },
  { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2020 00:00:00 GMT' }, gives: ['SourcePaused', 1000] },
  { status: 429, headers: { 'retry-after': '1000000000' }, gives: ['SourcePaused', 3_660_000] },
  { status: 429, headers: { 'retry-after': 'soon' }, gives: ['SourcePaused', 60_000] },
  { status: 403, headers: { 'retry-after': '30' }, rate: [0, hour], gives: ['SourcePaused', 30_000] },
  { status: 403, rate: [0, hour], gives: ['SourcePaused', 3_601_000] },
  { status: 429, rate: [0, 60], gives: ['SourcePaused', 61_000] },
  { status: 403, rate: [0, -60], gives: ['SourcePaused', 60_000] },
  { status: 403, rate: [0, 1e9], gives: ['SourcePaused', 3_660_000] },
  { status: 403, body: secondary, gives: ['SourcePaused', 60_000] },
  { status: 403, body: secondary, rate: [500, hour], gives: ['SourcePaused', 60_000] },
  { status: 429, body: secondary, gives: ['SourcePaused', 60_000] },
  { status: 429, body: 'Retry later', gives: ['SourcePaused', 60_000] },
  { status: 403, body: '{"message":"Resource not accessible"}', rate: [500, hour], gives: ['PlaceRefused'] },
  { status: 404, gives: ['PlaceRefused'] },
  { status: 410, gives: ['PlaceRefused'] },
  { status: 451, gives: ['PlaceRefused'] },
  { status: 500, gives: ['ToolAway'] },
  { status: 503, headers: { 'retry-after': '30' }, gives: ['ToolAway'] },
  { status: 400, gives: ['ToolAway'] },
  { status: 204, gives: ['ToolAway'] },
  { status: 206, body: '{}', gives: ['ToolAway'] },
  { status: 300, gives: ['ToolAway'] },
  { status: 304, gives: ['ToolAway'] },
  { status: 200, body: '{"a":', gives: ['ToolAway'] },
  { status: 200, body: '', gives: ['ToolAway'] },
];

test.each(table)(
  'an answer is accepted or refused by its status, headers and body: $status $headers $body $rate',
  async ({ status, body, headers = {}, rate, gives }) => {
    const tool = await AskedTool.open();
    const rates = rate ? tool.rate(5000, ...rate) : {};
    tool.server.script('GET /a', tool.answers(status, body, { ...rates, ...headers }));
    const [kind, restMs] = gives;
    const refusal = await refusalOf(tool.get('/a?secret=1'));
    const untilMs = restMs === undefined ? undefined : tool.clock.now().getTime() + restMs;
    expect([refusal.kind, refusal.untilMs]).toEqual([kind, untilMs]);
    expect(refusal.status).toBe(kind === 'PlaceRefused' ? status : undefined);
    expect(refusal.message).toMatch(/^GET \/a: /);
    expect(refusal.message).not.toContain('secret');
    expect(tool.http.hasTurn).toBe(restMs === undefined);
  },
);

test.each([
  ['an answer that never arrives', hangs, 'within 50 ms'],
  ['a broken connection', cuts, 'no complete answer'],
  ['an endless body', (response) => response.writeHead(200).write('['), 'within 50 ms'],
  [
    'a truncated body',
    (response) => response.writeHead(200).write('[', () => response.destroy()),
    'no complete answer',
  ],
  [
    'a body that is not compressed as declared',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('[]'),
    'no complete',
  ],
  [
    'an invalid header',
    (response) => response.socket?.end('HTTP/1.1 200 OK\r\nno header\r\n\r\n'),
    'no complete answer',
  ],
] satisfies [string, Parameters<AskedTool['server']['script']>[1], string][])(
  '%s counts as no response',
  async (_, act, message) => {
    const tool = await AskedTool.open({ timeoutMs: 50 });
    tool.server.script('GET /a', act);
    const refusal = await refusalOf(tool.get('/a'));
    expect(refusal.kind).toBe('ToolAway');
    expect(refusal.message).toContain(message);
  },
);

test('a refusal with a truncated body is handled by its status', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', (response) => response.writeHead(404).write('{', () => response.destroy()));
  expect(await refusalOf(tool.get('/a'))).toMatchObject({ kind: 'PlaceRefused', status: 404 });
});

test('a response of another shape causes an error that names the missing member', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.says({ id: 'x' }));
  const pick = () => {
    throw new TypeError('the id is no number');
  };
  const refusal = await refusalOf(tool.http.get('/a', new AbortController().signal, pick));
  expect([refusal.kind, refusal.message]).toEqual(['ToolAway', 'GET /a: unexpected answer (the id is no number)']);
});

test('during a pause no request is sent, and every caller gets the same error', async () => {
  const tool = await AskedTool.open();
  tool.server.script('GET /a', tool.answers(429, '', { 'retry-after': '30' }), tool.says(1));
  const first = await refusalOf(tool.get('/a'));
  tool.clock.advance(29_999);
  expect(await refusalOf(tool.get('/b'))).toEqual(first);
  expect(tool.urls).toEqual(['/a']);
  tool.clock.advance(1);
  expect([tool.http.hasTurn, await tool.get('/a')]).toEqual([true, { body: 1, unchanged: false }]);
});

test('pauses of unknown length double up to 15 minutes, and are short again after a good response', async () => {
  const tool = await AskedTool.open();
  const limited = tool.answers(403, secondary);
  tool.server.script('GET /a', ...Array.from({ length: 6 }, () => limited), tool.says(1), limited);
  const rest = async () => {
    const { untilMs } = await refusalOf(tool.get('/a'));
    const restMs = Number(untilMs) - tool.http.now();
    tool.clock.advance(restMs);
    return restMs / 60_000;
  };
  const rests = [await rest(), await rest(), await rest(), await rest(), await rest(), await rest()];
  expect(rests).toEqual([1, 2, 4, 8, 15, 15]);
  await tool.get('/a');
  expect(await rest()).toBe(1);
});

test('a token that is invalid in a header is never revealed', async () => {
  const tool = await AskedTool.open();
  const headers = async () => ({ authorization: `Bearer ${token}\r\nx: y` });
  const http = tool.connection.http({ headers, rateOf: () => undefined, isCharged: () => true });
  const refusal = await refusalOf(http.get('/a', new AbortController().signal, (body) => body));
  expect([refusal.kind, JSON.stringify(refusal)]).toEqual(['ToolAway', expect.not.stringContaining(token)]);
});

test.each<AskedToolOptions>([{}, { below: '/api/v3' }])(
  'the caller gets an error that occurs while headers are created, %o',
  async (options) => {
    const tool = await AskedTool.open(options);
    const fault = new Error('no token');
    const http = tool.connection.http({
      headers: () => Promise.reject(fault),
      rateOf: () => undefined,
      isCharged: () => true,
    });
    await expect(http.get('/a', new AbortController().signal, (body) => body)).rejects.toBe(fault);
    expect(tool.urls).toEqual([]);
  },
);

test("a pause that has ended stays ended if the tool's clock goes back", async () => {
  const tool = await AskedTool.open();
  const earlier = new Date(tool.clock.now().getTime() - hour * 1000).toUTCString();
  tool.server.script(
    'GET /a',
    tool.answers(429, '', { 'retry-after': '30' }),
    tool.answers(500, '', { date: earlier }),
    tool.says(1, { date: earlier }),
  );
  await refusalOf(tool.get('/a'));
  tool.clock.advance(30_000);
  expect((await refusalOf(tool.get('/a'))).kind).toBe('ToolAway');
  await tool.get('/a');
  expect(tool.urls).toHaveLength(3);
});
