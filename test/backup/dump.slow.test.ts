import { chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  listedEvents,
  ProgramProcess,
  runSql,
  testFolder,
  testKeys,
  testPostgres,
  testService,
  urlOf,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { expectDerived } from '../../apps/service/test/support/derived.ts';
import { PostRun } from '../../apps/service/test/support/posting.ts';
import { refusedStart } from '../../apps/service/test/support/refused-start.ts';
import { requestReset, startReset } from '../../apps/service/test/support/reset.ts';
import { fill } from './support/history.ts';
import { pictureOf } from './support/picture.ts';
import { installedPostgres, runRecipes } from './support/recipes.ts';

if (installedPostgres === undefined) {
  process.stderr.write('backup: tests that need pg_dump are skipped: no PostgreSQL in /usr/lib/postgresql\n');
}

/** A test that needs PostgreSQL and its client programs. */
const testWithClients = test.skipIf(installedPostgres === undefined);

/** A database server for a test, from the machine's PostgreSQL. */
interface Server {
  readonly dataDir: string;
  /** A folder for backups that this process and the server's user can write to. */
  readonly folder: string;
  readonly account: { readonly uid: number; readonly gid: number };
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** Starts a server on a data folder, by default an empty one; the server is stopped when the test is over. */
async function startServer(dataDir?: string): Promise<Server> {
  const folder = await testFolder();
  const server = await testPostgres({
    dataDir: dataDir ?? join(folder, 'data'),
    ...(installedPostgres !== undefined && { binaries: installedPostgres }),
  });
  const { uid, gid } = await stat(server.dataDir);
  return {
    dataDir: server.dataDir,
    folder,
    account: { uid, gid },
    urlOf: (database) => urlOf(server, database),
    stop: () => server.stop(),
  };
}

const quickReset = { reset: { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] } };

/** The stored rows of the log, in order. */
async function rowsOf(databaseUrl: string): Promise<string[]> {
  const rows = await runSql<{ event: string }>(databaseUrl, 'select event from deployments order by id');
  return rows.map(({ event }) => event);
}

/** Expects the restored log to equal the original log up to some id, and the derived data to be correct. */
async function expectBeginningOf(all: readonly string[], restoredUrl: string): Promise<void> {
  const restored = await rowsOf(restoredUrl);
  expect(restored.length).toBeGreaterThan(150);
  expect(restored).toEqual(all.slice(0, restored.length));
  await expectDerived(restoredUrl);
}

testWithClients(
  'restoring a dump restores the complete log, or the beginning of the log if the dump was taken under load',
  async () => {
    const server = await startServer();
    const service = await testService({ databaseUrl: server.urlOf('shiplog'), config: quickReset });
    await fill(service.url);
    const [quiet, loaded] = [join(server.folder, 'quiet.dump'), join(server.folder, 'loaded.dump')];
    const before = await pictureOf(service.url);
    await runRecipes(['Connect', 'Dump'], { environment: { DATA_DIR: server.dataDir, BACKUP: quiet } });
    const run = new PostRun(service.url, 4);
    await run.reaches(50);
    await runRecipes(['Connect', 'Dump'], { environment: { DATA_DIR: server.dataDir, BACKUP: loaded } });
    await run.reaches(run.answered.length + 50);
    await run.stop();

    await runRecipes(['Connect', 'Restore a dump'], { environment: { DATA_DIR: server.dataDir, BACKUP: quiet } });
    const restored = await testService({ databaseUrl: server.urlOf('restored') });
    expect(await pictureOf(restored.url)).toEqual(before);

    await runRecipes(['Connect', 'Restore a dump'], {
      environment: { DATA_DIR: server.dataDir, BACKUP: loaded },
      instead: { restored: 'restored_again' },
    });
    await expectBeginningOf(await rowsOf(server.urlOf('shiplog')), server.urlOf('restored_again'));
  },
);

testWithClients('a base backup under load restores the beginning of the log', async () => {
  const server = await startServer();
  const service = await testService({ databaseUrl: server.urlOf('shiplog'), config: quickReset });
  await fill(service.url);
  const backup = join(server.folder, 'backup');
  await mkdir(backup);
  await chown(backup, server.account.uid, server.account.gid);
  const run = new PostRun(service.url, 4);
  await run.reaches(50);
  await runRecipes(['Connect', 'Base backup'], {
    environment: { DATA_DIR: server.dataDir, BACKUP: backup },
    account: server.account,
  });
  await run.reaches(run.answered.length + 50);
  await run.stop();

  const other = await startServer(backup);
  await expectBeginningOf(await rowsOf(server.urlOf('shiplog')), other.urlOf('shiplog'));
  const restored = await testService({ databaseUrl: other.urlOf('shiplog') });
  expect(await listedEvents(restored.url)).toHaveProperty('size', (await rowsOf(other.urlOf('shiplog'))).length);
});

testWithClients('the embedded database refuses the data folder of an older server, but restores its dump', async () => {
  const old = await startServer();
  const service = await testService({ databaseUrl: old.urlOf('shiplog'), config: quickReset });
  await fill(service.url);
  const before = await pictureOf(service.url);
  const backup = join(old.folder, 'backup.dump');
  await runRecipes(['Connect', 'Dump'], { environment: { DATA_DIR: old.dataDir, BACKUP: backup } });
  await service.stop();
  await old.stop();
  const [refusal = ''] = await refusedStart({ DATA_DIR: old.dataDir });
  expect(refusal).toMatch(
    /^The data directory .* was written by PostgreSQL \d+, but this program includes PostgreSQL \d+\. Dump it with/,
  );

  const environment = {
    PORT: '0',
    DATA_DIR: join(await testFolder(), 'data'),
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
    // The same value as for the dumped service, because responses contain it.
    HISTORY_RETENTION_DAYS: '365',
  };
  const first = ProgramProcess.spawn('service', environment);
  await first.ready();
  await runRecipes(['Connect', 'Restore a dump', 'Swap the names'], {
    environment: { DATA_DIR: environment.DATA_DIR, BACKUP: backup },
  });
  expect(await first.terminate()).toBe(0);
  const second = ProgramProcess.spawn('service', environment);
  expect(await pictureOf(await second.ready())).toEqual(before);
  expect(await second.terminate()).toBe(0);
});

testWithClients('a reset that was draining when the dump was taken does not continue after the restore', async () => {
  const server = await startServer();
  const reset = { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: ['demo-driver'] };
  const service = await testService({ databaseUrl: server.urlOf('shiplog'), config: { reset } });
  const run = new PostRun(service.url, 4);
  await run.reaches(10);
  await run.stop();
  await startReset(service.url);
  const backup = join(server.folder, 'backup.dump');
  await runRecipes(['Connect', 'Dump', 'Restore a dump'], {
    environment: { DATA_DIR: server.dataDir, BACKUP: backup },
  });
  const restored = await testService({ databaseUrl: server.urlOf('restored'), config: { reset } });
  expect((await listedEvents(restored.url)).size).toBe(run.answered.length);
  expect((await requestReset(restored.url)).status).toBe(202);
});
