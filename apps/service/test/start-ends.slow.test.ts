import { join } from 'node:path';
import {
  openTransaction,
  ProgramProcess,
  runningProcesses,
  runSql,
  testDatabase,
  testFolder,
  testKeys,
  testPostgres,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { migrate } from '../src/db/migrate.ts';

const keys = { API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control };

/** Short for a start, but long for a statement on a machine that runs other tests. */
const answerMs = 2000;

function spawnOn(environment: Readonly<Record<string, string>>): ProgramProcess {
  return ProgramProcess.spawn('service', { PORT: '0', ...keys, ...environment });
}

/** Starts a server on which commits wait for a missing standby. Returns the URL of an empty database on it. */
async function serverWithoutStandby(): Promise<string> {
  const { url } = await testPostgres({ dataDir: join(await testFolder(), 'data') });
  await runSql(url, `alter system set synchronous_standby_names = 'berlin'`);
  await runSql(url, 'select pg_reload_conf()');
  return url;
}

async function isWaitingForStandby(url: string): Promise<boolean> {
  return (await runSql(url, `select from pg_stat_activity where wait_event = 'SyncRep'`)).length > 0;
}

const waitsForStandby =
  /^The migration can't be committed: the database is waiting for a synchronous standby that is not responding \(synchronous_standby_names is "berlin"\)\. Start that standby or remove it from the setting, then start Shiplog again\.$/;

test("a start that can't commit because a standby is missing fails with the reason, as does a start that waits for it", async () => {
  const url = await serverWithoutStandby();
  const connection = { connectionString: url };
  const limits = { answerMs };
  await expect(migrate(connection, limits)).rejects.toThrow(waitsForStandby);
  const lines: string[] = [];
  await expect(migrate(connection, { ...limits, log: (line) => lines.push(line) })).rejects.toThrow(waitsForStandby);
  expect(lines[0]).toMatch(
    /^waiting for another instance to finish migrating the database \(process \d+ of its server\)$/,
  );
});

test('a signal aborts a waiting start immediately, with exit code 0', async () => {
  const url = await serverWithoutStandby();
  for (const waiting of ['for the standby', 'for the one that waits for the standby']) {
    const service = spawnOn({ DATABASE_URL: url });
    await service.until(() => /migrating the database/i.test(service.output));
    await until(() => isWaitingForStandby(url));
    expect(await service.terminate(), waiting).toBe(0);
    expect(service.output).toMatch(/"msg":"stopping"[\s\S]*"msg":"stopped"/);
    expect(service.output).not.toMatch(/"level":(50|60)/);
  }
  await runSql(url, `alter system reset synchronous_standby_names`);
  await runSql(url, 'select pg_reload_conf()');
  const service = spawnOn({ DATABASE_URL: url });
  await service.ready();
  expect(await service.terminate()).toBe(0);
});

test('a start that waits for another instance logs this and then continues', async () => {
  const { url } = await testDatabase();
  const other = await openTransaction(url, 'select pg_advisory_xact_lock(7214803119)');
  const lines: string[] = [];
  const released = new Promise<void>((resolve) => {
    void migrate({ connectionString: url }, { answerMs, log: (line) => lines.push(line) }).then(() => resolve());
  });
  // Longer than one round of waiting.
  await until(async () => lines.length > 1);
  await other.query('commit');
  await released;
});

test('a service that gets a signal while creating the embedded database exits with 0 and leaves nothing running', async () => {
  const dataDir = join(await testFolder(), 'data');
  const service = spawnOn({ DATA_DIR: dataDir });
  await service.until(() => service.output.includes('creating a PostgreSQL'));
  expect(await service.terminate()).toBe(0);
  expect(runningProcesses().filter(({ args }) => args.includes(dataDir))).toEqual([]);
  const next = spawnOn({ DATA_DIR: dataDir });
  await next.ready();
  expect(await next.terminate()).toBe(0);
});
