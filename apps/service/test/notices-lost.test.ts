import { once } from 'node:events';
import { channels } from '@shiplog/contract';
import {
  anEvent,
  countWaiting,
  metricsOf,
  NetworkProxy,
  openTransaction,
  postStored,
  runSql,
  StreamReader,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { cutListeners, cutListenersText, leverDatabase, openEar } from './support/levers.ts';

/** Settings for polling at a short interval, or never during a test. */
const polls = {
  soon: { heartbeatMs: 15_000, pollMs: 50, stalledMs: 600_000 },
  never: { heartbeatMs: 15_000, pollMs: 3_600_000, stalledMs: 600_000 },
};

/** §1 rule 9. */
const deliveryMaxMs = 5000;

async function readiness(url: string): Promise<{ status: number; checks: Record<string, string> }> {
  const response = await fetch(`${url}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, checks };
}

async function openThree(url: string): Promise<StreamReader[]> {
  return Promise.all([1, 2, 3].map(() => StreamReader.open({ url: `${url}/api/events/stream` })));
}

async function postSome(url: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await postStored(url, anEvent())).id);
  return ids;
}

/** The maximum number of connections that a service opens for reads. */
const readConnections = 8;

/** Makes the service open all its connections for reads, so that it doesn't need another one later. */
async function warmUp(url: string, databaseUrl: string): Promise<void> {
  await postSome(url, 1);
  // While the log is locked, each read waits on a separate connection.
  const holder = await openTransaction(databaseUrl, 'lock table deployments in access exclusive mode');
  const reads = Array.from({ length: readConnections }, () => fetch(`${url}/api/deployments`));
  await until(async () => (await countWaiting(databaseUrl)) >= readConnections);
  await holder.query('rollback');
  for (const answer of await Promise.all(reads)) await answer.text();
}

test('frames arrive by notice alone, on the instance that accepted the post and on another', async () => {
  const database = await testDatabase();
  const one = await testService({ databaseUrl: database.url, times: polls.never });
  const other = await testService({ databaseUrl: database.url, times: polls.never });
  const streams = await Promise.all(
    [one, other].map(({ url }) => StreamReader.open({ url: `${url}/api/events/stream` })),
  );
  const ids = await postSome(one.url, 20);
  for (const stream of streams) {
    await stream.take(ids.length);
    expect(stream.ids).toEqual(ids);
  }
});

test('frames arrive within 5 seconds with the default intervals even if every notification is lost', async () => {
  const database = await leverDatabase();
  const service = await testService({ databaseUrl: database.url });
  const ear = await openEar(database.url);
  await database.loseNotices(true);
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  const ids: string[] = [];
  for (let n = 1; n <= 3; n++) {
    ids.push(...(await postSome(service.url, n)));
    const late = AbortSignal.timeout(deliveryMaxMs);
    const all = stream.take(ids.length).then(() => true);
    const inTime = await Promise.race([all, once(late, 'abort').then(() => false)]);
    expect(inTime, 'the frames arrived in time').toBe(true);
    expect(stream.ids).toEqual(ids);
  }
  expect(await ear.heard()).toBe(0);
});

/** Prevents listeners from connecting to this database while `run` runs. Other existing connections stay open. */
async function withoutListeners(url: string, run: () => Promise<void>): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  // Connect before connections are disallowed, because the cutter could not connect later.
  const cutter = new pg.Client({ connectionString: url });
  await cutter.connect();
  onTestFinished(() => cutter.end());
  await runSql(maintenance.href, `alter database ${name} with allow_connections false`);
  await cutter.query(cutListenersText);
  await run();
  await runSql(maintenance.href, `alter database ${name} with allow_connections true`);
}

test('frames arrive by polling and /readyz reports the failure while the listener is disconnected, and afterwards the service is healthy', async () => {
  const database = await testDatabase();
  const service = await testService({ databaseUrl: database.url, times: polls.soon });
  const streams = await openThree(service.url);
  await warmUp(service.url, database.url);
  const meanwhile: string[] = [];
  await withoutListeners(database.url, async () => {
    await until(async () => (await readiness(service.url)).status === 503);
    const failing = Object.fromEntries(channels.map((channel) => [channel, 'fail']));
    expect((await readiness(service.url)).checks).toEqual({ db: 'ok', listen: 'fail', ...failing });
    meanwhile.push(...(await postSome(service.url, 20)));
    for (const stream of streams) await stream.until(({ ids }) => ids.includes(meanwhile.at(-1) ?? ''));
    expect((await readiness(service.url)).status).toBe(503);
  });
  await until(async () => (await readiness(service.url)).status === 200);
  const fine = Object.fromEntries(channels.map((channel) => [channel, 'ok']));
  expect((await readiness(service.url)).checks).toEqual({ db: 'ok', listen: 'ok', ...fine });
  const after = await postSome(service.url, 20);
  for (const stream of streams) {
    await stream.until(({ ids }) => ids.includes(after.at(-1) ?? ''));
    expect(stream.ids.slice(1)).toEqual([...meanwhile, ...after]);
  }
  expect((await metricsOf(service.url)).openStreams).toBe(streams.length);
});

test('events stored while the listener is disconnected arrive when it reconnects, without a poll', async () => {
  const database = await testDatabase();
  const service = await testService({ databaseUrl: database.url, times: polls.never });
  const streams = await openThree(service.url);
  await warmUp(service.url, database.url);
  const ids: string[] = [];
  await withoutListeners(database.url, async () => {
    await until(async () => (await readiness(service.url)).status === 503);
    ids.push(...(await postSome(service.url, 20)));
  });
  for (const stream of streams) {
    await stream.take(1 + ids.length);
    expect(stream.ids.slice(1)).toEqual(ids);
  }
});

test('no frame is lost or duplicated while listeners are cut repeatedly', async () => {
  const database = await testDatabase();
  const service = await testService({ databaseUrl: database.url, times: polls.soon });
  const streams = await openThree(service.url);
  const ids: string[] = [];
  for (let round = 0; round < 8; round++) {
    const [, posted] = await Promise.all([cutListeners(database.url), postSome(service.url, 10)]);
    ids.push(...posted);
  }
  for (const stream of streams) {
    await stream.take(ids.length);
    expect(stream.ids).toEqual(ids);
  }
});

test('a listener attaches again if it loses its connection while attaching', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times: polls.never });
  const attaching = proxy.holdAfter(`listen ${channels[0]}`);
  await cutListeners(database.url);
  const { hungUp } = await attaching;
  // This makes the response to LISTEN and the end of the connection reach the service together.
  await until(async () => (await runSql(database.url, `${cutListenersText} and query like 'listen %'`)).length > 0);
  await hungUp;
  proxy.way = 'open';
  await until(async () => (await readiness(service.url)).status === 200);
});

test('a service that reports that it is ready listens on every channel', async () => {
  const database = await testDatabase();
  let heard = '';
  const listen = (piece: Buffer) => {
    heard += piece.toString('latin1');
    return piece;
  };
  const proxy = await NetworkProxy.open(database.url, () => ({ answered: listen }));
  const service = await testService({ databaseUrl: proxy.url, times: polls.never });
  for (const channel of channels) await runSql(database.url, 'select pg_notify($1, $2)', [channel, `for ${channel}`]);
  await until(async () => {
    expect((await readiness(service.url)).status).toBe(200);
    return channels.every((channel) => heard.includes(`for ${channel}`));
  });
});
