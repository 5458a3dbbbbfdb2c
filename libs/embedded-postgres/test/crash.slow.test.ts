import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFolder, until } from '@shiplog/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/index.ts';
import { LockFile } from '../src/lock.ts';
import { isRunning, untilGone } from '../src/process-table.ts';
import { asInContainer, canMakeContainers } from './support/container.ts';
import { rowsOf } from './support/database.ts';
import { spawnService } from './support/service.ts';

const inFolder = fileFolder();
const boundMs = 10_000;

test('the server ends when its service is killed, and the next start finds the rows', async () => {
  const dataDir = inFolder('killed-service');
  const service = spawnService({ dataDir });
  const { started } = await service.until('started', 'refused');
  if (!started) throw new Error('no server to kill');
  await rowsOf(started.connection, 'CREATE TABLE kept (word text)', `INSERT INTO kept VALUES ('ship')`);
  await service.kill();
  if (process.platform === 'linux') expect(await untilGone(started.pid, boundMs)).toBe(true);
  const db = await startEmbeddedPostgres({ dataDir });
  expect(await rowsOf(db.connection, 'SELECT word FROM kept')).toEqual([{ word: 'ship' }]);
  await db.stop();
});

test('a start right after the kill waits for the old server', async () => {
  const dataDir = inFolder('restarted-at-once');
  for (let round = 0; round < 3; round++) {
    const service = spawnService({ dataDir });
    await service.until('started');
    await service.kill();
  }
  const db = await startEmbeddedPostgres({ dataDir });
  await db.stop();
});

test('a server that outlived its service is stopped by the next start', async () => {
  const dataDir = inFolder('orphan');
  const db = await startEmbeddedPostgres({ dataDir });
  await rowsOf(db.connection, 'CREATE TABLE kept (word text)', `INSERT INTO kept VALUES ('ship')`);
  // As if the server's owner had died without the death signal: no process has the owner's lock.
  await rename(join(dataDir, 'shiplog.lock'), inFolder('lock-of-orphan'));
  const log: string[] = [];
  const next = await startEmbeddedPostgres({ dataDir, log: (line) => log.push(line) });
  expect(log).toContain(
    `stopping the database server (process ${db.pid}) that an earlier run left running on ${dataDir}`,
  );
  expect(isRunning(db.pid)).toBe(false);
  expect(await rowsOf(next.connection, 'SELECT word FROM kept')).toEqual([{ word: 'ship' }]);
  await next.stop();
  await db.stop();
});

test.skipIf(process.platform !== 'linux')(
  'the data directory stays locked until a server that outlived its service ends',
  async () => {
    const dataDir = inFolder('outlived');
    const service = spawnService({ dataDir });
    const { started } = await service.until('started', 'refused');
    if (!started) throw new Error('no server to stop');
    const { uid, gid } = await stat(dataDir);
    const lock = await LockFile.open(join(dataDir, 'shiplog.server-lock'), { uid, gid, name: '' });
    process.kill(started.pid, 'SIGSTOP');
    await service.kill();
    expect(await lock.take()).toBe(false);
    process.kill(started.pid, 'SIGCONT');
    expect(await untilGone(started.pid, boundMs)).toBe(true);
    expect(await lock.take()).toBe(true);
    await lock.close();
  },
);

/** A process in another container that holds a server's lock. */
async function serverInContainer(dataDir: string): Promise<ChildProcess> {
  const path = join(dataDir, 'shiplog.server-lock');
  const [file = '', ...args] = [...asInContainer, 'flock', path, 'sh', '-c', 'echo locked; exec sleep 600'];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test.skipIf(!canMakeContainers)('a start waits until a server in another container ends', async () => {
  const dataDir = inFolder('unseen-server');
  await (await startEmbeddedPostgres({ dataDir })).stop();
  const other = await serverInContainer(dataDir);
  const log = (line: string) => void (line.startsWith('waiting for a database server') && other.kill('SIGKILL'));
  const db = await startEmbeddedPostgres({ dataDir, log });
  expect(other.killed).toBe(true);
  await db.stop();
});

test.skipIf(!canMakeContainers)('a start leaves a server in another container alone if it does not end', async () => {
  const dataDir = inFolder('lasting-server');
  await (await startEmbeddedPostgres({ dataDir })).stop();
  await writeFile(join(dataDir, 'postmaster.pid'), 'of the other server');
  await serverInContainer(dataDir);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    `${dataDir} is in use by a database server that this program can't see (in another container?)`,
  );
  expect(await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).toBe('of the other server');
});

test('the exit of a server is reported once, and a new start recovers all commits', async () => {
  const dataDir = inFolder('killed-server');
  const db = await startEmbeddedPostgres({ dataDir });
  await rowsOf(db.connection, 'CREATE TABLE kept (word text)', `INSERT INTO kept VALUES ('ship')`);
  const details: string[] = [];
  const reported = new Promise<void>((resolve) => {
    db.onExit((detail) => {
      details.push(detail);
      resolve();
    });
  });
  process.kill(db.pid, 'SIGKILL');
  await reported;
  const late = await new Promise<string>((resolve) => db.onExit(resolve));
  expect(details).toEqual([late]);
  expect(late).toContain(`PostgreSQL (process ${db.pid}) was ended by SIGKILL`);
  await db.stop();
  const next = await startEmbeddedPostgres({ dataDir });
  expect(await rowsOf(next.connection, 'SELECT word FROM kept')).toEqual([{ word: 'ship' }]);
  await next.stop();
});

