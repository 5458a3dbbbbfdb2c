import { httpLimits } from '@shiplog/server';
import {
  anEvent,
  metricsOf,
  ProgramProcess,
  RawClient,
  StreamReader,
  testDatabase,
  testKeys,
  until,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test } from 'vitest';

const ofEachKind = 100;
/** The guaranteed response time for other clients. */
const postMsMax = 1000;
/** At most one response (here 0.3 MB) is buffered per client that doesn't read (`limits.test.ts`). */
const growthBytesMax = 100_000_000;
/** The database connections of an instance, including its listener. */
const databaseConnectionsMax = 20;

const head = `Host: shiplog\r\nX-Api-Key: ${testKeys.api}\r\n`;
const wholeListing = `GET /api/deployments?limit=500 HTTP/1.1\r\n${head}\r\n`;

/** What each kind of client sends immediately, and what it then sends at one byte per second. */
const slowKinds: Readonly<Record<string, { readonly atOnce: string; readonly trickle?: string }>> = {
  'nothing at all': { atOnce: '' },
  'half a request line': { atOnce: 'POST /api/depl' },
  'headers that never end': { atOnce: `POST /api/deployments HTTP/1.1\r\n${head}X-Slow: `, trickle: 'x' },
  'a body that never ends': {
    atOnce: `POST /api/deployments HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n{"deployment_id":"`,
    trickle: 'x',
  },
};

/** Opens connections that send these bytes. They continue to send single bytes until the connection is closed. */
function slowClients(url: string, kind: { readonly atOnce: string; readonly trickle?: string }): Promise<RawClient[]> {
  return Promise.all(
    Array.from({ length: ofEachKind }, async () => {
      const client = await RawClient.connect(url);
      client.send(kind.atOnce);
      if (kind.trickle !== undefined) {
        const trickling = setInterval(() => client.send(kind.trickle ?? ''), 1000);
        void client.closed().then(() => clearInterval(trickling));
      }
      return client;
    }),
  );
}

/** Posts on a new connection like a pipeline; returns the response time. */
async function timedPost(url: string): Promise<number> {
  const body = JSON.stringify(anEvent());
  const begun = performance.now();
  const client = await RawClient.connect(url);
  client.send(
    `POST /api/deployments HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  await client.closed();
  expect(client.text).toMatch(/^HTTP\/1\.1 201 /);
  return performance.now() - begun;
}

test("500 slow clients don't delay posts, use little memory and are disconnected when they reach a limit", async () => {
  const database = await testDatabase();
  await appendAll(
    database.url,
    Array.from({ length: 500 }, () => anEvent({ run_url: `https://ci.example.com/${'r'.repeat(200)}` })),
  );
  const service = ProgramProcess.spawn(
    'service',
    {
      PORT: '0',
      DATABASE_URL: database.url,
      API_KEY: testKeys.api,
      CONTROL_API_KEY: testKeys.control,
    },
    { nodeArgs: ['--max-semi-space-size=2'] },
  );
  const url = await service.ready();
  const stream = await StreamReader.open({ url: `${url}/api/events/stream` });
  await timedPost(url);
  const before = { files: (await metricsOf(url)).openFiles, bytes: (await metricsOf(url)).residentBytes };

  const begun = performance.now();
  const slow = (await Promise.all(Object.values(slowKinds).map((kind) => slowClients(url, kind)))).flat();
  const deaf = await slowClients(url, { atOnce: wholeListing });
  for (const client of deaf) client.pause();
  onTestFinished(() => {
    for (const client of [...slow, ...deaf]) client.close();
  });
  await until(async () => (await metricsOf(url)).openFiles - before.files >= 5 * ofEachKind);

  const times: number[] = [];
  for (let posts = 0; posts < 100; posts++) times.push(await timedPost(url));
  expect(Math.max(...times)).toBeLessThan(postMsMax);
  await stream.take(1 + times.length);
  expect((await metricsOf(url)).residentBytes - before.bytes).toBeLessThan(growthBytesMax);

  await Promise.all(slow.map((client) => client.closed()));
  // Allows for one check interval after the timeout, and for delays on a busy machine.
  expect(performance.now() - begun).toBeLessThan(httpLimits.requestMs + 4 * httpLimits.checkMs);
  for (const client of slow) expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
  for (const client of deaf) client.close();
  // The remaining open connections are those of the service to its database.
  await until(async () => (await metricsOf(url)).openFiles - before.files < databaseConnectionsMax);
});
