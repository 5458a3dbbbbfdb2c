import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileFolder } from '@shiplog/testing';
import { afterEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../src/index.ts';
import { rowsOf } from './support/database.ts';
import { spawnService } from './support/service.ts';

const inFolder = fileFolder();
const running: EmbeddedPostgres[] = [];

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const db = await startEmbeddedPostgres(options);
  running.push(db);
  return db;
}

afterEach(() => Promise.all(running.splice(0).map((db) => db.stop())));

test.each([
  ['a narrow umask', { umask: 0o077 }, {}],
  ['a locale that the machine lacks', {}, { LANG: 'tr_TR.UTF-8', LC_ALL: undefined }],
  ['a PGPORT and its like in the environment', {}, { PGPORT: '1', PGDATA: '/nowhere', PGCLIENTENCODING: 'LATIN1' }],
  ['a production environment', {}, { NODE_ENV: 'production' }],
])('%s changes nothing', async (name, options, env) => {
  const dataDir = inFolder(`environment ${name}`);
  const service = spawnService({ dataDir, ...options }, { env: { ...process.env, ...env } });
  const { started } = await service.until('started', 'refused');
  const rows = started && (await rowsOf(started.connection, `SELECT current_setting('server_encoding') AS encoding`));
  await service.end();
  expect(rows).toEqual([{ encoding: 'UTF8' }]);
});

test.each([
  ['too long for a socket', `/${'long'.repeat(40)}`, true],
  ['that is missing', '/missing', false],
  ['named with a comma and a colon', '/comma,colon:', true],
])('a temporary folder %s gives way to /tmp', async (name, path, made) => {
  const folder = inFolder(`tmp${path}`);
  if (made) await mkdir(folder, { recursive: true });
  const service = spawnService({ dataDir: inFolder(`data ${name}`) }, { env: { ...process.env, TMPDIR: folder } });
  const { started } = await service.until('started', 'refused');
  const rows = started && (await rowsOf(started.connection, 'SELECT 1 AS one'));
  await service.end();
  expect(started?.connection.host).toMatch(/^\/tmp\/shiplog-[0-9a-f]{12}$/);
  expect(rows).toEqual([{ one: 1 }]);
});

test.skipIf(!existsSync('/usr/lib/postgresql/15/bin/initdb'))('a PostgreSQL 15 of the system works', async () => {
  const options = { dataDir: inFolder('fifteen'), binaries: '/usr/lib/postgresql/15' };
  await (await start(options)).stop();
  const db = await start(options);
  const [facts] = await rowsOf(db.connection, `SELECT current_setting('server_encoding') AS encoding`);
  expect(facts).toEqual({ encoding: 'UTF8' });
  expect(db.version).toMatch(/^15\./);
});

test.each([
  ['before anything is done', (line: string | undefined) => line === undefined],
  ['while the cluster is made', (line: string | undefined) => line?.startsWith('creating')],
])('a start that is given up %s leaves nothing running, and the next one is not disturbed', async (_, isMoment) => {
  const dataDir = inFolder(`given-up-${isMoment(undefined)}`);
  const giving = new AbortController();
  const log = (line?: string) => void (isMoment(line) && giving.abort());
  log();
  await expect(startEmbeddedPostgres({ dataDir, log, signal: giving.signal })).rejects.toThrow();
  const db = await start({ dataDir });
  expect(await rowsOf(db.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await db.stop();
});
