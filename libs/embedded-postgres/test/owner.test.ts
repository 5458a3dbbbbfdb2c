import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileFolder } from '@shiplog/testing';
import { beforeEach, expect, test } from 'vitest';
import { ownAccount } from '../src/account.ts';
import { startEmbeddedPostgres } from '../src/index.ts';
import { claimOwner, type Owner } from '../src/owner.ts';
import { startMark } from '../src/process-table.ts';
import { canMakeContainers } from './support/container.ts';
import { rowsOf } from './support/database.ts';
import { spawnService } from './support/service.ts';

const inFolder = fileFolder();
const testInContainers = test.skipIf(!canMakeContainers);
let dataDir = '';
let count = 0;

beforeEach(async () => {
  count += 1;
  dataDir = inFolder(`owner-${count}`);
  await mkdir(dataDir);
});

function claim(): Promise<Owner> {
  return claimOwner({ dataDir, account: ownAccount() });
}

test('a directory without an owner can be claimed, released and claimed again', async () => {
  for (let round = 0; round < 2; round++) {
    const owner = await claim();
    await owner.release();
    await owner.release();
  }
});

test('a refused claim names the running owner', async () => {
  const owner = await claim();
  await expect(claim()).rejects.toThrow(`${dataDir} is in use by process ${process.pid}. Stop that process`);
  await owner.release();
});

test.each([
  ['no process', '', "a process that this one can't see (in another container?)"],
  ['an earlier owner', `1 another-boot/123 ${hostname()}`, "a process that this one can't see"],
  ['a process on another host', '7 another-boot/123 shiplog-0', "process 7 on shiplog-0 that this one can't see"],
])('a refused claim says that the owner is not visible when the lock file names %s', async (_, text, words) => {
  const owner = await claim();
  await writeFile(join(dataDir, 'shiplog.lock'), text);
  await expect(claim()).rejects.toThrow(`is in use by ${words}`);
  await owner.release();
});

test('the lock file of an ended owner does not prevent a claim, whatever text it contains', async () => {
  await writeFile(join(dataDir, 'shiplog.lock'), `${process.pid} ${startMark(process.pid) ?? '-'} ${hostname()}`);
  await (await claim()).release();
});

test('a copy made while a server was running is refused until its pid file is removed', async () => {
  const db = await startEmbeddedPostgres({ dataDir });
  const copy = `${dataDir}-copy`;
  execFileSync('cp', ['-a', dataDir, copy]);
  await db.stop();
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await expect(startEmbeddedPostgres({ dataDir: copy })).rejects.toThrow(
      `The data directory ${copy} was copied while its database server was running, so the copy may be damaged. Copy it again`,
    );
  }
  await rm(join(copy, 'postmaster.pid'));
  await (await claimOwner({ dataDir: copy, account: ownAccount() })).release();
  const sound = `${dataDir}-sound`;
  execFileSync('cp', ['-a', dataDir, sound]);
  await (await claimOwner({ dataDir: sound, account: ownAccount() })).release();
});

test('a link with the name of the lock file is not followed', async () => {
  await symlink(inFolder('elsewhere'), join(dataDir, 'shiplog.lock'));
  await expect(claim()).rejects.toThrow('ELOOP');
  expect(await readdir(inFolder('.'))).not.toContain('elsewhere');
});

test('only one of many concurrent claims succeeds', async () => {
  const claims = await Promise.allSettled(Array.from({ length: 20 }, claim));
  const owners = claims.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(owners).toHaveLength(1);
  await owners[0]?.release();
});

test('a second service is refused without disturbing the first, and the claim ends with the first service', async () => {
  const first = spawnService({ dataDir });
  const { started } = await first.until('started', 'refused');
  const second = spawnService({ dataDir });
  const { refused } = await second.until('started', 'refused');
  await second.end();
  expect(refused).toEqual({
    name: 'DatabaseStartError',
    message: `The data directory ${dataDir} is in use by process ${first.pid}. Stop that process, or point DATA_DIR at another folder.`,
  });
  expect(started && startMark(started.pid)).toBeDefined();
  await first.kill();
  await (await claim()).release();
});

test('exactly one service runs when two start at the same time', async () => {
  for (let round = 0; round < 2; round++) {
    const services = [spawnService({ dataDir }), spawnService({ dataDir })];
    const answers = await Promise.all(services.map((service) => service.until('started', 'refused')));
    await Promise.all(services.map((service) => service.end()));
    expect(answers.filter((answer) => answer.started)).toHaveLength(1);
    expect(answers.find((answer) => answer.refused)?.refused?.message).toMatch(/in use by/);
  }
});

testInContainers('a second service in another container is refused and does not disturb the first', async () => {
  const first = spawnService({ dataDir }, { inContainer: true });
  const { started } = await first.until('started', 'refused');
  if (!started) throw new Error('the first did not start');
  await rowsOf(started.connection, 'CREATE TABLE kept (word text)');
  for (const inContainer of [true, false]) {
    const second = spawnService({ dataDir }, { inContainer });
    const { refused } = await second.until('started', 'refused');
    await second.end();
    expect(refused?.message).toBe(
      `The data directory ${dataDir} is in use by a process that this one can't see (in another container?). Stop that process, or point DATA_DIR at another folder.`,
    );
  }
  expect(await rowsOf(started.connection, `INSERT INTO kept VALUES ('ship')`, 'SELECT word FROM kept')).toHaveLength(1);
  await first.end();
});

testInContainers('if two containers start at the same time, exactly one runs', async () => {
  const services = [1, 2].map(() => spawnService({ dataDir }, { inContainer: true }));
  const answers = await Promise.all(services.map((service) => service.until('started', 'refused')));
  await Promise.all(services.map((service) => service.end()));
  expect(answers.filter((answer) => answer.started)).toHaveLength(1);
});
