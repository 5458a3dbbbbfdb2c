import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@shiplog/contract';
import { anEvent, freePort, postStored, StreamReader, testDatabase, testKeys, testService } from '@shiplog/testing';
import { expect, onTestFinished } from 'vitest';
import { startNginx, testBehindNginx } from './support/nginx.ts';

/** An instance that takes every request to its end and then hangs up without an answer. */
async function silentInstance(): Promise<{ port: number; taken: IncomingMessage[] }> {
  const taken: IncomingMessage[] = [];
  const server = createServer((request) => {
    request.resume().on('end', () => {
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

testBehindNginx('a post that was sent is not sent to another instance; a read that was not answered is', async () => {
  const silent = await silentInstance();
  const other = await silentInstance();
  const url = await startNginx([silent.port, other.port]);
  const posted = await postBody(url, JSON.stringify(anEvent()));
  expect(posted.status).toBe(502);
  expect([...silent.taken, ...other.taken].map(({ method }) => method)).toEqual(['POST']);
  const read = await fetch(`${url}/api/matrix`);
  expect(read.status).toBe(502);
  expect([...silent.taken, ...other.taken].filter(({ method }) => method === 'GET')).toHaveLength(2);
});

testBehindNginx('a post goes to the other instance where one does not listen', async () => {
  const away = await freePort();
  const url = await startNginx([away, await portOfService()]);
  for (let n = 0; n < 4; n += 1) await postStored(url, anEvent());
});

testBehindNginx('an instance learns who asks, and under which name', async () => {
  const { port, taken } = await silentInstance();
  const url = await startNginx([port, port]);
  await fetch(`${url}/api/services`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(taken[0]?.headers).toMatchObject({
    host: '127.0.0.1',
    'x-forwarded-for': '203.0.113.7, 127.0.0.1',
    'x-forwarded-proto': 'http',
  });
  expect(taken[0]?.headers.connection).not.toBe('close');
});

testBehindNginx('bodies pass up to the limit of the service, metrics do not pass', async () => {
  const port = await portOfService();
  const url = await startNginx([port, port]);
  expect((await postBody(url, ' '.repeat(limits.bodyBytes))).status).toBe(422);
  expect((await postBody(url, ' '.repeat(limits.bodyBytes + 1))).status).toBe(413);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
});

testBehindNginx('each frame passes at once and alone', async () => {
  const port = await portOfService();
  const url = await startNginx([port, port]);
  const reader = await StreamReader.open({ url: `${url}/api/events/stream` });
  for (let n = 1; n <= 3; n += 1) {
    const { id } = await postStored(url, anEvent());
    await reader.take(n);
    expect(reader.ids.at(-1)).toBe(id);
  }
});
