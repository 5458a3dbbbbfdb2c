import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf, listedEvents, runSql, testDatabase, testService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const releases = join(root, 'packaging/releases');

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** A database as a released version left it: its migrations, which are never edited, and its rows. */
async function databaseOf(tables: Tables): Promise<string> {
  const { url } = await testDatabase();
  await runSql(url, 'drop schema public cascade; create schema public');
  await runSql(
    url,
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  for (const { name } of tables.schema_migrations ?? []) {
    await runSql(url, readFileSync(join(root, 'apps/service/migrations', String(name)), 'utf8'));
  }
  for (const [name, rows] of Object.entries(tables)) {
    await runSql(url, `delete from ${name}`);
    await runSql(url, `insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  return url;
}

describe.each(readdirSync(releases))('what %s left behind', (file) => {
  const tables = JSON.parse(readFileSync(join(releases, file), 'utf8')) as Tables;

  test('has every row, position and reset where it was', async () => {
    const databaseUrl = await databaseOf(tables);
    const { url } = await testService({ databaseUrl });
    const events = [...(await listedEvents(url)).values()];
    const stored = (tables.deployments ?? []).map(({ event }) => JSON.parse(String(event)));
    expect(stored.length).toBeGreaterThan(2);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(events.sort(byId)).toEqual(stored.sort(byId));

    for (const { adapter, cursor } of tables.fetcher_states ?? []) {
      const { body } = await clientOf(url).getFetcherState({ params: { adapter: String(adapter) } });
      expect(body.cursor).toBe(cursor);
    }
    // What later versions derive of rows, they derive of these too.
    const { body } = await clientOf(url).listReleases();
    const versions = stored.flatMap(({ version }) => version ?? []);
    expect(new Set(body.items.map(({ version }) => version))).toEqual(new Set(versions));
    const { headers } = await fetch(`${url}/api/matrix`);
    expect(headers.get('x-stream-position')).toBe(stored.at(-1).id);
    const [reset] = await runSql<Row>(databaseUrl, 'select state, correlation_id, expected from reset');
    expect(tables.reset).toMatchObject([reset]);
  });
});
