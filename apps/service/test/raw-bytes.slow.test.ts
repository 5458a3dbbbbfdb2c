import {
  isWaitedFor,
  metricsOf,
  openTransaction,
  RawClient,
  StreamReader,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countStored } from './support/stored.ts';

const seed = Math.floor(Math.random() * 2 ** 31);

const requests = [
  'GET /healthz HTTP/1.1\r\nHost: shiplog\r\n\r\n',
  'GET /api/matrix?service=x HTTP/1.1\r\nHost: shiplog\r\nIf-None-Match: W/"x"\r\n\r\n',
  'GET /api/events/stream HTTP/1.1\r\nHost: shiplog\r\nLast-Event-ID: 00000000-0000-0000-0000-000000000000\r\n\r\n',
  'POST /api/deployments HTTP/1.1\r\nHost: shiplog\r\nX-Api-Key: no\r\nContent-Length: 2\r\n\r\n{}',
  'POST /api/deployments HTTP/1.1\r\nHost: shiplog\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
];

/** A request with some bytes replaced, doubled or removed, a truncated request, or random bytes. */
const spoiltRequest = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...requests),
        fc.array(fc.record({ at: fc.nat(150), take: fc.nat(3), give: fc.uint8Array({ maxLength: 3 }) }), {
          maxLength: 4,
        }),
      )
      .map(([text, places]) =>
        places.reduce(
          (spoilt, { at, take, give }) =>
            spoilt.slice(0, at) + Buffer.from(give).toString('latin1') + spoilt.slice(at + take),
          text,
        ),
      ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...requests), { minLength: 2, maxLength: 5 }).map((texts) => texts.join('')),
  },
);

/** Sends the bytes, closes the connection, and returns the response. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const client = await RawClient.connect(url);
  client.send(bytes);
  client.end();
  await client.closed();
  return client.text;
}

test(`bytes that are not a request get a 4xx or a closed connection and do no harm (seed ${seed})`, async () => {
  const database = await testDatabase();
  const service = await testService({ databaseUrl: database.url });
  await fc.assert(
    fc.asyncProperty(fc.array(spoiltRequest, { minLength: 10, maxLength: 20, size: 'max' }), async (all) => {
      const answers = await Promise.all(all.map((bytes) => answerTo(service.url, bytes)));
      for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 [1-4]\d\d |$)/);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    }),
    { seed, numRuns: 150 },
  );
  expect(await countStored(database.url)).toBe(0);
  await until(async () => (await metricsOf(service.url)).openStreams === 0);
});

test.each([
  'PRI /healthz\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'DESCRIBE /healthz RTSP/1.0\r\nHost: shiplog\r\n\r\n',
  'SOURCE /healthz ICE/1.0\r\nHost: shiplog\r\n\r\n',
  'BREW /healthz HTTP/1.1\r\nHost: shiplog\r\n\r\n',
])('a method of another protocol is rejected and no error is logged: %j', async (bytes) => {
  const database = await testDatabase();
  const lines: string[] = [];
  const service = await testService({ databaseUrl: database.url, log: { write: (line) => void lines.push(line) } });
  expect(await answerTo(service.url, bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(lines.filter((line) => line.includes('internal error'))).toEqual([]);
});

test('a stream requested after a slow request on the same connection starts when the slow request is done', async () => {
  const database = await testDatabase();
  const service = await testService({ databaseUrl: database.url });
  const holder = await openTransaction(database.url, 'lock table latest_deployments in access exclusive mode');
  const client = await RawClient.open(service.url);
  client.send('GET /api/services HTTP/1.1\r\nHost: x\r\n\r\nGET /api/events/stream HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => isWaitedFor(database.url, holder));
  // When a later request of the same kind gets its response, the second one has been read too.
  (await StreamReader.open({ url: `${service.url}/api/events/stream` })).close();
  await holder.query('rollback');
  await client.until((text) => text.includes('"items"'));
  await client.until((text) => text.includes('text/event-stream'));
  expect(client.text).toContain('retry: ');
});
