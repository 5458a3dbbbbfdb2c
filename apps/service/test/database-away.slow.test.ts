import { once } from 'node:events';
import { channels, endpoints, nilId } from '@shiplog/contract';
import {
  anEvent,
  filledPath,
  NetworkProxy,
  openTransaction,
  postStored,
  StreamReader,
  servedOperations,
  testDatabase,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';
import { PostRun, post } from './support/posting.ts';
import { countStored, storedEvents } from './support/stored.ts';

const times = { heartbeatMs: 15_000, pollMs: 100, stalledMs: 600_000 };
/** Well above one database attempt, and below a caller's timeout. */
const answerWithinMs = 10_000;

interface Answer {
  readonly call: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly type: unknown;
}

/** Endpoints that work without the database. */
const withoutDatabase: readonly string[] = [
  endpoints.getVersion.path,
  endpoints.getBenchmarks.path,
  endpoints.getAccessSelf.path,
];

/** Required query parameters. */
const needed: Readonly<Record<string, string>> = { [endpoints.diffEnvironments.path]: '?from=dev&to=prod' };

/** Calls ingest and every endpoint that reads the database, all at the same time. */
async function callAll(url: string): Promise<Answer[]> {
  const operations = await servedOperations(url);
  const isRead = ({ method, path }: (typeof operations)[number]) =>
    method === 'GET' && path.startsWith('/api/') && !withoutDatabase.includes(path);
  const reads = operations.filter(isRead);
  const calls = reads.map(({ path }) => ({
    method: 'GET',
    path: `${filledPath(path)}${needed[path] ?? ''}`,
    body: null,
  }));
  const ingest = { method: 'POST', path: '/api/deployments', body: JSON.stringify(anEvent()) };
  return Promise.all(
    [...calls, ingest].map(async ({ method, path, body }) => {
      const response = await fetch(`${url}${path}`, {
        method,
        body,
        headers: { 'x-api-key': testKeys.api, 'x-control-api-key': testKeys.control },
        signal: AbortSignal.timeout(answerWithinMs),
      });
      // A stream has no end.
      const problem = response.ok ? {} : ((await response.json()) as { type?: unknown });
      await response.body?.cancel().catch(() => undefined);
      const retryAfter = response.headers.get('retry-after');
      return { call: `${method} ${path}`, status: response.status, retryAfter, type: problem.type };
    }),
  );
}

function expectUnavailable(answers: readonly Answer[]): void {
  const unavailable = { status: 503, retryAfter: '5', type: '/problems/unavailable' };
  expect(answers).toEqual(answers.map(({ call }) => ({ call, ...unavailable })));
}

async function probes(url: string) {
  const readiness = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerWithinMs) });
  const { checks } = (await readiness.json()) as { checks: Record<string, string> };
  return {
    alive: (await fetch(`${url}/healthz`)).status,
    ready: readiness.status,
    retryAfter: readiness.headers.get('retry-after'),
    checks,
  };
}

const everyChannel = (state: 'ok' | 'fail') => Object.fromEntries(channels.map((channel) => [channel, state]));
const away = {
  alive: 200,
  ready: 503,
  retryAfter: '5',
  checks: { db: 'fail', listen: 'fail', ...everyChannel('fail') },
};

test('while the database refuses connections, calls return 503, the service keeps running, and streams lose no frames', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  const neighbour = await testService({ databaseUrl: database.url, times });
  const streams = await Promise.all(
    ['', '?service=payments-api'].map((search) =>
      StreamReader.open({ url: `${service.url}/api/events/stream${search}` }),
    ),
  );
  await postStored(service.url, anEvent());
  for (let round = 0; round < 2; round++) {
    proxy.way = 'refused';
    expectUnavailable(await callAll(service.url));
    await until(async () => (await probes(service.url)).checks.listen === 'fail');
    expect(await probes(service.url)).toEqual(away);
    for (let n = 0; n < 5; n++) await postStored(neighbour.url, anEvent());
    proxy.way = 'open';
    await until(async () => (await probes(service.url)).ready === 200);
    await postStored(service.url, anEvent());
  }
  const due = (await storedEvents(database.url)).map((event) => event.id);
  expect(due).toHaveLength(13);
  for (const stream of streams) {
    await stream.take(due.length);
    expect(stream.ids).toEqual(due);
    expect(stream.ended).toBe(false);
  }
});

