import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { fileFolder } from '@shiplog/testing';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../src/index.ts';
import { isRunning } from '../src/process-table.ts';
import { rowsOf } from './support/database.ts';
import { spawnService } from './support/service.ts';

const inFolder = fileFolder();
/** The cluster that the first test creates and the others reuse, because creating one takes longer than most tests. */
const shared = () => inFolder('shared');
const running: EmbeddedPostgres[] = [];

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const db = await startEmbeddedPostgres(options);
  running.push(db);
  return db;
}

afterEach(() => Promise.all(running.splice(0).map((db) => db.stop())));

test('a fresh data directory becomes a UTF-8 cluster with the database in it', async () => {
  const db = await start({ dataDir: shared() });
  const [facts] = await rowsOf(
    db.connection,
    `SELECT current_database() AS database, current_setting('server_encoding') AS encoding,
       (SELECT datlocprovider::text || ' ' || coalesce(datlocale, '') FROM pg_database WHERE datname = 'shiplog') AS locale`,
  );
  expect(facts).toEqual({ database: 'shiplog', encoding: 'UTF8', locale: 'b C.UTF-8' });
  expect(db).toMatchObject({ dataDir: shared(), version: expect.stringMatching(/^18\.\d+$/) });
});

test('the server flushes every commit and opens no port', async () => {
  const db = await start({ dataDir: shared() });
  const [facts] = await rowsOf(
    db.connection,
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync,
       current_setting('listen_addresses') AS addresses, current_setting('max_connections') AS connections`,
  );
  expect(facts).toEqual({ fsync: 'on', sync: 'on', addresses: '', connections: '100' });
});

test('a restart finds the rows of the first run', async () => {
  const first = await start({ dataDir: shared() });
  await rowsOf(first.connection, 'CREATE TABLE kept (word text)', `INSERT INTO kept VALUES ('ship')`);
  await first.stop();
  const second = await start({ dataDir: shared() });
  expect(await rowsOf(second.connection, 'SELECT word FROM kept')).toEqual([{ word: 'ship' }]);
});

test('a start ignores environment variables that configure PostgreSQL clients', async () => {
  vi.stubEnv('PGSSLMODE', 'require');
  try {
    const db = await start({ dataDir: shared() });
    expect(await rowsOf(db.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a start on an existing cluster creates a second database', async () => {
  await (await start({ dataDir: shared() })).stop();
  const db = await start({ dataDir: shared(), database: `it's "quoted" ü` });
  expect(await rowsOf(db.connection, 'SELECT current_database() AS name')).toEqual([{ name: `it's "quoted" ü` }]);
});

test('the caller can change default settings, but not those that the supervisor relies on', async () => {
  const settings = { max_connections: '17', listen_addresses: '127.0.0.1' };
  const db = await start({ dataDir: shared(), settings });
  const [facts] = await rowsOf(
    db.connection,
    `SELECT current_setting('max_connections') AS connections, current_setting('listen_addresses') AS addresses`,
  );
  expect(facts).toEqual({ connections: '17', addresses: '' });
});

test('the path of a data directory can contain spaces, quotes and letters of any alphabet', async () => {
  const dataDir = inFolder(`a 'b' "c" $d \\e, ü 船 %f`);
  const db = await start({ dataDir });
  expect(db.dataDir).toBe(dataDir);
  await db.stop();
  const again = await start({ dataDir });
  expect(await rowsOf(again.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a link to a data directory works like the data directory itself', async () => {
  await mkdir(shared(), { recursive: true });
  await symlink(shared(), inFolder('link'));
  const db = await start({ dataDir: inFolder('link') });
  expect(db.dataDir).toBe(shared());
  await expect(startEmbeddedPostgres({ dataDir: shared() })).rejects.toThrow(`in use by process ${process.pid}`);
});

test('a stop leaves no processes, and no files except the cluster, its log and its lock files', async () => {
  const db = await start({ dataDir: shared() });
  let exits = 0;
  db.onExit(() => {
    exits += 1;
  });
  await Promise.all([db.stop(), db.stop()]);
  await db.stop();
  expect(isRunning(db.pid)).toBe(false);
  expect(existsSync(db.connection.host)).toBe(false);
  const traces = (await readdir(db.dataDir)).filter((name) =>
    /^shiplog\.(?!log|lock|server-lock)|^postmaster\.pid/.test(name),
  );
  expect(traces).toEqual([]);
  expect(exits).toBe(0);
});

test('a stop does not wait for clients that stay connected', async () => {
  const db = await start({ dataDir: shared() });
  const client = new pg.Client(db.connection);
  const cut = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await db.stop();
  expect(await cut).toBeInstanceOf(Error);
});

test('neither a restrictive umask nor the environment affects how a cluster is created', async () => {
  // This locale is not installed.
  const locale = { LANG: 'tr_TR.UTF-8', LC_ALL: undefined };
  const postgres = { PGPORT: '1', PGDATA: '/nowhere', PGCLIENTENCODING: 'LATIN1' };
  const env = { ...process.env, ...locale, ...postgres, NODE_ENV: 'production' };
  const service = spawnService({ dataDir: inFolder('environment'), umask: 0o077 }, { env });
  const { started } = await service.until('started', 'refused');
  const rows = started && (await rowsOf(started.connection, `SELECT current_setting('server_encoding') AS encoding`));
  await service.end();
  expect(rows).toEqual([{ encoding: 'UTF8' }]);
});

test.each([
  ['is too long for a socket', `/${'long'.repeat(40)}`, true],
  ['is missing', '/missing', false],
  ['contains a comma and a colon', '/comma,colon:', true],
])('the socket is in /tmp if the path of the temporary folder %s', async (_, path, made) => {
  const folder = inFolder(`tmp${path}`);
  if (made) await mkdir(folder, { recursive: true });
  const service = spawnService({ dataDir: shared() }, { env: { ...process.env, TMPDIR: folder } });
  const { started } = await service.until('started', 'refused');
  const rows = started && (await rowsOf(started.connection, 'SELECT 1 AS one'));
  await service.end();
  expect(started?.connection.host).toMatch(/^\/tmp\/shiplog-[0-9a-f]{12}$/);
  expect(rows).toEqual([{ one: 1 }]);
});

test.skipIf(!existsSync('/usr/lib/postgresql/15/bin/initdb'))('an installed PostgreSQL 15 works', async () => {
  const options = { dataDir: inFolder('fifteen'), binaries: '/usr/lib/postgresql/15' };
  await (await start(options)).stop();
  const db = await start(options);
  const [facts] = await rowsOf(db.connection, `SELECT current_setting('server_encoding') AS encoding`);
  expect(facts).toEqual({ encoding: 'UTF8' });
  expect(db.version).toMatch(/^15\./);
});

test.each([
  ['before its first step', (line: string | undefined) => line === undefined],
  ['while the cluster is created', (line: string | undefined) => line?.startsWith('creating')],
])('a start that is canceled %s leaves nothing running, and the next start succeeds', async (_, isMoment) => {
  const dataDir = inFolder(`given-up-${isMoment(undefined)}`);
  const giving = new AbortController();
  const log = (line?: string) => void (isMoment(line) && giving.abort());
  log();
  await expect(startEmbeddedPostgres({ dataDir, log, signal: giving.signal })).rejects.toThrow();
  const db = await start({ dataDir });
  expect(await rowsOf(db.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await db.stop();
});
