import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { runsAsRoot } from '../src/account.ts';
import { findBinaries } from '../src/binaries.ts';
import { DatabaseStartError, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../src/index.ts';
import { untilGone } from '../src/process-table.ts';

const inFolder = fileFolder();

async function faultOf(options: EmbeddedPostgresOptions): Promise<string> {
  const fault: unknown = await startEmbeddedPostgres(options).then(
    async (db) => db.stop().then(() => 'it started'),
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(DatabaseStartError);
  const message = fault instanceof DatabaseStartError ? fault.message : '';
  expect(message, 'one sentence').toMatch(/^[^\n]+\.$/);
  return message;
}

test('a cluster of another major version is refused and left unchanged', async () => {
  const dataDir = inFolder('seventeen');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'PG_VERSION'), '17\n');
  expect(await faultOf({ dataDir })).toBe(
    `The data directory ${dataDir} was written by PostgreSQL 17, but this program includes PostgreSQL 18. Dump it with PostgreSQL 17 and restore it into a new one, or point DATA_DIR at a new folder.`,
  );
  expect(await readdir(dataDir)).toEqual(['PG_VERSION']);
});

test('a cluster without a readable version is refused', async () => {
  const dataDir = inFolder('damaged');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'PG_VERSION'), '');
  expect(await faultOf({ dataDir })).toContain('is damaged (its file PG_VERSION has no version)');
});

test('a folder with other files is refused and left unchanged', async () => {
  const dataDir = inFolder('photos');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'holiday.txt'), 'sun');
  expect(await faultOf({ dataDir })).toBe(
    `${dataDir} is neither empty nor a PostgreSQL data directory. Point DATA_DIR at a new or empty folder.`,
  );
  expect(await readFile(join(dataDir, 'holiday.txt'), 'utf8')).toBe('sun');
});

test('a file instead of a data directory is refused', async () => {
  await writeFile(inFolder('file'), '');
  expect(await faultOf({ dataDir: inFolder('file') })).toContain('is not a folder. Point DATA_DIR at');
  expect(await faultOf({ dataDir: inFolder('file/below') })).toContain('part of the path is a file');
});

test('a write-protected data directory is refused and stays write-protected', async () => {
  const dataDir = inFolder('protected');
  await mkdir(dataDir);
  await chmod(dataDir, 0o555);
  expect(await faultOf({ dataDir })).toContain(`The data directory ${dataDir} is write-protected. Make it writable`);
});

test("a start fails with a message when the system can't create the folder", async () => {
  const message = await faultOf({ dataDir: '/proc/shiplog' });
  expect(message).toMatch(
    /^The embedded database can't use \/proc\/shiplog \(ENOENT: .*\): .* point DATA_DIR at another/,
  );
});

test.runIf(runsAsRoot())(
  'a cluster owned by root is refused, with a message that has the command to change its owner',
  async () => {
    const dataDir = inFolder('of-root');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'PG_VERSION'), '18\n');
    expect(await faultOf({ dataDir })).toMatch(
      /belongs to root, .*\. Change its owner with chown -R \w+, or point DATA_DIR/,
    );
  },
);

test("the error message has the server's error and its log when the server can't start", async () => {
  const dataDir = inFolder('bad-setting');
  const message = await faultOf({ dataDir, settings: { shared_buffers: 'plenty' } });
  expect(message).toContain('did not start (invalid value for parameter "shared_buffers": "plenty")');
  expect(message).toContain(join(dataDir, 'shiplog.log'));
  expect((await readdir(dataDir)).filter((name) => /owner|postmaster\.pid/.test(name))).toEqual([]);
  await (await startEmbeddedPostgres({ dataDir })).stop();
});

test("the error message has the server's error when the cluster is damaged", async () => {
  const dataDir = inFolder('no-control-file');
  await (await startEmbeddedPostgres({ dataDir })).stop();
  await writeFile(join(dataDir, 'global', 'pg_control'), '');
  expect(await faultOf({ dataDir })).toMatch(/did not start \(.*pg_control.*\)\. See its log/);
});

test("another program's server on the directory keeps running", async () => {
  const dataDir = inFolder('by-hand');
  const first = await startEmbeddedPostgres({ dataDir });
  await first.stop();
  const { postgres } = await findBinaries();
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${dataDir}`];
  const user = runsAsRoot() ? await ownerOf(dataDir) : {};
  const server = spawn(postgres, ['-D', dataDir, ...settings], { cwd: '/', ...user });
  const ended = once(server, 'close');
  await expect.poll(() => readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).toMatch(/\nready/);
  expect(await faultOf({ dataDir })).toContain(`in use by process ${server.pid}`);
  server.kill('SIGINT');
  await ended;
  expect(await untilGone(server.pid ?? 0, 10_000)).toBe(true);
});

test('a start on a platform without binaries fails with a hint to use another server', async () => {
  const arch = process.arch;
  Object.defineProperty(process, 'arch', { value: 's390x' });
  try {
    const message = await faultOf({ dataDir: inFolder('unsupported') });
    expect(message).toMatch(/^No embedded PostgreSQL is installed for \w+-s390x\. Set DATABASE_URL to a PostgreSQL 14/);
  } finally {
    Object.defineProperty(process, 'arch', { value: arch });
  }
});

test('a start fails when the binaries folder does not contain PostgreSQL', async () => {
  const message = await faultOf({ dataDir: inFolder('no-binaries'), binaries: inFolder('nothing') });
  expect(message).toMatch(/Can't run .*nothing\/bin\/postgres \(.*ENOENT\)\. Use a folder with/);
});

async function ownerOf(path: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(path);
  return { uid, gid };
}
