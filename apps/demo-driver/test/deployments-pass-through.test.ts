import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { type Act, answers, cuts, hangs, StreamReader, sends } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const path = '/demo/deployments-stream';

test("upstream's bytes are passed on unchanged, including pings and broken frames", async () => {
  const { driver, upstream } = await drivenUpstream({ times: { heartbeatMs: 1 } });
  const pieces = [
    'retry: 5\n\n',
    ': ping\n\n',
    'id: 1\r\nevent: deployment\r\nda',
    'ta: {"s":"🚢',
    '"}\r\n\r\n',
    '\u0000: half',
  ];
  upstream.script(routes.deployments, sends());
  const reader = await driver.feed('deployments');
  let sent = '';
  for (const piece of pieces) {
    sent += piece;
    await upstream.send(routes.deployments, piece);
    await reader.until(({ text }) => text.length >= sent.length);
    expect(reader.text).toBe(sent);
  }
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
});

test('bytes that are not text are passed on unchanged', async () => {
  const { driver, upstream } = await drivenUpstream();
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  upstream.script(routes.deployments, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
  });
  const response = await fetch(`${driver.url}${path}`);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['', {}, undefined],
  ['?service=a%20b%26c&colour=red', {}, undefined],
  ['?last_event_id=abc&service=', {}, undefined],
  ['', { 'last-event-id': 'abc', cookie: 'a=b', 'x-api-key': 'mine', authorization: 'Basic x' }, 'abc'],
  ['?last_event_id=query', { 'last-event-id': 'header' }, 'header'],
  ['', { 'last-event-id': '' }, ''],
])(
  'reading 9.7: the query %s is passed on unchanged; of the headers %o, only the position is, and the API key is added',
  async (query, headers, sentId) => {
    const { driver, upstream } = await drivenUpstream();
    upstream.script(routes.deployments, sends());
    await StreamReader.open({ url: `${driver.url}${path}${query}`, headers });
    const [received] = upstream.of(routes.deployments);
    expect(received?.url).toBe(`${received?.path}${query}`);
    expect(received?.headers['last-event-id']).toBe(sentId);
    expect(received?.headers['x-api-key']).toBe('secret-of-pipelines');
    for (const name of ['cookie', 'authorization', 'x-control-api-key'])
      expect(received?.headers).not.toHaveProperty(name);
  },
);

const silent = { times: { upstreamSilentMs: 20 } };

test.each([
  ['before its first byte', ''],
  ['after a frame', 'retry: 5\n\nid: 1\ndata: 1\n\n'],
  ['after a frame with other line endings', 'id: 1\r\ndata: 1\r\n\r\n'],
  ['after a comment', ': ping\n\n'],
])('reading 9.7: while upstream is silent %s, the driver pings the reader', async (_, sent) => {
  const { driver, upstream } = await drivenUpstream(silent);
  upstream.script(routes.deployments, sends(sent));
  const reader = await driver.feed('deployments');
  await reader.until(({ text }) => text.length >= sent.length + 2 * ': ping\n\n'.length);
  expect(reader.text.slice(0, sent.length)).toBe(sent);
  expect(reader.text.slice(sent.length)).toMatch(/^(: ping\n\n)+$/);
});

test.each(['id: 1\ndata: ha', 'id: 1\ndata: 1\n', 'id: 1\r\ndata: 1\r\n'])(
  'reading 9.7: the driver sends no ping inside the block %j, only after its end',
  async (half) => {
    const { driver, upstream } = await drivenUpstream(silent);
    upstream.script(routes.deployments, sends(half), sends(''));
    const reader = await driver.feed('deployments');
    await reader.until(({ text }) => text.length >= half.length);
    // Two pings for another reader that connected later: the first reader would have received a ping by then.
    const other = await driver.feed('deployments');
    await other.until(({ text }) => text.startsWith(': ping\n\n: ping\n\n'));
    expect(reader.text).toBe(half);
    await upstream.send(routes.deployments, '\n\n');
    await reader.until(({ text }) => text.endsWith(': ping\n\n'));
    expect(reader.text).toMatch(/^id: 1\r?\ndata: (ha|1)\r?\n\n?\n(: ping\n\n)+$/);
  },
);

test('a response that is not an uncompressed event stream gets no ping', async () => {
  const { driver, upstream } = await drivenUpstream(silent);
  const begun =
    (headers: Record<string, string>, status = 200): Act =>
    (response) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    };
  const stream = { 'content-type': 'text/event-stream' };
  const others = [
    begun(stream, 503),
    begun({ 'content-type': 'application/json' }),
    begun({ ...stream, 'content-encoding': 'gzip' }),
  ];
  upstream.script(routes.deployments, ...others, begun(stream));
  const readers: StreamReader[] = [];
  for (const _ of others) readers.push(await driver.feed('deployments'));
  const pinged = await driver.feed('deployments');
  await pinged.until(({ text }) => text.startsWith(': ping\n\n: ping\n\n'));
  expect(readers.map(({ text }) => text)).toEqual(['', '', '']);
});

