import { join } from 'node:path';
import { nilId } from '@shiplog/contract';
import {
  anEvent,
  isWaitedFor,
  listedEvents,
  openTransaction,
  ProgramProcess,
  postStored,
  RawClient,
  StreamReader,
  testDatabase,
  testFolder,
  testKeys,
  until,
  waitingFor,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';
import { PostRun } from './support/posting.ts';
import { storedEvents } from './support/stored.ts';

const keys = { API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control };

function spawnOn(environment: Readonly<Record<string, string>>): ProgramProcess {
  return ProgramProcess.spawn('service', { PORT: '0', ...keys, ...environment });
}

/** Requests the same paths repeatedly until there are no more responses. Returns every status. */
async function readUntilGone(url: string, paths: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  try {
    for (let n = 0; ; n++) {
      const response = await fetch(`${url}${paths[n % paths.length]}`);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  } catch {
    return statuses;
  }
}

/** Reads a stream from the beginning of the log to its end. */
async function wholeStream(url: string): Promise<RawClient> {
  const client = await RawClient.open(url);
  client.send(`GET /api/events/stream HTTP/1.1\r\nHost: shiplog\r\nLast-Event-ID: ${nilId}\r\n\r\n`);
  await client.closed();
  return client;
}

test('a service stopped under load exits with 0, ends its streams and loses no acknowledged post', async () => {
  const dataDir = join(await testFolder(), 'data');
  const service = spawnOn({ DATA_DIR: dataDir });
  const url = await service.ready();
  const streams = Array.from({ length: 3 }, () => wholeStream(url));
  const reads = ['/api/matrix', '/api/deployments', '/api/services', '/readyz'].map((path) =>
    readUntilGone(url, [path]),
  );
  const run = new PostRun(url, 32);
  await run.reaches(400);
  expect(await service.terminate()).toBe(0);
  await run.stop();
  expect(run.refused.filter((status) => status !== 503)).toEqual([]);
  expect((await Promise.all(reads)).flat().filter((status) => status !== 200 && status !== 503)).toEqual([]);
  for (const { text, failure } of await Promise.all(streams)) {
    expect(failure).toBeUndefined();
    expect(text).toMatch(/data: .*\n\n$/);
  }
  const next = spawnOn({ DATA_DIR: dataDir });
  const listed = await listedEvents(await next.ready());
  expect(run.answered.filter((event) => !listed.has(event.id))).toEqual([]);
  expect(await next.terminate()).toBe(0);
});

test('a post in progress when the service stops is stored and gets its response', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  const holder = await openTransaction(database.url, 'select from log_heads for update');
  const posted = postStored(url, anEvent());
  await until(() => isWaitedFor(database.url, holder));
  const ended = service.terminate();
  await service.until(() => service.output.includes('"msg":"stopping"'));
  await holder.query('commit');
  const { id } = await posted;
  expect(await ended).toBe(0);
  expect((await storedEvents(database.url)).map((event) => event.id)).toEqual([id]);
});

test('streams end as soon as the service stops, whatever else is in progress', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  const stream = wholeStream(url);
  const holder = await openTransaction(database.url, 'select from log_heads for update');
  const posted = postStored(url, anEvent());
  posted.catch(() => undefined);
  await until(() => isWaitedFor(database.url, holder));
  const ended = service.terminate();
  expect((await stream).failure).toBeUndefined();
  // If the stream were cut at the end of the grace period, the post would be cut too.
  await holder.query('commit');
  await posted;
  expect(await ended).toBe(0);
});

test('a service stopped while starting exits with 0 and leaves no server behind', async () => {
  const dataDir = join(await testFolder(), 'data');
  const service = spawnOn({ DATA_DIR: dataDir });
  await service.until(() => service.output.includes('creating a PostgreSQL'));
  expect(await service.terminate()).toBe(0);
  const next = spawnOn({ DATA_DIR: dataDir });
  await next.ready();
  expect(await next.terminate()).toBe(0);
});

