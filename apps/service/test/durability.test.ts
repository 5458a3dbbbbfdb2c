import { runSql, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { durabilityWarnings } from '../src/db/durability.ts';

const safe = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  standbys: '',
  followers: 0,
  unlogged: [],
};

function warningsFor(facts: object): Promise<string[]> {
  return durabilityWarnings({ query: async <Row extends object>() => [{ ...safe, ...facts }] as unknown as Row[] });
}

test.each([
  ['the defaults of PostgreSQL', {}, []],
  ['fsync off', { fsync: 'off' }, [/fsync = off.*can lose events.*set fsync = on/]],
  ['full_page_writes off', { full_page_writes: 'off' }, [/full_page_writes = off.*broken pages/]],
  ['synchronous_commit off, which sessions override', { synchronous_commit: 'off' }, []],
  ['local commits without standbys', { synchronous_commit: 'local' }, []],
  ['local commits with a synchronous standby', { synchronous_commit: 'local', standbys: 'a' }, [/a failover can lose/]],
  [
    'a standby that is not listed',
    { followers: 1 },
    [/has standbys, but synchronous_standby_names is empty: a failover/],
  ],
  ['a standby that is listed', { followers: 1, standbys: '*' }, []],
  ['remote writes with a synchronous standby', { synchronous_commit: 'remote_write', standbys: 'a' }, [/a failover/]],
  ['remote flushes with a synchronous standby', { synchronous_commit: 'on', standbys: 'a' }, []],
  ['applied commits with a synchronous standby', { synchronous_commit: 'remote_apply', standbys: 'a' }, []],
  ['unlogged tables', { unlogged: ['a', 'b'] }, [/table a is unlogged.*alter table a set logged/, /table b/]],
  ['everything at once', { fsync: 'off', full_page_writes: 'off', unlogged: ['a'] }, [/fsync/, /full_page/, /table a/]],
])('%s: the expected durability warnings are logged', async (_, facts, expected) => {
  const warnings = await warningsFor(facts);
  expect(warnings).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(warnings[index]).toMatch(pattern);
});

test('a service warns about unsafe server settings only at its start', async () => {
  const database = await testDatabase();
  await runSql(database.url, 'alter table slots set unlogged');
  const lines: { level: number; msg: string }[] = [];
  await testService({ databaseUrl: database.url, log: { write: (line) => void lines.push(JSON.parse(line)) } });
  const warned = lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  const [server] = await runSql<{ fsync: string; pages: string }>(
    database.url,
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages`,
  );
  expect(warned.filter((line) => line.includes('fsync'))).toHaveLength(server?.fsync === 'off' ? 1 : 0);
  expect(warned.filter((line) => line.includes('full_page_writes'))).toHaveLength(server?.pages === 'off' ? 1 : 0);
  expect(warned.filter((line) => line.includes('unlogged'))).toEqual([
    expect.stringContaining('alter table slots set logged'),
  ]);
});
