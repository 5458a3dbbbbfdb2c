import type { Answer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { freshEvent, unique } from '../support/api.ts';
import { mediaType } from '../support/document-check.ts';
import { expectRefusal } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const slowMs = 90_000;

/** Expects an error response to malformed HTTP that has this status and a problem as its body. */
function expectBroken(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(mediaType(answer)).toBe('application/problem+json');
  expect(answer.json).toMatchObject({ status });
  expect(answer.headers.connection).toBe('close');
}

suite('requests that break HTTP', (api, { testSlow }) => {
  const post = (headers: string) =>
    `POST /api/deployments HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${api.keys.api}\r\n${headers}`;

  test.each([
    ['is not HTTP at all', 'hello\r\n\r\n'],
    ['has no valid method', 'GÉT /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['has an unknown method', 'FETCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['has white space in its target', 'GET /health z HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['has a control character in its target', 'GET /healthz\x01 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['has no HTTP version', 'GET /healthz HTTZ/1.1\r\nHost: x\r\n\r\n'],
    ['has a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['has NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n'],
    ['has a space before a colon', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n'],
    ['has no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['has two Host headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['has an invalid Host header', 'GET /healthz HTTP/1.1\r\nHost: x y\r\n\r\n'],
    ['has only line feeds as line endings', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
    ['has an unsupported HTTP version', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['has a folded header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n'],
  ])('reading 1.9: a request that %s gets 400 and a closed connection', async (_, text) => {
    const wire = await api.wire();
    await wire.send(text);
    expectBroken(await wire.answer(), 400);
    await wire.closed();
  });

  test.each([
    ['a chunk size that is not a number', 'Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n'],
    ['a chunk that is longer than its size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n'],
    ['both a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two different lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef'],
    ['another transfer coding besides chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a negative length', 'Content-Length: -1\r\n\r\n'],
    ['a length that is not a number', 'Content-Length: 0x10\r\n\r\n'],
  ])('reading 1.9: a post with %s gets 400 and a closed connection', async (_, rest) => {
    const wire = await api.wire();
    await wire.send(post(rest));
    expectBroken(await wire.answer(), 400);
    await wire.closed();
  });

  test('reading 1.9: headers that are too large get 431 and a closed connection', async () => {
    const wire = await api.wire();
    await wire.send(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(80_000)}\r\n\r\n`);
    expectBroken(await wire.answer(), 431);
    await wire.closed();
  });

  test('reading 1.9: headers of 8 KiB are not too large', async () => {
    const answer = await api.get('/healthz', {}, { 'X-Large': 'x'.repeat(8 * 1024) });
    expect(answer.status).toBe(200);
  });

  testSlow(
    'reading 1.9: headers that arrive too slowly get 408 and a closed connection',
    { timeout: slowMs },
    async () => {
      const wire = await api.wire();
      await wire.send('GET /healthz HTTP/1.1\r\nHost: x\r\n');
      expectBroken(await wire.answer(), 408);
      await wire.closed();
    },
  );

  testSlow(
    'reading 1.9: a body that arrives too slowly gets 408 and a closed connection',
    { timeout: slowMs },
    async () => {
      const wire = await api.wire();
      await wire.send(post('Content-Length: 100\r\n\r\n{'));
      expectBroken(await wire.answer(), 408);
      await wire.closed();
    },
  );

  test('reading 1.4: a wrong key is rejected before the body has been sent', async () => {
    const wire = await api.wire();
    await wire.send(
      'POST /api/deployments HTTP/1.1\r\nHost: x\r\nX-Api-Key: wrong\r\nContent-Length: 1000000000\r\n\r\n',
    );
    expectRefusal(await wire.answer(), 'unauthorized');
  });

  test('§7: an unsupported Expect header is ignored or rejected with a problem', async () => {
    const wire = await api.wire();
    await wire.send('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\n\r\n');
    const answer = await wire.answer();
    if (answer.status !== 200) expect(answer.json).toMatchObject({ status: answer.status });
    expect(mediaType(answer)).toMatch(/json$/);
  });

  test('reading 1.9: an Upgrade header is ignored', async () => {
    const wire = await api.wire();
    await wire.send('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    expect((await wire.answer()).status).toBe(200);
  });

  test('reading 1.9: a request that arrives byte by byte gets a response', async () => {
    const wire = await api.wire();
    const body = JSON.stringify(freshEvent());
    for (const byte of post(`Content-Length: ${body.length}\r\n\r\n${body}`)) await wire.send(byte);
    expect((await wire.answer()).status).toBe(201);
  });

  test.each([
    ['a head', 'GET /api/deployments?x=1 HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['a second Host header', 'GET /api/deployments?x=1 HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['a chunk', 'POST /api/deployments HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    [
      'a header that is too large',
      `GET /api/deployments HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
  ])('reading 8.4: the instance of an HTTP error caused by %s is the path', async (_, text, status) => {
    const wire = await api.wire();
    await wire.send(text.replace('Host: x\r\nT', `Host: x\r\nX-Api-Key: ${api.keys.api}\r\nT`));
    const answer = await wire.answer();
    expectBroken(answer, status);
    expect(answer.json).toMatchObject({ instance: '/api/deployments' });
  });

  test('reading 8.4: a request without a path has no instance', async () => {
    const wire = await api.wire();
    await wire.send('hello\r\n\r\n');
    expect((await wire.answer()).json).toMatchObject({ instance: '' });
  });

  test('reading 8.4: the instance of an absolute request target is its path', async () => {
    const wire = await api.wire();
    await wire.send('GET http://x.example/api/nope?a=b HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(expectRefusal(await wire.answer(), 'not-found').instance).toBe('/api/nope');
  });

  test.each([
    ['401', 'X-Api-Key: wrong\r\n', 'GET /api/nope HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['413', '', 'GET /api/nope HTTP/1.1\r\nHost: x\r\n\r\n'.padEnd(300_000, ' ')],
    ['422', '', 'GET /api/nope HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('§5, reading 1.4: the body of a post that returns %s is never parsed as a request', async (status, key, body) => {
    const wire = await api.wire();
    const headers = key === '' ? `X-Api-Key: ${api.keys.api}\r\n` : key;
    await wire.send(`POST /api/deployments HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n\r\n`);
    await wire.send(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(String((await wire.answer()).status)).toBe(status);
    // The connection may close, or the next request starts after the body.
    await wire.until((text) => text.includes('\r\n\r\n'));
    if (!wire.isClosed) expect((await wire.answer()).status).toBe(200);
  });

  test('reading 1.9: responses to pipelined requests are in order', async () => {
    const wire = await api.wire();
    const body = JSON.stringify(freshEvent());
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    await wire.send(health + post(`Content-Length: ${body.length}\r\n\r\n${body}`) + health.replace('healthz', 'nope'));
    expect((await wire.answer()).status).toBe(200);
    expect((await wire.answer()).status).toBe(201);
    expect((await wire.answer()).status).toBe(404);
  });

  test.each(['rubbish\r\n\r\n', 'GET /healthz HTTP/1.1\r\n\r\n'])(
    'reading 1.9: a complete request gets a response, even if %j follows it',
    async (broken) => {
      const event = freshEvent();
      const body = JSON.stringify(event);
      const wire = await api.wire();
      await wire.send(`${post(`Content-Length: ${body.length}\r\n\r\n${body}`)}${broken}`);
      expect(await wire.answer()).toMatchObject({ status: 201, json: event });
      expectBroken(await wire.answer(), 400);
      await wire.closed();
    },
  );

  test('reading 1.9: a request after a malformed one is not processed', async () => {
    const event = freshEvent();
    const body = JSON.stringify(event);
    const whole = post(`Content-Length: ${body.length}\r\n\r\n${body}`);
    for (const broken of [whole.replace('Host: x\r\n', ''), post('Content-Length: 1\r\n\r\n{').replace('Host', 'H')]) {
      const wire = await api.wire();
      await wire.send(broken + whole);
      expectBroken(await wire.answer(), 400);
      await wire.closed();
      expect(wire.text).toBe('');
    }
    expect((await api.list({ service: event.service })).items).toEqual([]);
  });

  test('§6: bytes that a client sends after its request never appear in its stream', async () => {
    for (const more of ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 'rubbish\r\n\r\n', '\x00'.repeat(100)]) {
      const service = unique();
      const wire = await api.wire();
      await wire.send(`GET /api/events/stream?service=${service} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await wire.until((text) => text.includes('retry: 2000\n'));
      await wire.send(more);
      await api.append({ service });
      // Closing the stream is also allowed, because the client then reconnects.
      await wire.until((text) => text.includes('data: '));
      expect(wire.text.match(/HTTP\/1/g)).toHaveLength(1);
    }
  });

  test('reading 1.9: clients that disconnect during a request do not affect others', async () => {
    for (const part of [
      post('Content-Length: 100\r\n\r\n{'),
      'GET /api/mat',
      'GET /api/events/stream HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      const wire = await api.wire();
      await wire.send(part);
      wire.close();
    }
    expect((await api.get('/readyz')).status).toBe(200);
  });
});