test('a stalled stream reader does not delay the stop', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  const stalled = await RawClient.open(url);
  stalled.pause();
  stalled.send('GET /api/events/stream HTTP/1.1\r\nHost: shiplog\r\n\r\n');
  const reader = await StreamReader.open({ url: `${url}/api/events/stream` });
  // More than the kernel buffers for the stalled reader, so that part of its stream waits in the service.
  const parents = Array.from({ length: 32 }, (_, index) => `${index}`.padStart(180, 'p'));
  await appendAll(
    database.url,
    Array.from({ length: 4000 }, () => anEvent({ parent_deployments: parents })),
  );
  await reader.take(4000);
  expect(await service.terminate()).toBe(0);
});

test('a running step of the folds does not delay the stop', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  const holder = await openTransaction(database.url, 'lock table changes in exclusive mode');
  await postStored(url, anEvent());
  await until(() => isWaitedFor(database.url, holder));
  expect(await service.terminate()).toBe(0);
});

test('an unfinished request does not delay the stop', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  const client = await RawClient.open(url);
  client.send(
    `POST /api/deployments HTTP/1.1\r\nHost: shiplog\r\nX-Api-Key: ${testKeys.api}\r\nContent-Length: 100\r\n\r\n{`,
  );
  // When the service responds to a later request, it has read the unfinished one.
  await fetch(`${url}/healthz`);
  expect(await service.terminate()).toBe(0);
});

test('a stream request with an unread body does not delay the stop', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  const client = await RawClient.open(url);
  const bodyBytes = 200_000;
  client.send(`GET /api/events/stream HTTP/1.1\r\nHost: shiplog\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
  client.send('x'.repeat(bodyBytes));
  await client.until((text) => text.includes('retry: '));
  client.close();
  expect(await service.terminate()).toBe(0);
});

test('a stream requested just before the stop is not opened and does not delay the stop', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  // Everything that is still open at the end of the grace period is cut together with this request.
  const unfinished = await RawClient.open(url);
  unfinished.send(
    `POST /api/deployments HTTP/1.1\r\nHost: shiplog\r\nX-Api-Key: ${testKeys.api}\r\nContent-Length: 100\r\n\r\n{`,
  );
  const holder = await openTransaction(database.url, 'lock table log_heads in access exclusive mode');
  const late = await RawClient.open(url);
  late.send('GET /api/events/stream HTTP/1.1\r\nHost: shiplog\r\n\r\n');
  // The reset runner reads the same table every second and waits too.
  await until(async () => (await waitingFor(database.url, holder)).some(({ query }) => query.includes('begin_id')));
  const ended = service.terminate();
  await service.until(() => service.output.includes('"msg":"stopping"'));
  await holder.query('commit');
  await late.closed();
  expect(late.text).toBe('');
  expect(unfinished.isClosed).toBe(false);
  unfinished.close();
  expect(await ended).toBe(0);
});

test('a connection without a request, which browsers open in advance, does not delay the stop', async () => {
  const database = await testDatabase();
  const service = spawnOn({ DATABASE_URL: database.url });
  const url = await service.ready();
  // Everything that is still open at the end of the grace period is cut together with this request.
  const unfinished = await RawClient.open(url);
  unfinished.send('GET /api/services HTTP/1.1\r\n');
  const silent = await RawClient.open(url);
  // When the service responds to a later request, it has accepted both connections.
  await fetch(`${url}/healthz`);
  const ended = service.terminate();
  await silent.closed();
  expect(unfinished.isClosed).toBe(false);
  unfinished.close();
  expect(await ended).toBe(0);
});

test('a service whose log is not read still ends', async () => {
  const service = spawnOn({ DATABASE_URL: (await testDatabase()).url });
  const url = await service.ready();
  // An unfinished request prolongs the stop, so that the last line is written after the reader of the log has exited.
  const client = await RawClient.open(url);
  client.send(
    `POST /api/deployments HTTP/1.1\r\nHost: shiplog\r\nX-Api-Key: ${testKeys.api}\r\nContent-Length: 100\r\n\r\n{`,
  );
  await fetch(`${url}/healthz`);
  const ended = service.terminate();
  await service.until(() => service.output.includes('"stopping"'));
  service.child.stdout?.destroy();
  expect(await ended).toBe(0);
});