test('a server that exits is restarted on the same socket, but not a second time within a minute', async () => {
  const dataDir = inFolder('started-again');
  const db = await startEmbeddedPostgres({ dataDir, restartsPerMinute: 1 });
  await rowsOf(db.connection, 'CREATE TABLE kept (word text)', `INSERT INTO kept VALUES ('ship')`);
  const first = db.pid;
  const restarted = new Promise<string>((resolve) => db.onRestart(resolve));
  const exited = new Promise<string>((resolve) => db.onExit(resolve));
  process.kill(first, 'SIGKILL');
  expect(await restarted).toContain(`PostgreSQL (process ${first}) was ended by SIGKILL`);
  await until(async () => db.pid !== first);
  await until(() =>
    rowsOf(db.connection, 'SELECT word FROM kept').then(
      ({ length }) => length === 1,
      () => false,
    ),
  );
  const second = db.pid;
  process.kill(second, 'SIGKILL');
  // If the new server ends while its restart is being checked, it counts as not started. So the message names the
  // previous server.
  expect(await exited).toMatch(new RegExp(`PostgreSQL \\(process (${first}|${second})\\) was ended by SIGKILL`));
  await db.stop();
});

test('a stop during a restart leaves no server running', async () => {
  const dataDir = inFolder('stopped-between');
  const db = await startEmbeddedPostgres({ dataDir, restartsPerMinute: 3 });
  const restarted = new Promise<string>((resolve) => db.onRestart(resolve));
  process.kill(db.pid, 'SIGKILL');
  await restarted;
  await db.stop();
  expect(isRunning(db.pid)).toBe(false);
  await (await startEmbeddedPostgres({ dataDir })).stop();
});

test("busy backends of a killed server don't block the next start", async () => {
  const dataDir = inFolder('busy-backend');
  const db = await startEmbeddedPostgres({ dataDir });
  const client = new pg.Client(db.connection);
  client.on('error', () => undefined);
  await client.connect();
  const [backend] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
  const broken = expect(client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)')).rejects.toThrow();
  const ended = new Promise((resolve) => db.onExit(resolve));
  process.kill(db.pid, 'SIGKILL');
  await ended;
  await db.stop();
  const next = await startEmbeddedPostgres({ dataDir });
  await broken;
  if (process.platform === 'linux') expect(isRunning(backend.pid)).toBe(false);
  await next.stop();
});

test('a lock file with the pid of an unrelated process does not block the start', async () => {
  const dataDir = inFolder('reused-pid');
  await (await startEmbeddedPostgres({ dataDir })).stop();
  const stranger = spawn('sleep', ['600']);
  const ended = once(stranger, 'close');
  await writeFile(join(dataDir, 'postmaster.pid'), `${stranger.pid}\n${dataDir}\n`);
  const db = await startEmbeddedPostgres({ dataDir });
  await db.stop();
  expect(isRunning(stranger.pid ?? 0)).toBe(true);
  stranger.kill();
  await ended;
});

test('a cluster that initdb did not finish is created again', async () => {
  const dataDir = inFolder('half-made');
  await mkdir(join(dataDir, 'shiplog.init-abcdef', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'shiplog.init-abcdef', 'PG_VERSION'), '18\n');
  const db = await startEmbeddedPostgres({ dataDir });
  await db.stop();
  expect((await readdir(dataDir)).filter((name) => name.startsWith('shiplog.init'))).toEqual([]);
});

test('a cluster that was partly moved into place is moved completely', async () => {
  const dataDir = inFolder('half-moved');
  const first = await startEmbeddedPostgres({ dataDir });
  await rowsOf(first.connection, 'CREATE TABLE kept (word text)', `INSERT INTO kept VALUES ('ship')`);
  await first.stop();
  await mkdir(join(dataDir, 'shiplog.ready'));
  for (const name of ['PG_VERSION', 'global', 'postgresql.conf']) {
    await rename(join(dataDir, name), join(dataDir, 'shiplog.ready', name));
  }
  const db = await startEmbeddedPostgres({ dataDir });
  expect(await rowsOf(db.connection, 'SELECT word FROM kept')).toEqual([{ word: 'ship' }]);
  await db.stop();
  expect(await readdir(dataDir)).not.toContain('shiplog.ready');
});

test('killing a service at any point of its start does not break the next start', async () => {
  for (const afterMs of [40, 120, 200, 280, 360, 440]) {
    const dataDir = inFolder(`killed-after-${afterMs}`);
    const service = spawnService({ dataDir });
    await Promise.race([service.until('started', 'refused'), new Promise((resolve) => setTimeout(resolve, afterMs))]);
    await service.kill();
    const db = await startEmbeddedPostgres({ dataDir });
    expect(await rowsOf(db.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await db.stop();
  }
});
