import { randomUUID } from 'node:crypto';
import { anEvent, NetworkProxy, postStored, runSql, testDatabase, testService, until } from '@shiplog/testing';
import pg from 'pg';
import { afterEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { connectionWarning } from '../src/db/connection-room.ts';
import { Connections, openPool } from '../src/db/connections.ts';
import { Database, type Queries } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';
import { post } from './support/posting.ts';

const times = { heartbeatMs: 15_000, pollMs: 100, stalledMs: 600_000 };

afterEach(() => {
  vi.useRealTimers();
});

/** A database, and its URL for a user with this connection limit. */
async function databaseWithRoomFor(connections: number): Promise<{ url: string; asUser: string; user: string }> {
  const { url } = await testDatabase();
  const user = `shiplog_room_${randomUUID().replaceAll('-', '')}`;
  await runSql(url, `create role ${user} login connection limit ${connections}`);
  await runSql(url, `grant all on all tables in schema public to ${user}`);
  onTestFinished(async () => {
    await runSql(url, `drop owned by ${user}`);
    await runSql(inject('serverUrl'), `drop role ${user}`);
  });
  const asUser = new URL(url);
  asUser.username = user;
  return { url, asUser: asUser.href, user };
}

async function sessions(url: string): Promise<number> {
  const found = await runSql(
    url,
    `select from pg_stat_activity where datname = current_database() and application_name = 'shiplog'`,
  );
  return found.length;
}

/** Runs concurrent reads that open all available connections. The connections stay open for a minute. */
async function readALot(url: string): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(`${url}/api/matrix`)));
  await Promise.all(answers.map((answer) => answer.text()));
}

test('posts have their own connection from the start, however many connections readers use', async () => {
  const { asUser } = await databaseWithRoomFor(6);
  const service = await testService({ databaseUrl: asUser, times });
  await readALot(service.url);
  await postStored(service.url, anEvent());
});

test('idle connections for posts and readiness stay open, and idle connections for reads are closed', async () => {
  const { url } = await testDatabase();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  await database.answers();
  await Promise.all(Array.from({ length: 20 }, () => database.reads.query({ text: 'select 1' })));
  expect(await sessions(url)).toBeGreaterThan(2);
  vi.advanceTimersByTime(3_600_000);
  // Connections take a moment to close. Waiting for that needs real timers.
  vi.useRealTimers();
  await until(async () => (await sessions(url)) === 2);
  await database.appends.query({ text: 'select 1' });
  expect(await sessions(url)).toBe(2);
  await database.stop();
});

test('calls that wait for an abandoned server are rejected immediately, and the next call can use another server', async () => {
  const { url } = await testDatabase();
  const proxy = await NetworkProxy.open(url);
  const settings = { max: 1, min: 0, connectMs: 60_000, timeoutMs: 60_000, role: undefined, settings: {} } as const;
  const pool: Connections = new Connections(
    () => openPool({ connectionString: proxy.url }, settings, () => undefined),
    () => undefined,
  );
  await pool.query({ text: 'select 1' });
  proxy.way = 'silent';
  const asking = pool.session((session) => session.query({ text: 'select 1' }));
  const waiting = [pool.query({ text: 'select 1' }), pool.session(async () => undefined)];
  const refused = [asking, ...waiting].map((call) => expect(call).rejects.toThrow('left'));
  pool.leave('left');
  await Promise.all(refused);
  const connecting = pool.query({ text: 'select 1' });
  const cut = expect(connecting).rejects.toThrow('left again');
  pool.leave('left again');
  await cut;
  proxy.way = 'open';
  expect(await pool.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  await pool.stop();
});

test('an instance that loses its connection for posts is not ready until it has a new one', async () => {
  const { url, asUser } = await databaseWithRoomFor(4);
  const service = await testService({ databaseUrl: asUser, times });
  await readALot(service.url);
  const ready = async () => (await fetch(`${service.url}/readyz`)).status;
  expect(await ready()).toBe(200);
  await postStored(service.url, anEvent());
  // The limit prevents the instance from replacing the connection that is cut.
  await runSql(url, `alter role ${new URL(asUser).username} connection limit 0`);
  await runSql(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%unnest($2::text%'
    and datname = current_database() and pid <> pg_backend_pid()`,
  );
  await until(async () => (await ready()) === 503);
  expect((await post(service.url, anEvent())).status).toBe(503);
  await runSql(url, `alter role ${new URL(asUser).username} connection limit -1`);
  await until(async () => (await ready()) === 200);
  expect((await post(service.url, anEvent())).status).toBe(201);
});

test('a lost connection for posts is replaced before the next request', async () => {
  const { url } = await testDatabase();
  await testService({ databaseUrl: url, times });
  const own = `application_name like 'shiplog%' and datname = current_database() and pid <> pg_backend_pid()`;
  // Whenever the listener attaches, the service checks the server's durability on the connection for posts.
  const ofPosts = `select pid from pg_stat_activity where ${own} and query like '%synchronous_standby_names%'`;
  const before = await runSql<{ pid: number }>(url, ofPosts);
  expect(before).toHaveLength(1);
  await runSql(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${own}`);
  await until(async () => {
    const [now] = await runSql<{ pid: number }>(url, ofPosts);
    return now !== undefined && now.pid !== before[0]?.pid;
  });
});

test('a start fails with the reason when the server has no free connection', async () => {
  const { asUser } = await databaseWithRoomFor(0);
  await expect(testService({ databaseUrl: asUser })).rejects.toThrow(
    /^The database server has no connections left \(too many connections for role .*\), and an instance needs 19\. Raise/,
  );
});

function warningFor(room: object): Promise<string | undefined> {
  const queries = { query: async () => [room] } as unknown as Queries;
  return connectionWarning(queries, 16);
}

test('the service logs a warning if the server has fewer free connections than an instance may need', async () => {
  expect(await warningFor({ free: 15, setting: 'max_connections' })).toBeUndefined();
  expect(await warningFor({ free: 14, setting: 'max_connections' })).toBe(
    'the database server has 15 connections left, but an instance needs up to 16: posts and reads may fail with 503; raise max_connections',
  );
});

test('a start logs a warning if the user or the database has too low a connection limit', async () => {
  const { url, asUser, user } = await databaseWithRoomFor(7);
  const lines: { level: number; msg: string }[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const room = () => lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  await (await testService({ databaseUrl: asUser, log })).stop();
  expect(room()).toContainEqual(expect.stringMatching(`has 7 connections left.*connection limit of user ${user}$`));
  await runSql(url, `alter role ${user} connection limit -1`);
  const name = new URL(url).pathname.slice(1);
  await runSql(url, `alter database ${name} connection limit 9`);
  await until(async () => (await sessions(url)) === 0);
  await testService({ databaseUrl: asUser, log });
  expect(room()).toContainEqual(expect.stringMatching(`connections left.*connection limit of database ${name}$`));
});

test('a start without connection limits logs no warning', async () => {
  const { url } = await testDatabase();
  await runSql(url, `alter database ${new URL(url).pathname.slice(1)} connection limit 3`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const queries: Queries = { query: async ({ text }) => (await client.query(text)).rows };
  expect((await connectionWarning(queries, 16)) ?? '').not.toContain('connection limit of database');
});
