import {
  anEvent,
  NetworkProxy,
  postStored,
  runSql,
  StreamReader,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { openPair } from './support/standby.ts';

const times = { heartbeatMs: 15_000, pollMs: 100, stalledMs: 600_000 };

/** Many concurrent requests, so that every connection of a pool is used. */
async function statusesOf(url: string, headers: Record<string, string> = {}): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url, { headers })));
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  return [...new Set(answers.map((answer) => answer.status))];
}

async function resumedStream(url: string, id: string): Promise<StreamReader> {
  return StreamReader.open({ url: `${url}/api/events/stream`, headers: { 'last-event-id': id } });
}

test('no connection is kept and no old data is shown when a route temporarily points to a standby', async () => {
  const pair = await openPair();
  const proxy = await NetworkProxy.open(pair.primaryUrl);
  const service = await testService({ databaseUrl: proxy.url, times });
  await postStored(service.url, anEvent());
  await pair.caughtUp();
  await pair.pause();
  const { id } = await postStored(service.url, anEvent());
  const stream = await resumedStream(service.url, id);
  const lookup = `${service.url}/api/deployments/${id}`;
  proxy.leadTo(pair.standbyUrl);
  proxy.cut();

  expect(await statusesOf(lookup)).toEqual([503]);
  expect(await statusesOf(`${service.url}/api/matrix`)).toEqual([503]);
  expect(await statusesOf(`${service.url}/api/events/stream`, { 'last-event-id': id })).toEqual([503]);
  expect(await statusesOf(`${service.url}/readyz`)).toEqual([503]);

  proxy.leadTo(pair.primaryUrl);
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  expect(await statusesOf(lookup)).toEqual([200]);
  const resumed = await resumedStream(service.url, id);
  const later = await postStored(service.url, anEvent());
  for (const reader of [stream, resumed]) {
    await reader.take(1);
    expect(reader.ids).toEqual([later.id]);
  }
});

/** A database that claims to be a standby when the test says so. */
async function databaseInTwoRoles(): Promise<{ url: string; become: (role: 'primary' | 'standby') => Promise<void> }> {
  const { url } = await testDatabase();
  await runSql(
    url,
    `create schema pretence;
     create table pretence.role (standby boolean not null);
     insert into pretence.role values (false);
     create function pretence.pg_is_in_recovery() returns boolean language sql as 'select standby from pretence.role';
     alter database ${new URL(url).pathname.slice(1)} set search_path = public, pretence, pg_catalog`,
  );
  const become = async (role: string) => {
    await runSql(url, 'update pretence.role set standby = $1', [role === 'standby']);
  };
  return { url, become };
}

test('a connection to a standby is not used', async () => {
  const database = await databaseInTwoRoles();
  const proxy = await NetworkProxy.open(database.url);
  const service = await testService({ databaseUrl: proxy.url, times });
  const { id } = await postStored(service.url, anEvent());
  await database.become('standby');
  proxy.cut();
  for (const path of [`/api/deployments/${id}`, '/api/matrix', '/api/services', '/readyz']) {
    expect(await statusesOf(`${service.url}${path}`), path).toEqual([503]);
  }
  await database.become('primary');
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  expect(await statusesOf(`${service.url}/api/deployments/${id}`)).toEqual([200]);
});

test('a stream request that reaches a standby gets 503 until the server is a primary', async () => {
  const database = await databaseInTwoRoles();
  const service = await testService({ databaseUrl: database.url, times });
  const { id } = await postStored(service.url, anEvent());
  await database.become('standby');
  expect(await statusesOf(`${service.url}/api/events/stream`, { 'last-event-id': id })).toEqual([503]);
  await database.become('primary');
  expect(await statusesOf(`${service.url}/api/events/stream`, { 'last-event-id': id })).toEqual([200]);
});
