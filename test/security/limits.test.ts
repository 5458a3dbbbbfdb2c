import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { driverLimits, fetcherLimits } from '@shiplog/companions';
import { limits, streamTimes } from '@shiplog/contract';
import { createHttp, createLogger, descriptorRoom, httpLimits } from '@shiplog/server';
import { RawClient } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { settings } from '../../apps/service/src/config.ts';

type App = Awaited<ReturnType<typeof createHttp>>;

interface TestHttp {
  readonly app: App;
  readonly url: string;
  readonly log: readonly string[];
}

/** The HTTP server that all programs use, with additions by a test. Closed after the test. */
async function testHttp(add: (app: App) => void = () => undefined): Promise<TestHttp> {
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => void log.push(line) });
  const app = await createHttp({ logger, problemBase: '/problems' });
  app.get('/', (_request, reply) => reply.send('here'));
  add(app);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return { app, url, log };
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

function countAnswers(text: string): number {
  return text.split('HTTP/1.1 200 ').length - 1;
}

test('the HTTP server has the limits in the table of SECURITY.md', async () => {
  const { app } = await testHttp();
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = app.server;
  expect([headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections]).toEqual([
    httpLimits.headersMs,
    httpLimits.requestMs,
    httpLimits.idleMs,
    httpLimits.stillMs,
    httpLimits.connections,
  ]);
});

/** The value of a numeric constant that a service module does not export. */
function numberIn(file: string, name: string): number {
  const text = readFileSync(new URL(`../../apps/service/src/${file}`, import.meta.url), 'utf8');
  const [, digits = ''] = new RegExp(`const ${name} = ([0-9_]+);`).exec(text) ?? [];
  return Number(digits.replaceAll('_', ''));
}

const numbersIn = (file: string, names: readonly string[]) => names.map((name) => numberIn(file, name)).join(', ');

test('SECURITY.md lists the limits with the values in the code', () => {
  const seconds = (ms: number) => `${ms / 1000} s`;
  const table = Object.entries({
    'Head of a request': `${httpLimits.headerBytes / 1024} KiB`,
    'Parameters of a query': limits.queryPairs.toLocaleString('en'),
    'Body of a request': `${limits.bodyBytes / 1024} KiB`,
    'Body that the driver forwards': `${driverLimits.forwardedBodyBytes / 1024 ** 2} MiB`,
    'Payload of a report, cursor of a fetcher': `${limits.payloadBytes / 1024} KiB each`,
    'Time for a head to arrive': seconds(httpLimits.headersMs),
    'Time for a whole request to arrive': seconds(httpLimits.requestMs),
    'Time between two requests on a connection': seconds(httpLimits.idleMs),
    'Time without a byte while a response is due': seconds(httpLimits.stillMs),
    'Time in which a stream reader accepts nothing': `${streamTimes.stalledMs / 60_000} min`,
    'Requests sent ahead on a connection': `${httpLimits.requestsAhead}`,
    'Connections of an instance': httpLimits.connections.toLocaleString('en'),
    'Body of a delivery to the fetcher': `${fetcherLimits.deliveryBytes / 1024 ** 2} MiB`,
    'Deliveries that the fetcher has not stored': `${fetcherLimits.deliveryQueue}`,
    'Slow reads in progress for a client, and computations among them': `${settings.readsPerClient.fallback} (\`READS_PER_CLIENT\`) and ${numberIn('http/client-reads.ts', 'coldPerClient')}`,
    'Rows of a page': `${limits.pageSizeMax}`,
    'Posts that wait for the database': numberIn('appender.ts', 'waitingMax').toLocaleString('en'),
    'Wait for a connection to the database': seconds(numberIn('db/connection.ts', 'connectTimeoutMs')),
    'Connections for reads; of these, for slow reads; of these, for reads of the past': numbersIn('db/database.ts', [
      'readConnectionsMax',
      'slowReadsMax',
      'pastReadsMax',
    ]),
    'Connections that compute; of these, for windows other than the standard ones': numbersIn('db/database.ts', [
      'analyticsConnectionsMax',
      'questionsMax',
    ]),
    'Database statement of a request': seconds(numberIn('db/database.ts', 'queryTimeoutMs')),
    'Database statement of analytics': seconds(numberIn('db/database.ts', 'analyticsTimeoutMs')),
  });
  const text = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  const rows =
    text
      .split('\n## Limits\n')[1]
      ?.split('\n## ')[0]
      ?.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm) ?? [];
  const told = [...rows].map(([, what, limit]) => [what, limit]).slice(2);
  expect(told).toEqual(table);
});