test("upstream's response header with the resume position is passed on", async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'x-stream-resume': 'truncated',
      'set-cookie': 'a=b',
    });
    response.flushHeaders();
  });
  const { headers } = await driver.feed('deployments');
  expect(headers).toMatchObject({ 'x-stream-resume': 'truncated' });
  expect(headers).not.toHaveProperty('set-cookie');
});

test('the stream ends when the upstream connection ends or breaks', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, sends('data: 1\n\n'), (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 2\n\n', () => response.destroy());
  });
  const whole = fetch(`${driver.url}${path}`).then((response) => response.text());
  await upstream.until(() => upstream.of(routes.deployments).length === 1);
  upstream.end(routes.deployments);
  expect(await whole).toBe('data: 1\n\n');
  expect(await (await fetch(`${driver.url}${path}`)).text()).toBe('data: 2\n\n');
});

test('the upstream call is cancelled when the reader disconnects, even before the response begins', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, sends(), hangs);
  const reader = await driver.feed('deployments');
  expect(upstream.of(routes.deployments)[0]?.closed).toBe(false);
  reader.close();
  await upstream.until(() => upstream.of(routes.deployments)[0]?.closed === true);
  const leaving = new AbortController();
  const asked = fetch(`${driver.url}${path}`, { signal: leaving.signal });
  await upstream.until(() => upstream.of(routes.deployments).length === 2);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await upstream.until(() => upstream.of(routes.deployments)[1]?.closed === true);
});

/** Resolves when the value has not changed for many turns of the event loop. */
async function atRest(look: () => number): Promise<void> {
  for (let seen = look(), turns = 0; turns < 2000; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (look() !== seen) [seen, turns] = [look(), 0];
  }
}

test('a slow reader slows down upstream and misses no events', async () => {
  const { driver, upstream } = await drivenUpstream();
  const piece = Buffer.alloc(64 * 1024, 'x');
  const total = 64 * 1024 * 1024;
  let sent = 0;
  upstream.script(routes.deployments, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => {
      for (let more = true; more && sent < total; sent += piece.length) more = response.write(piece);
      if (sent < total) response.once('drain', write);
      else response.end();
    };
    write();
  });
  const reader = connect(Number(new URL(driver.url).port), '127.0.0.1').pause();
  reader.write(`GET ${path} HTTP/1.0\r\n\r\n`);
  await upstream.until(() => upstream.of(routes.deployments).length === 1);
  await atRest(() => sent);
  expect(sent).toBeLessThan(total / 2);
  let bytes = 0;
  reader.on('data', (chunk) => {
    bytes += chunk.length;
  });
  reader.resume();
  await once(reader, 'close');
  expect(bytes).toBeGreaterThanOrEqual(total);
});

test.each([
  [401, 'application/problem+json', '{"type":"/problems/unauthorized"}'],
  [422, 'application/problem+json', '{"type":"/problems/validation"}'],
  [503, 'application/problem+json', '{"type":"/problems/unavailable"}'],
  [500, 'text/html', '<h1>no</h1>'],
  [302, 'text/plain', 'elsewhere'],
])('a %i from upstream is passed on with its body', async (status, type, body) => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(
    routes.deployments,
    answers(status, body, { 'content-type': type, location: '/healthz', 'retry-after': '7' }),
  );
  const answer = await driver.call('GET', path);
  expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([status, type, body]);
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(answer.headers.get('location')).toBe('/healthz');
  expect(upstream.received.some(({ path: asked }) => asked === '/healthz')).toBe(false);
});

test('an upstream connection that breaks before the response is answered with 502', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, cuts);
  expect(await driver.call('GET', path)).toMatchObject({
    status: 502,
    json: { type: '/problems/upstream', title: 'Upstream unreachable', status: 502, instance: path },
  });
});

test('if the upstream response does not begin in time, the driver answers 504 and cancels the call', async () => {
  const { driver, upstream } = await drivenUpstream({ times: { proxyTimeoutMs: 50 } });
  upstream.script(routes.deployments, hangs);
  expect(await driver.call('GET', path)).toMatchObject({
    status: 504,
    json: { type: '/problems/upstream', status: 504 },
  });
  await upstream.until(() => upstream.of(routes.deployments)[0]?.closed === true);
});

test('a repeated filter is answered with 422, without an upstream call', async () => {
  const { driver, upstream } = await drivenUpstream();
  expect((await driver.call('GET', `${path}?service=a&service=b`)).status).toBe(422);
  expect(upstream.of(routes.deployments)).toEqual([]);
});

test('HEAD is answered without a body, and the upstream call is cancelled', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, sends('data: 1\n\n'));
  // The connection is kept alive, so only the end of the response can cancel the call.
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const sent = request(`${driver.url}${path}`, { method: 'HEAD', agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  response.resume();
  await upstream.until(() => upstream.of(routes.deployments)[0]?.closed === true);
});

test('open passthroughs end cleanly when the driver stops', async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, sends('data: 1\n\n'));
  const response = await fetch(`${driver.url}${path}`);
  const text = response.text();
  await driver.stop();
  expect(await text).toBe('data: 1\n\n');
});
