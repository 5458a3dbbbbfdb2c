import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@shiplog/contract';
import {
  anEvent,
  freePort,
  postStored,
  StreamReader,
  testDatabase,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { describeBehindProxies, startProxy } from './support/proxy.ts';

/** An instance that takes every request to its end and then hangs up without an answer. */
async function silentInstance(): Promise<{ port: number; taken: IncomingMessage[] }> {
  const taken: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      // A proxy that looks after instances by itself is told that this one is there.
      if (request.url === '/readyz') return void response.end();
      taken.push(request);
      request.socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, taken };
}

async function portOfService(): Promise<number> {
  const { url: databaseUrl } = await testDatabase();
  return Number(new URL((await testService({ databaseUrl })).url).port);
}

function postBody(url: string, body: string): Promise<Response> {
  return fetch(`${url}/api/deployments`, { method: 'POST', headers: { 'x-api-key': testKeys.api }, body });
}

describeBehindProxies((proxy) => {
  test('a post that was sent is not sent to another instance; a read that was not answered is', async () => {
    const silent = await silentInstance();
    const other = await silentInstance();
    const { url } = await startProxy(proxy, [silent.port, other.port]);
    const posted = await postBody(url, JSON.stringify(anEvent()));
    expect(posted.status).toBe(502);
    expect([...silent.taken, ...other.taken].map(({ method }) => method)).toEqual(['POST']);
    const read = await fetch(`${url}/api/matrix`);
    expect(read.status).toBe(502);
    expect([...silent.taken, ...other.taken].filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
  });

  test('a post goes to the other instance where one does not listen', async () => {
    const away = await freePort();
    const { url } = await startProxy(proxy, [away, await portOfService()]);
    for (let n = 0; n < 4; n += 1) await postStored(url, anEvent());
  });

  test('an instance learns who asks, and under which name', async () => {
    const { port, taken } = await silentInstance();
    const { url } = await startProxy(proxy, [port, port]);
    await fetch(`${url}/api/services`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(taken[0]?.headers).toMatchObject({
      host: expect.stringMatching(/^127\.0\.0\.1(:\d+)?$/),
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'http',
    });
    expect(taken[0]?.headers.connection).not.toBe('close');
  });

  test('where no instance is ready, the answer is theirs', async () => {
    let checks = 0;
    const server = createServer((request, response) => {
      if (request.url === '/readyz') checks += 1;
      response.writeHead(503, { 'Retry-After': '7' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { url } = await startProxy(proxy, [port, port]);
    // Of the third check of one of them, the second has been judged.
    await until(async () => !proxy.checks || checks > 5);
    const { status, headers } = await fetch(`${url}/api/services`);
    expect([status, headers.get('Retry-After')]).toEqual([503, '7']);
  });

  test('bodies pass up to the limit of the service, metrics do not pass', async () => {
    const port = await portOfService();
    const { url } = await startProxy(proxy, [port, port]);
    expect((await postBody(url, ' '.repeat(limits.bodyBytes))).status).toBe(422);
    expect((await postBody(url, ' '.repeat(limits.bodyBytes + 1))).status).toBe(413);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  });

  test('each frame passes at once and alone', async () => {
    const port = await portOfService();
    const { url } = await startProxy(proxy, [port, port]);
    const reader = await StreamReader.open({ url: `${url}/api/events/stream` });
    for (let n = 1; n <= 3; n += 1) {
      const { id } = await postStored(url, anEvent());
      await reader.take(n);
      expect(reader.ids.at(-1)).toBe(id);
    }
  });
});
