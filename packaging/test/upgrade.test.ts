import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anEvent, clientOf, listedEvents, postStored, runSql, testDatabase, testService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { expectDerived } from '../../apps/service/test/support/derived.ts';
import { earlierDatabase, postEarlier, root } from './support/earlier.ts';

const releases = join(root, 'packaging/releases');

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** The database of a released version with its rows. */
async function databaseOf(tables: Tables): Promise<string> {
  const url = await earlierDatabase((tables.schema_migrations ?? []).map(({ name }) => String(name)));
  for (const [name, rows] of Object.entries(tables)) {
    await runSql(url, `delete from ${name}`);
    await runSql(url, `insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  return url;
}

test('events posted by instances of both versions during an upgrade have equal releases, reporters and counts', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url });
  const at = (second: number) => ({ happened_at: `2026-05-04T09:12:0${second}Z` });
  await postEarlier(database.url, anEvent({ version: '1.0', ...at(1) }), anEvent({ sha: 'ab', ...at(2) }));
  await postStored(url, anEvent({ version: '1.0', ...at(3) }));
  await postEarlier(
    database.url,
    anEvent({ version: '1.0', sha: 'cd', ...at(4) }),
    anEvent(at(5)),
    anEvent({ version: '', ...at(6) }),
  );
  await postStored(url, anEvent({ version: '1.1', ...at(7) }));
  await postEarlier(database.url, anEvent({ version: '1.1', ...at(0) }));
  expect(await runSql(database.url, 'select release from deployments order by happened_at')).toEqual(
    ['v1.1', 'v1.0', 'sab', 'v1.0', 'v1.0', null, null, 'v1.1'].map((release) => ({ release })),
  );
  const reporters = await runSql<{ reporter: string | null }>(
    database.url,
    'select reporter from deployments order by id',
  );
  expect(reporters.filter(({ reporter }) => reporter === 'earlier/x')).toHaveLength(6);
  await expectDerived(database.url);
  const { items } = (await clientOf(url).listReleases()).body;
  expect(items.map(({ version, sha }) => version ?? sha).sort()).toEqual(['1.0', '1.1', 'ab']);
});

test('a post by an instance of an earlier version invalidates all cached responses, because its counts have no tick', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url });
  const period = { from: '2026-05-01', to: '2026-05-31' };
  const asked = () => clientOf(url).getFrequency({ query: period });
  const happened = { happened_at: '2026-05-04T09:12:00Z' };
  await postStored(url, anEvent({ status: 'success', environment: 'prod', ...happened }));
  const before = await asked();
  // With this many rows, only the ticks of the hours show whether the rows affect a cached response.
  const many = Array.from({ length: 600 }, () => anEvent({ status: 'success', environment: 'prod', ...happened }));
  await postEarlier(database.url, ...many);
  const after = await asked();
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
});

test('the repair at startup adds missing releases of rows', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  await postStored(url, anEvent({ version: '1.0', sha: 'ab' }));
  await postStored(url, anEvent({ sha: 'cd' }));
  await postStored(url, anEvent());
  const releases = () => runSql(databaseUrl, 'select release, reporter from deployments order by id');
  const due = await releases();
  await runSql(databaseUrl, 'update deployments set release = null, reporter = null');
  await runSql(databaseUrl, readFileSync(join(root, 'apps/service/migrations/0015_repair_releases.sql'), 'utf8'));
  expect(await releases()).toEqual(due);
  await expectDerived(databaseUrl);
});

describe.each(readdirSync(releases))('the database of %s', (file) => {
  const tables = JSON.parse(readFileSync(join(releases, file), 'utf8')) as Tables;

  test('keeps every row, stream position and reset after an upgrade', async () => {
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
    // Later versions also derive their data from these rows.
    const { body } = await clientOf(url).listReleases();
    const versions = stored.flatMap(({ version }) => version ?? []);
    expect(new Set(body.items.map(({ version }) => version))).toEqual(new Set(versions));
    const { headers } = await fetch(`${url}/api/matrix`);
    expect(headers.get('x-stream-position')).toBe(stored.at(-1).id);
    const [reset] = await runSql<Row>(databaseUrl, 'select state, correlation_id, expected from reset');
    expect(tables.reset).toMatchObject([reset]);
  });
});
