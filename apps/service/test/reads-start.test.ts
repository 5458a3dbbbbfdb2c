import { anEvent, postStored, runSql, testDatabase, testService, until } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { foldStep } from '../src/db/folds/step.ts';
import { Servers } from '../src/db/servers.ts';
import { Standby } from '../src/db/standby.ts';
import { expectSame, questionPaths, readCounts } from './support/questions.ts';
import { type Line, plainInstance, readingInstance } from './support/reading.ts';

/**
 * A database with events, and a copy that claims to be its standby. The test chooses the history of the copy. Functions
 * and tables in the copy's search path shadow those of PostgreSQL.
 */
async function databaseAndTwin() {
  const { url } = await testDatabase();
  await appendAll(url, events(20));
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  await database.folds.session((session) => foldStep(session, { wait: true }));
  await database.stop();
  const [name, twin] = [new URL(url).pathname.slice(1), `${new URL(url).pathname.slice(1)}_twin`];
  await runSql(
    url,
    `create schema pretence;
     create view pretence.pg_database as
       select 1 as oid, datname, datconnlimit, encoding from pg_catalog.pg_database`,
  );
  const twinUrl = new URL(url);
  twinUrl.pathname = `/${twin}`;
  const server = new URL(url);
  server.pathname = '/postgres';
  await runSql(server.href, `create database ${twin} template ${name}`);
  onTestFinished(async () => {
    await runSql(server.href, `drop database ${twin} with (force)`);
  });
  await runSql(
    twinUrl.href,
    `create function pretence.pg_is_in_recovery() returns boolean language sql as
       $$ select current_setting('pretence.primary', true) is distinct from 'yes' $$`,
  );
  for (const each of [name, twin]) {
    await runSql(server.href, `alter database ${each} set search_path = public, pretence, pg_catalog`);
  }
  const appendUrl = new URL(twinUrl);
  appendUrl.searchParams.set('options', '-c pretence.primary=yes');
  return { url, twinUrl: twinUrl.href, appendTwin: (count: number) => appendAll(appendUrl.href, events(count)) };
}

function events(count: number) {
  return Array.from({ length: count }, (_, index) => anEvent({ service: 'api', version: `1.${index % 3}.0` }));
}

test('a start fails for a standby with a different log and for an unusable URL', async () => {
  const [{ url }, other] = [await testDatabase(), await testDatabase()];
  const start = (readDatabaseUrl: string) => testService({ databaseUrl: url, config: { readDatabaseUrl } });
  await expect(start(other.url)).rejects.toThrow(
    /^READ_DATABASE_URL points to a server that isn't a standby of DATABASE_URL \(.* has a different log\)\. Name its standbys,/,
  );
  const nothing = new URL(url);
  nothing.pathname = '/postgres';
  await expect(start(nothing.href)).rejects.toThrow(/^READ_DATABASE_URL points to a server that isn't a standby/);
  await expect(start('postgres://db/shiplog?sslmode=verify-full&sslrootcert=/nowhere/ca.pem')).rejects.toThrow(
    /^READ_DATABASE_URL is invalid \(.*\)\. Correct it\.$/,
  );
});

test('a missing standby is skipped and logged once, and the primary is not used as a standby', async () => {
  const { url } = await testDatabase();
  const gone = await readingInstance(url, 'postgres://shiplog@127.0.0.1:1/shiplog');
  const itself = await readingInstance(url, url);
  await postStored(gone.url, anEvent({ service: 'api', version: '1.0.0' }));
  await expectSame(gone.url, itself.url);
  const count = questionPaths().length;
  expect(await readCounts(gone.url)).toMatchObject({ standby: 0, reasons: { lost: expect.any(Number) } });
  expect((await readCounts(itself.url)).standby).toBe(0);
  expect(Object.keys((await readCounts(itself.url)).reasons)).toEqual(['no-standby']);
  expect(count).toBeGreaterThan(0);
  const warned = ({ lines }: { lines: readonly Line[] }) =>
    lines.filter(({ level, msg }) => level === 40 && /standby/.test(msg));
  expect(warned(gone)).toHaveLength(1);
  expect(warned(itself)).toEqual([]);
});

test('a standby with a different history is not read, even if it is ahead of the primary', async () => {
  const { url, twinUrl, appendTwin } = await databaseAndTwin();
  const reading = await readingInstance(url, twinUrl);
  const plain = await plainInstance(url);
  await expectSame(reading.url, plain.url);
  const { standby } = await readCounts(reading.url);
  expect(standby).toBe(questionPaths().length);
  // This standby has events that the primary doesn't have yet or has lost.
  await appendTwin(3);
  await expectSame(reading.url, plain.url);
  expect((await readCounts(reading.url)).standby).toBe(standby);
  // This standby continues from a different event than the primary.
  await appendAll(url, events(1));
  await appendTwin(3);
  await until(async () => reading.lines.some(({ msg }) => msg.includes('has a different log')));
  await expectSame(reading.url, plain.url);
  expect((await readCounts(reading.url)).standby).toBe(standby);
});

test('a standby gets at most one read per connection, and none for a while after a failure', async () => {
  const { url, twinUrl } = await databaseAndTwin();
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  const standby = new Standby({
    ...{ name: 'twin', connection: { connectionString: twinUrl }, primary: database.reads },
    times: { standbyProbeMs: 20, standbyCooldownMs: 24 * 3_600_000 },
    onVerdict: () => undefined,
    onLag: () => undefined,
  });
  onTestFinished(async () => {
    await standby.stop();
    await database.stop();
  });
  expect(await standby.start()).toBeUndefined();
  const [mark] = await runSql<{ tick: string; lastId: string }>(
    url,
    `select last_tick as tick, (select id from deployments order by id desc limit 1) as "lastId"
     from log_heads where log = 'deployments'`,
  );
  const going: (() => void)[] = [];
  const held = () => standby.read('quick', mark ?? raise(), () => new Promise<void>((resolve) => going.push(resolve)));
  const reads = [held(), held(), held(), held()];
  await until(async () => going.length === 4);
  expect([standby.unfitFor('quick'), standby.unfitFor('long')]).toEqual(['busy', undefined]);
  for (const go of going) go();
  await Promise.all(reads);
  expect(standby.unfitFor('quick')).toBeUndefined();
  const failing = standby.read('quick', mark ?? raise(), (queries) => queries.query({ text: 'select from nowhere' }));
  await expect(failing).rejects.toMatchObject({ reason: 'failed' });
  expect([standby.unfitFor('quick'), standby.unfitFor('long')]).toEqual(['failed', 'failed']);
});

function raise(): never {
  throw new Error('log_heads has no row for deployments');
}
