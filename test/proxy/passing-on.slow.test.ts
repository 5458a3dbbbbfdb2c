import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { limits } from '@shiplog/contract';
import {
  anEvent,
  freePort,
  postStored,
  RawClient,
  StreamReader,
  testDatabase,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { describeBehindProxies, startProxy } from './support/proxy.ts';

/** An instance that reads every request and then closes the connection without a response. */
async function silentInstance(): Promise<{ port: number; taken: IncomingMessage[] }> {
  const taken: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      // A proxy with health checks must consider this instance ready.
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
  test("the proxy retries a read without a response on another instance, but doesn't retry a post", async () => {
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

  test('the proxy sends a post to another instance if the first is not listening', async () => {
    const away = await freePort();
    const { url } = await startProxy(proxy, [away, await portOfService()]);
    for (let n = 0; n < 4; n += 1) await postStored(url, anEvent());
  });

  test("an instance gets the client's address and the requested host from the proxy", async () => {
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

  test("the proxy forwards an instance's response when no instance is ready", async () => {
    let checks = 0;
    const server = createServer((request, response) => {
      if (request.url === '/readyz') checks += 1;
      response.writeHead(503, { 'Retry-After': '7' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { url } = await startProxy(proxy, [port, port]);
    // When the third check arrives, the proxy knows the result of the second.
    await until(async () => !proxy.checks || checks > 5);
    const { status, headers } = await fetch(`${url}/api/services`);
    expect([status, headers.get('Retry-After')]).toEqual([503, '7']);
  });

  test("the proxy passes bodies up to the service's limit", async () => {
    const port = await portOfService();
    const { url } = await startProxy(proxy, [port, port]);
    expect((await postBody(url, ' '.repeat(limits.bodyBytes))).status).toBe(422);
    expect((await postBody(url, ' '.repeat(limits.bodyBytes + 1))).status).toBe(413);
  });

  test('the proxy does not serve metrics under any variant of their path', async () => {
    const port = await portOfService();
    const { url } = await startProxy(proxy, [port, port]);
    const answered = async (base: string, target: string) => {
      const client = await RawClient.open(base);
      client.send(`GET ${target} HTTP/1.1\r\nHost: shiplog\r\nConnection: close\r\n\r\n`);
      await client.closed();
      return client.text;
    };
    const ways = ['/metrics', '/%6detrics', '/%6Detrics?x=1', '/%6d%65%74%72%69%63%73', '/metrics?', '/metrics#x'];
    const odd = ['/%256detrics', '/metrics%3f', '//metrics', '/./metrics', '/x/../metrics', 'http://shiplog/%6detrics'];
    for (const way of ways)
      expect([way, await answered(url, way)]).toEqual([way, expect.stringMatching(/^HTTP\/1\.1 40[04] /)]);
    for (const way of [...ways, ...odd]) expect(await answered(url, way)).not.toContain('process_open_fds');
    // The service itself serves its metrics under each of these paths.
    for (const way of ways) expect(await answered(`http://127.0.0.1:${port}`, way)).toContain('process_open_fds');
  });

  test('every response over TLS has HSTS, including responses from the proxy itself', async () => {
    const port = await portOfService();
    const { url, tlsUrl } = await startProxy(proxy, [port, port]);
    for (const path of ['/api/services', '/metrics']) {
      const asked = get(`${tlsUrl}${path}`, { rejectUnauthorized: false });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.destroy();
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
      expect((await fetch(`${url}${path}`)).headers.get('strict-transport-security')).toBeNull();
    }
  });

  test('the proxy passes each frame immediately and separately', async () => {
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