test('a process with a low file limit accepts fewer connections and says how many it needs', () => {
  const wanted = httpLimits.connections;
  expect(descriptorRoom(wanted, 65_536)).toEqual({ connections: wanted, warning: undefined });
  expect(descriptorRoom(wanted, 16_199)).toEqual({
    connections: 15_999,
    warning: expect.stringMatching(
      /may open 16199 files, .* for 15999 connections instead of 16000; raise .* to 16200/,
    ),
  });
  expect(descriptorRoom(wanted, 64).connections).toBe(16);
});

test('connections above the limit are closed immediately with one log line, and open connections continue to work', async () => {
  const { app, url, log } = await testHttp();
  app.server.maxConnections = 2;
  const open = [await RawClient.open(url), await RawClient.open(url)];
  for (const client of open) {
    client.send(request);
    await client.until((text) => text.includes('here'));
  }
  for (let more = 0; more < 3; more++) {
    const client = await RawClient.open(url);
    await client.closed();
    expect(client.text).toBe('');
  }
  expect(log.filter((line) => line.includes('2 connections are open'))).toHaveLength(1);
  for (const client of open) {
    client.send(request);
    await client.until((text) => countAnswers(text) === 2);
    expect(client.isClosed).toBe(false);
  }
});

test.each(['a', 'b%20c', '%zz'])('a query with too many parameters, including %s, is refused', async (name) => {
  const { url } = await testHttp();
  const query = (count: number) => fetch(`${url}/?${`&${name}=1&`.repeat(count)}`);
  expect((await query(limits.queryPairs)).status).toBe(200);
  const refused = await query(limits.queryPairs + 1);
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({
      type: '/problems/validation',
      detail: 'The query has more than 1000 parameters; send fewer.',
      errors: [{ pointer: '', message: 'must have at most 1000 parameters' }],
    }),
  ]);
});

test('pipelined requests are handled one at a time', async () => {
  let [underWay, most] = [0, 0];
  const { url } = await testHttp((app) => {
    app.get('/slow', async (_request, reply) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return reply.send('here');
    });
  });
  const client = await RawClient.open(url);
  // The limit applies to requests that are waiting at the same time.
  for (const round of [1, 2]) {
    client.send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1 + httpLimits.requestsAhead));
    await client.until((text) => countAnswers(text) === round * (1 + httpLimits.requestsAhead));
  }
  expect([client.isClosed, most]).toEqual([false, 1]);
});

test.each([1, 20, 5000])(
  'if a client pipelines %i requests too many, these are ignored and all earlier requests get a response',
  async (more) => {
    let handled = 0;
    const { url } = await testHttp((app) => {
      app.get('/counted', async (_request, reply) => {
        handled += 1;
        await new Promise((resolve) => setImmediate(resolve));
        return reply.send('here');
      });
    });
    const client = await RawClient.open(url);
    client.send('GET /counted HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1 + httpLimits.requestsAhead + more));
    await client.closed();
    expect([countAnswers(client.text), handled]).toEqual([1 + httpLimits.requestsAhead, 1 + httpLimits.requestsAhead]);
    expect(client.text).toMatch(/connection: close\r\n.*here$/is);
  },
);

test('the server stops reading from a client that pipelines too many requests and reads no responses', async () => {
  const { url } = await testHttp((app) => {
    app.get('/held', () => new Promise(() => undefined));
  });
  const client = await RawClient.open(url);
  const sent = client.send('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000_000)).then(() => 'all');
  const looks = Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/`).then((answer) => answer.text())));
  expect(await Promise.race([sent, looks.then(() => 'not all')])).toBe('not all');
});

test("the server abandons a response that the client doesn't read", async () => {
  const answerBytes = 64 * 1024 * 1024;
  let givenUp: Promise<unknown> = Promise.resolve();
  const { app, url } = await testHttp((server) => {
    server.get('/large', (_request, reply) => {
      givenUp = once(reply.raw, 'close');
      return reply.send(Buffer.alloc(answerBytes));
    });
  });
  app.server.timeout = 100;
  const client = await RawClient.open(url);
  client.send('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until((text) => text.includes('HTTP/1.1 200'));
  client.pause();
  await givenUp;
  client.resume();
  await client.closed();
  expect(client.text.length).toBeLessThan(answerBytes);
});
