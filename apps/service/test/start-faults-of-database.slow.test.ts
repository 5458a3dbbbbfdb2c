import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { NetworkProxy, NoticeFilter, runSql, testDatabase, testFolder } from '@shiplog/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { refusedStart, secretKeys } from './support/refused-start.ts';

const pooler = '/usr/sbin/pgbouncer';

/** The message about an unusable database. */
async function refusal(databaseUrl: string): Promise<string> {
  const sentences = await refusedStart({ ...secretKeys, DATABASE_URL: databaseUrl });
  expect(sentences, 'one sentence').toHaveLength(1);
  return sentences[0] ?? '';
}

/** A database on the test server. Created with these options and dropped after the test. */
async function madeDatabase(as: string): Promise<string> {
  const name = `shiplog_start_${randomUUID().replaceAll('-', '')}`;
  await runSql(inject('serverUrl'), `create database ${name} ${as}`);
  onTestFinished(async () => {
    await runSql(inject('serverUrl'), `drop database ${name} with (force)`);
  });
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a role that owns nothing on the test server. Returns the URL of a database for that role. */
async function asNewRole(databaseUrl: string): Promise<{ name: string; url: string }> {
  const name = `shiplog_role_${randomUUID().replaceAll('-', '')}`;
  await runSql(inject('serverUrl'), `create role ${name} login`);
  onTestFinished(async () => {
    await runSql(databaseUrl, `drop owned by ${name}`);
    await runSql(inject('serverUrl'), `drop role ${name}`);
  });
  const url = new URL(databaseUrl);
  url.username = name;
  return { name, url: url.href };
}

/** A port on which the test handles each connection. */
async function somethingElse(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `postgres://shiplog@127.0.0.1:${(server.address() as AddressInfo).port}/shiplog`;
}

/** A database with false information about itself. Unqualified functions that the start calls return these values. */
async function pretendingDatabase(functions: string): Promise<string> {
  const { url } = await testDatabase();
  await runSql(
    url,
    `create schema pretence; ${functions}; alter database ${new URL(url).pathname.slice(1)}
     set search_path = public, pretence, pg_catalog`,
  );
  return url;
}

test('the start reports a missing server', async () => {
  const unreachable = /^Can't reach the database at DATABASE_URL \(.+\)\. Start it, or correct DATABASE_URL\.$/;
  expect(await refusal('postgres://shiplog:secret-of-database@127.0.0.1:1/shiplog')).toMatch(unreachable);
  expect(await refusal('postgres://shiplog:secret-of-database@localhost:1/shiplog')).toMatch(unreachable);
  expect(await refusal('postgres://shiplog@no-such-host.invalid/shiplog')).toMatch(unreachable);
  expect(await refusal('postgres://shiplog@localhost/shiplog?host=/no/such/folder')).toMatch(unreachable);
});

test('the start reports a server that does not answer, hangs up, or is not PostgreSQL', async () => {
  const unreachable = /^Can't reach the database at DATABASE_URL \(.+\)\. Start it, or correct DATABASE_URL\.$/;
  const urls = await Promise.all([
    somethingElse(() => undefined),
    somethingElse((socket) => socket.destroy()),
    somethingElse((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')),
  ]);
  for (const sentence of await Promise.all(urls.map(refusal))) expect(sentence).toMatch(unreachable);
});

test('the start reports an invalid URL', async () => {
  for (const url of [
    'postgres://shiplog:secret-of-100%@127.0.0.1:1/shiplog',
    'postgres://shiplog@127.0.0.1:1/shiplog?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
  ]) {
    expect(await refusal(url)).toMatch(/DATABASE_URL/);
  }
});

test('the start reports a wrong password, a missing password and an unknown user', async () => {
  const folder = await testFolder();
  const access = join(folder, 'access.conf');
  await writeFile(access, 'local all postgres trust\nlocal all all scram-sha-256\n');
  await chmod(access, 0o644);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: { hba_file: access } });
  onTestFinished(() => server.stop());
  const { host, port, database } = server.connection;
  const urlOf = (user: string) => `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  await runSql(urlOf('postgres'), `create role shiplog login password 'secret-of-database'`);
  const refused = /^The database rejected the user or password in DATABASE_URL \(.+\)\. Correct them\.$/;
  expect(await refusal(urlOf('shiplog:secret-of-others'))).toMatch(refused);
  expect(await refusal(urlOf('nobody-there:secret-of-others'))).toMatch(refused);
  expect(await refusal(urlOf('shiplog'))).toMatch(/password/);
});

test('the start reports a server without a matching entry in pg_hba.conf', async () => {
  const folder = await testFolder();
  const access = join(folder, 'access.conf');
  await writeFile(access, 'local all postgres trust\n');
  await chmod(access, 0o644);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: { hba_file: access } });
  onTestFinished(() => server.stop());
  const { host, port } = server.connection;
  const url = `postgres://shiplog:secret-of-database@localhost:${port}/shiplog?host=${encodeURIComponent(host)}`;
  expect(await refusal(url)).toMatch(/^The database server's pg_hba\.conf has no entry for this user from/);
});

test('the start reports a server without TLS if TLS is required, and the log has only JSON lines', async () => {
  const { url } = await testDatabase();
  const proxy = await NetworkProxy.open(url);
  for (const mode of ['require', 'verify-full']) {
    expect(await refusal(`${proxy.url}?sslmode=${mode}`)).toMatch(
      /^The database server doesn't support TLS, but sslmode/,
    );
  }
});

test('the start reports a database that does not exist', async () => {
  const url = new URL(inject('serverUrl'));
  url.pathname = '/no_such_database';
  expect(await refusal(url.href)).toMatch(
    /^The database named in DATABASE_URL does not exist \(.*no_such_database.*\)\. Create it first\.$/,
  );
});

test('the start reports a server that is too old', async () => {
  const url = await pretendingDatabase(
    `create function pretence.current_setting(name text) returns text language sql as
       $$ select case name when 'server_version' then '13.20' when 'server_version_num' then '130020'
          else pg_catalog.current_setting(name) end $$`,
  );
  expect(await refusal(url)).toMatch(/^The database is PostgreSQL 13\.20, but Shiplog needs 14 or newer\. Upgrade it/);
});

test('the start reports a replica', async () => {
  const url = await pretendingDatabase(
    'create function pretence.pg_is_in_recovery() returns boolean language sql as $$ select true $$',
  );
  expect(await refusal(url)).toMatch(/^DATABASE_URL points to a read-only replica, but Shiplog needs the primary/);
});

test('the start reports a database that is not in UTF-8', async () => {
  const url = await madeDatabase(`encoding 'SQL_ASCII' locale 'C' template template0`);
  expect(await refusal(url)).toMatch(
    /^The database has the encoding SQL_ASCII, but Shiplog needs UTF8\. Create a database with/,
  );
});

test('the start reports a user without permission to create tables in a new database', async () => {
  const database = await madeDatabase(`encoding 'UTF8' template template0`);
  await runSql(database, 'revoke create on schema public from public');
  const { url } = await asNewRole(database);
  expect(await refusal(url)).toMatch(
    /^The user of DATABASE_URL isn't allowed to create tables in the schema public\. Grant it/,
  );
});

test('the start reports a user without permission to use the existing tables', async () => {
  const database = await testDatabase();
  const { url } = await asNewRole(database.url);
  expect(await refusal(url)).toMatch(/^The user of DATABASE_URL is missing a permission \(.+\)\. Grant it\.$/);
});

test('the start reports a database migrated by a newer version', async () => {
  const { url } = await testDatabase();
  await runSql(url, `insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')`);
  expect(await refusal(url)).toMatch(/9999_later\.sql/);
});

test('the start reports a database with different migrations', async () => {
  const { url } = await testDatabase();
  await runSql(url, `update schema_migrations set checksum = 'edited' where name like '0001%'`);
  expect(await refusal(url)).toMatch(/0001_\w+\.sql/);
});

test('the start reports a connection that does not deliver notifications', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url, () => {
    const notices = new NoticeFilter();
    return { answered: (piece) => notices.pass(piece, true) };
  });
  expect(await refusal(proxy.url)).toMatch(
    /^DATABASE_URL connects through a pooler in transaction mode, .*\. Name the/,
  );
});

test.skipIf(!existsSync(pooler))('the start reports a real pooler in transaction mode', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const behind = new URL(proxy.url);
  const port = await freePort();
  const folder = await testFolder();
  const settings = join(folder, 'pooler.ini');
  await writeFile(
    settings,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${behind.port} user=${behind.username}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction`,
    ].join('\n'),
  );
  await chmod(settings, 0o644);
  // The pooler refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(pooler, [settings], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...nobody });
  onTestFinished(() => ended(child));
  await said(child, 'process up');
  behind.port = port;
  expect(await refusal(behind.href)).toMatch(
    /^DATABASE_URL connects through a pooler in transaction mode, .*\. Name the/,
  );
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      if (text.includes(words)) resolve();
    });
    child.on('close', () => reject(new Error(`ended without saying "${words}":\n${text}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}
