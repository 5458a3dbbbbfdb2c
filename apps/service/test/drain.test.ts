import { readFileSync } from 'node:fs';
import { anEvent, RawClient, testDatabase, testKeys, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { storedEvents } from './support/stored.ts';

/** The stop ends when the last connection closes, long before this time. */
const drainMs = 60_000;

test('a stopping service handles one more request on each open connection of a proxy', async () => {
  const { url: databaseUrl } = await testDatabase();
  const service = await testService({ databaseUrl, times: { drainMs } });
  const kept = await Promise.all(Array.from({ length: 2 }, () => RawClient.open(service.url)));
  for (const connection of kept) {
    connection.send('GET /readyz HTTP/1.1\r\nHost: shiplog\r\n\r\n');
    const { status, headers } = await connection.answer();
    expect([status, headers.connection]).toEqual([200, 'keep-alive']);
  }
  const stopped = service.stop();
  const [probing, posting] = kept;
  probing?.send('GET /readyz HTTP/1.1\r\nHost: shiplog\r\n\r\n');
  expect((await probing?.answer())?.status).toBe(503);
  const body = JSON.stringify(anEvent());
  const head = `Host: shiplog\r\nX-Api-Key: ${testKeys.api}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  posting?.send(`POST /api/deployments HTTP/1.1\r\n${head}${body}`);
  const posted = await posting?.answer();
  expect([posted?.status, posted?.headers.connection]).toEqual([201, 'close']);
  await Promise.all(kept.map((connection) => connection.closed()));
  await stopped;
  expect(await storedEvents(databaseUrl)).toEqual([posted?.json]);
});

test('a stopping service refuses new connections and streams, so that a proxy sends them elsewhere', async () => {
  const { url: databaseUrl } = await testDatabase();
  const service = await testService({ databaseUrl, times: { drainMs } });
  const kept = await RawClient.open(service.url);
  kept.send('GET /healthz HTTP/1.1\r\nHost: shiplog\r\n\r\n');
  expect((await kept.answer()).status).toBe(200);
  const stopped = service.stop();
  const isRefused = (connecting: Promise<RawClient>) =>
    connecting.then(
      (connection) => connection.close(),
      () => true,
    );
  await until(async () => (await isRefused(RawClient.connect(service.url))) === true);
  expect(kept.isClosed).toBe(false);
  kept.send('GET /api/events/stream HTTP/1.1\r\nHost: shiplog\r\n\r\n');
  await kept.closed();
  expect(kept.text).toBe('');
  await stopped;
});

/** The number of connections to a port that the system has accepted but the program has not. */
function waitingConnections(port: number): number {
  const listening = `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A `;
  const line = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .find((socket) => socket.includes(listening));
  return Number.parseInt(line?.split(' 0A ')[1]?.split(':')[1] ?? '0', 16);
}

test.skipIf(process.platform !== 'linux')(
  'requests on connections that the system accepted before the stop get a response',
  async () => {
    const { url: databaseUrl } = await testDatabase();
    const service = await testService({ databaseUrl, times: { drainMs } });
    const connecting = Array.from({ length: 40 }, () => RawClient.open(service.url));
    await new Promise((resolve) => process.nextTick(resolve));
    // The service uses the same event loop, so it can't accept any of them in the meantime.
    while (waitingConnections(Number(new URL(service.url).port)) < connecting.length);
    const stopped = service.stop();
    const clients = await Promise.all(connecting);
    for (const client of clients) client.send('GET /healthz HTTP/1.1\r\nHost: shiplog\r\n\r\n');
    const answers = await Promise.all(clients.map((client) => client.answer()));
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
    await stopped;
  },
);
