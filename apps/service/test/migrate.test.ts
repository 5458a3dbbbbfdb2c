import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storedEvent } from '@shiplog/contract';
import { anEvent, runSql } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '../src/db/migrate.ts';
import { expectReleases } from './support/derived.ts';
import { storedEvents } from './support/stored.ts';

const migrationsDir = join(import.meta.dirname, '../migrations');

async function emptyDatabase(): Promise<string> {
  const name = `shiplog_migrate_${randomUUID().replaceAll('-', '')}`;
  await runSql(inject('serverUrl'), `create database ${name} encoding 'UTF8' template template0`);
  onTestFinished(async () => {
    await runSql(inject('serverUrl'), `drop database ${name} with (force)`);
  });
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** A database that has only the migrations before this one. */
async function databaseBefore(migration: string): Promise<string> {
  const url = await emptyDatabase();
  await runSql(url, 'create table schema_migrations (name text primary key, checksum text not null)');
  await runSql(url, 'alter table schema_migrations add column applied_at timestamptz not null default now()');
  for (const name of readdirSync(migrationsDir).sort()) {
    if (name >= migration) break;
    const text = readFileSync(join(migrationsDir, name), 'utf8');
    await runSql(url, text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await runSql(url, `insert into schema_migrations (name, checksum) values ('${name}', '${checksum}')`);
  }
  return url;
}

test('an empty database is migrated once when several instances start at the same time', async () => {
  const url = await emptyDatabase();
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate({ connectionString: url })));
  const recorded = await runSql<{ name: string }>(url, 'select name from schema_migrations order by name');
  expect(recorded.length).toBeGreaterThan(0);
  expect(applied.filter((names) => names.length > 0)).toEqual([recorded.map((row) => row.name)]);
});

test('a database that a later version has migrated is refused and unchanged, and the message says what to do', async () => {
  const url = await emptyDatabase();
  await migrate({ connectionString: url });
  await runSql(url, `insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')`);
  await runSql(url, `delete from schema_migrations where name like '0020%'`);
  await expect(migrate({ connectionString: url })).rejects.toThrow(
    "The database has the migration 9999_later.sql, which this version of Shiplog doesn't know. Start the version that applied it or a newer one, or restore a backup made before the upgrade.",
  );
  expect(await runSql(url, `select from schema_migrations where name like '0020%'`)).toEqual([]);
});

test('stored times with more than six fraction digits are cut to six, and events are otherwise unchanged', async () => {
  const url = await databaseBefore('0004');
  const event = (n: number, happenedAt: string, more = '') =>
    `{"id":"00000000-0000-7000-8000-00000000000${n}","deployment_id":"d","status":"success","happened_at":"${happenedAt}"${more}}`;
  const hostile = ',"version":"\\"happened_at\\":\\"2026-05-04T09:12:02.123456789Z\\""';
  const stored = [
    [event(1, '2026-05-04T09:12:02.123456789Z', hostile), event(1, '2026-05-04T09:12:02.123456Z', hostile)],
    [event(2, '2026-05-04T09:12:02.123456Z'), event(2, '2026-05-04T09:12:02.123456Z')],
    [event(3, '2026-05-04T09:12:02Z', hostile), event(3, '2026-05-04T09:12:02Z', hostile)],
  ] as const;
  for (const [n, [before]] of stored.entries()) {
    await runSql(
      url,
      `insert into deployments (id, deployment_id, service, environment, status, happened_at, event)
       values ('00000000-0000-7000-8000-00000000000${n + 1}', 'd', 's', 'e', 'success', now(), '${before}')`,
    );
  }
  await migrate({ connectionString: url });
  const rows = await runSql<{ event: string }>(url, 'select event from deployments order by id');
  expect(rows.map((row) => row.event)).toEqual(stored.map(([, after]) => after));
});

test('counts for an empty actor become counts for the actor "unknown"', async () => {
  const url = await databaseBefore('0004');
  await runSql(
    url,
    `insert into hourly_counts values
     ('actor', 1, '', 2), ('actor', 1, 'unknown', 3), ('actor', 2, '', 4), ('actor', 2, 'alice', 5), ('status', 1, '', 6)`,
  );
  await migrate({ connectionString: url });
  const rows = await runSql<{ row: string }>(
    url,
    `select dimension || ' ' || hour || ' ' || name || ' ' || rows as row from hourly_counts order by 1`,
  );
  expect(rows.map(({ row }) => row)).toEqual([
    'actor 1 unknown 5',
    'actor 2 alice 5',
    'actor 2 unknown 4',
    'status 1  6',
  ]);
});

test('existing events get the same release and reporter as newly posted events', async () => {
  const url = await databaseBefore('0005');
  const releases = [
    [{ version: '1.0', sha: 'abc' }, 'v1.0'],
    [{ version: '', sha: 'abc' }, 'sabc'],
    [{ sha: '1.0' }, 's1.0'],
    [{ version: '"\\ü' }, 'v"\\ü'],
    [{ version: '', sha: '' }, null],
    [{}, null],
  ] as const;
  const reporters = ['a/b', null, 'a/b', 'a/b', 'a/b', 'a/b'];
  const columns = 'id, deployment_id, service, environment, status, happened_at';
  for (const [n, [members]] of releases.entries()) {
    await runSql(
      url,
      `insert into deployments (${columns}, event) values
       ('00000000-0000-7000-8000-00000000000${n}', 'd', 's', 'e', 'success', now(), '${JSON.stringify({ ...members, ...(reporters[n] && { progress_reporter: reporters[n] }) })}')`,
    );
  }
  await migrate({ connectionString: url });
  const posted = await runSql<{ reporter: string | null }>(url, 'select reporter from deployments order by id');
  expect(posted.map(({ reporter }) => reporter)).toEqual(reporters);
  const moved = await runSql<{ release: string | null }>(url, 'select release from deployments order by id');
  expect(moved.map(({ release }) => release)).toEqual(releases.map(([, release]) => release));
  const happened_at = '2026-05-04T09:12:02Z';
  await appendAll(
    url,
    releases.map(([members]) => anEvent({ happened_at, ...members })),
  );
  const appended = await runSql<{ release: string | null }>(
    url,
    `select release from deployments where happened_at = '${happened_at}' order by id`,
  );
  expect(appended).toEqual(moved);
});

test('the latest row of each release and sha for existing events is the same as for newly posted events', async () => {
  const url = await databaseBefore('0006');
  const names = [
    {},
    { version: '1', sha: 'aB' },
    { version: '1' },
    { version: '', sha: 'aB' },
    { version: '2', sha: '' },
  ];
  const events = names.flatMap((members) =>
    ['02', '09', '05'].map((second) => anEvent({ happened_at: `2026-05-04T09:12:${second}Z`, ...members })),
  );
  for (const [n, event] of events.entries()) {
    const id = `00000001-0000-7000-8000-0000000000${10 + n}`;
    await runSql(
      url,
      `insert into deployments (id, deployment_id, service, environment, status, happened_at, release, event)
       values ('${id}', '${event.deployment_id}', '${event.service}', '${event.environment}', '${event.status}',
         '${event.happened_at}', '${storedEvent(event, undefined).release ?? ''}', '${JSON.stringify({ id, ...event })}')`,
    );
  }
  await runSql(url, `update deployments set release = null where release = ''`);
  await migrate({ connectionString: url });
  await expectReleases(url, await storedEvents(url));
});
