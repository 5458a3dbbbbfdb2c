import { answers, cuts, freePort, heldBack, ScriptedServer } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { keepAliveFetch } from '../src/transfer/keep-alive-fetch.ts';

const route = 'POST /place';

function init(signal = new AbortController().signal) {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, redirect: 'manual', signal, body: '"ü"' } as const;
}

describe.each([
  ['the command', keepAliveFetch()],
  ['the platform', fetch],
] as const)('fetch of %s', (_, call) => {
  test('the fetch sends the request and returns the response, whatever its status', async () => {
    const server = await ScriptedServer.open(answers(404, '{"ä":1}', { 'retry-after': '3' }));
    const response = await call(`${server.url}/place`, init());
    const { status, ok, headers } = response;
    expect([status, ok, headers.get('Retry-After'), await response.text()]).toEqual([404, false, '3', '{"ä":1}']);
    expect(server.of(route)).toEqual([expect.objectContaining({ body: Buffer.from('"ü"') })]);
  });

  test('the fetch rejects with the reason of its signal', async () => {
    const server = await ScriptedServer.open(heldBack(200).act);
    const leaving = new AbortController();
    const asked = call(`${server.url}/place`, init(leaving.signal));
    await server.until(() => server.of(route).length === 1);
    const reason = new Error('left');
    leaving.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  test('the fetch fails with a cause if no server listens or the connection is cut', async () => {
    const server = await ScriptedServer.open(cuts);
    await expect(call(`${server.url}/place`, init())).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
    });
    await expect(call(`http://127.0.0.1:${await freePort()}/`, init())).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

test('many calls share one connection', async () => {
  const sockets = new Set<unknown>();
  const server = await ScriptedServer.open((response) => {
    sockets.add(response.socket);
    response.end('{}');
  });
  const call = keepAliveFetch();
  for (let n = 0; n < 3; n += 1) await (await call(`${server.url}/place`, init())).text();
  expect(sockets.size).toBe(1);
});