test('every call returns 503 within a time limit when the database accepts connections but never responds', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  await postStored(service.url, anEvent());
  // Use all connections first, so that connections that have just worked become silent too.
  for (let round = 0; round < 3; round++) await callAll(service.url);
  proxy.way = 'silent';
  const [answers, probed] = await Promise.all([callAll(service.url), probes(service.url)]);
  expectUnavailable(answers);
  expect(probed).toMatchObject({ alive: 200, ready: 503, retryAfter: '5', checks: { db: 'fail' } });
  proxy.way = 'open';
  await until(async () => (await probes(service.url)).ready === 200);
  await postStored(service.url, anEvent());
  const due = (await storedEvents(database.url)).map((event) => event.id);
  await stream.take(due.length);
  expect(stream.ids).toEqual(due);
});

test('silently dead connections delay neither calls nor frames', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  const neighbour = await testService({ databaseUrl: database.url, times });
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  for (let round = 0; round < 3; round++) await callAll(service.url);
  const known = (await storedEvents(database.url)).length;
  proxy.strand();
  const { id } = await postStored(neighbour.url, anEvent());
  const frame = stream.take(known + 1);
  const late = AbortSignal.timeout(answerWithinMs);
  const inTime = await Promise.race([frame.then(() => true), once(late, 'abort').then(() => false)]);
  expect(inTime, 'the frame arrived in time').toBe(true);
  expect(stream.ids.at(-1)).toBe(id);
  await until(async () => (await probes(service.url)).ready === 200);
  await postStored(service.url, anEvent());
});

test('posts in a batch get 503 when the commit gets no response, and each post is stored once', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  await postStored(service.url, anEvent());
  const holder = await openTransaction(database.url, 'select from log_heads for update');
  // The first post is a batch of its own. Posts that arrive while it waits form the next batch.
  const first = post(service.url, anEvent());
  const next = Array.from({ length: 20 }, (_, n) => post(service.url, anEvent({ deployment_id: `next-batch-${n}` })));
  await fetch(`${service.url}/healthz`);
  const said = proxy.holdAfter('next-batch');
  await holder.query('commit');
  await said;
  await until(async () => (await countStored(database.url)) > 2);
  proxy.cut();
  expect((await first).status).toBe(201);
  const statuses = (await Promise.all(next)).map(({ status }) => status);
  expect(statuses).toContain(503);
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
  const deployments = (await storedEvents(database.url)).map((event) => event.deployment_id);
  expect(deployments).toEqual([...new Set(deployments)]);
});

test("a stream that can't read its next page waits for the database and resumes", async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  const ids = await appendAll(
    database.url,
    Array.from({ length: 1200 }, () => anEvent()),
  );
  const streamed = `${service.url}/api/events/stream`;
  for (const search of ['', '?service=payments-api']) {
    // Before the service responds to a stream request, it looks up the last id that it sent before the connection was
    // cut. This is the same id.
    await until(async () => {
      const { status, body } = await fetch(streamed);
      await body?.cancel();
      return status === 200;
    });
    const said = proxy.holdAfter(ids[499] ?? '');
    const stream = await StreamReader.open({
      url: `${streamed}${search}`,
      headers: { 'last-event-id': nilId },
    });
    await said;
    proxy.way = 'refused';
    await until(async () => (await probes(service.url)).checks.listen === 'fail');
    proxy.way = 'open';
    await stream.take(ids.length);
    expect(stream.ids).toEqual(ids);
  }
});

test('no acknowledged posts and no frames are lost while connections are cut repeatedly under load', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  const run = new PostRun(service.url, 16);
  for (let cuts = 1; cuts <= 8; cuts++) {
    await run.reaches(cuts * 60);
    proxy.cut();
  }
  await run.reaches(600);
  await run.stop();
  const stored = await storedEvents(database.url);
  const ids = new Set(stored.map((event) => event.id));
  expect(run.answered.filter((event) => !ids.has(event.id))).toEqual([]);
  expect(run.refused.filter((status) => status !== 503)).toEqual([]);
  expect(new Set(stored.map((event) => event.deployment_id)).size).toBe(stored.length);
  await stream.take(stored.length);
  expect(stream.ids).toEqual(stored.map((event) => event.id));
});
