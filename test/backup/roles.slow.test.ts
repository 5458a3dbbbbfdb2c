import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import {
  anEvent,
  builtDashboard,
  listedEvents,
  metricsOf,
  postStored,
  runService,
  runSql,
  StreamReader,
  testService,
  until,
} from '@shiplog/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LogLines } from '../../apps/service/test/support/reset.ts';
import { fill } from './support/history.ts';
import { pictureOf } from './support/picture.ts';
import { installedPostgres, runRecipes } from './support/recipes.ts';

const config = {
  dashboardDir: builtDashboard,
  reset: { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] },
};
/** Makes the service prune old events as soon as it starts. */
const times = { firstMs: 0 };

interface Roles {
  readonly dataDir: string;
  readonly major: number;
  urlOf(user: 'postgres' | 'shiplog_owner' | 'shiplog', database?: string): string;
  stop(): Promise<void>;
}

/** A server with the roles from deploy/ and a database. The owner has migrated the database by starting the service. */
async function rolesOn(binaries: string | undefined): Promise<Roles> {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-roles-'));
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    database: 'postgres',
    ...(binaries !== undefined && { binaries }),
  });
  const { host, port } = server.connection;
  const urlOf: Roles['urlOf'] = (user, database = 'shiplog') =>
    `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const [before = '', after = ''] = (await scriptOf('roles.sql')).split('\\connect shiplog');
  // Each statement runs separately, because a transaction can't create a database.
  for (const statement of before.split(/;$/m)) await runSql(urlOf('postgres', 'postgres'), statement);
  await runSql(urlOf('postgres'), after);
  await (await runService({ databaseUrl: urlOf('shiplog_owner'), config })).stop();
  await runSql(urlOf('shiplog_owner'), await scriptOf('grants.sql'));
  return {
    dataDir: server.dataDir,
    major: Number.parseInt(server.version, 10),
    urlOf,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function scriptOf(name: string): Promise<string> {
  return readFile(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
}

/** Returns the error code of a rejected statement, or `undefined` if the statement was accepted. */
async function refusalOf(url: string, statement: string): Promise<string | undefined> {
  return runSql(url, statement).then(
    () => undefined,
    (error) => error.code,
  );
}

const servers = [
  { name: 'the embedded server', binaries: undefined },
  ...(installedPostgres === undefined ? [] : [{ name: installedPostgres, binaries: installedPostgres }]),
];

describe.each(servers)('the role of the instances on $name', ({ binaries }) => {
  let roles: Roles;
  beforeAll(async () => {
    roles = await rolesOn(binaries);
  });
  afterAll(() => roles.stop());

  test('has every privilege that an instance needs', async () => {
    const databaseUrl = roles.urlOf('shiplog');
    const log = new LogLines();
    const service = await testService({ databaseUrl, config, times, log });
    const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
    await fill(service.url);
    await stream.take(150);
    await pictureOf(service.url);
    await postStored(service.url, anEvent({ happened_at: '2020-05-04T09:12:02Z' }));
    const pruner = await testService({ databaseUrl, config, times, log });
    await until(async () => (await metricsOf(pruner.url)).prunedEvents === 1);
    expect(await (await fetch(`${pruner.url}/metrics`)).text()).toMatch(
      /^shiplog_prune_completed_timestamp_seconds [1-9]/m,
    );
    expect(log.text).not.toMatch(/"level":[456]0/);
  });

  test('can vacuum after a reset if the server supports the privilege', async () => {
    await runSql(roles.urlOf('shiplog'), 'vacuum deployments, latest_deployments, fetcher_states');
    const vacuumed = await runSql(roles.urlOf('postgres'), 'select from pg_stat_user_tables where vacuum_count > 0');
    expect(vacuumed).toHaveLength(roles.major >= 17 ? 3 : 0);
  });

  test('has no other privileges', async () => {
    const refused = [
      'create table other (id int)',
      'create temporary table other (id int)',
      'create function other() returns int language sql return 1',
      'create schema other',
      'create role other',
      'create database other',
      'create index on deployments (version)',
      'alter table deployments add column other int',
      'drop table deployments',
      'truncate deployments',
      `update deployments set event = '{}'`,
      `update control_frames set frame = '{}'`,
      `update component_reports set record = '{}'`,
      'delete from log_heads',
      `insert into log_heads (log) values ('other')`,
      'delete from reset',
      'delete from schema_migrations',
      `update schema_migrations set checksum = ''`,
      `insert into schema_migrations values ('9999_other.sql', '')`,
      'set role shiplog_owner',
      `copy deployments to '/tmp/other'`,
      `copy deployments to program 'cat'`,
      `select pg_read_file('postgresql.conf')`,
      'select pg_switch_wal()',
    ];
    const codes = refused.map(async (statement) => [statement, await refusalOf(roles.urlOf('shiplog'), statement)]);
    expect(await Promise.all(codes)).toEqual(refused.map((statement) => [statement, '42501']));
  });

  test.skipIf(binaries === undefined)('has its privileges in a database restored by the owner', async () => {
    const environment = { DATA_DIR: roles.dataDir, BACKUP: `${roles.dataDir}.dump` };
    const instead = { createdb: 'createdb --owner=shiplog_owner', pg_restore: 'pg_restore --role=shiplog_owner' };
    await runRecipes(['Connect', 'Dump', 'Restore a dump'], { environment, instead });
    await runSql(roles.urlOf('shiplog_owner', 'restored'), await scriptOf('grants.sql'));
    const { url } = await testService({ databaseUrl: roles.urlOf('shiplog', 'restored'), config });
    await postStored(url, anEvent());
    expect((await listedEvents(url)).size).toBeGreaterThan(150);
  });

  test('cannot start when a migration is missing, and the error names the role that can apply it', async () => {
    await runSql(roles.urlOf('shiplog_owner'), `delete from schema_migrations where name like '0003%'`);
    await expect(testService({ databaseUrl: roles.urlOf('shiplog'), config })).rejects.toThrow(
      /^The database needs the migration 0003_analytics\.sql, but the user of DATABASE_URL isn't allowed to apply it \(.+\)\. Start this version once as the owner of the tables, then again as this user\.$/,
    );
  });
});

test('grants.sql has a grant for every table', async () => {
  const schema = await readFile(new URL('../../apps/service/schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name ?? '');
  const grants = (await scriptOf('grants.sql')).match(/^grant .* on .* to shiplog;/gm)?.join() ?? '';
  expect(tables.length).toBeGreaterThan(0);
  expect(tables.filter((table) => !new RegExp(`\\b${table}\\b`).test(grants))).toEqual([]);
});
