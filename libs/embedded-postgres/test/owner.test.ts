import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { claimOwner } from '../src/owner.ts';
import { startMark } from '../src/process-table.ts';
import { temporaryFolder } from './support/folders.ts';
import { spawnService } from './support/service.ts';

const inFolder = temporaryFolder();
let dataDir = '';
let count = 0;

beforeEach(async () => {
  count += 1;
  dataDir = inFolder(`owner-${count}`);
  await mkdir(dataDir);
});

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  return child.pid ?? 0;
}

function leaveClaim(pid: number, nonce: string, mark = '-', heirOf = ''): Promise<void> {
  return symlink(`${pid} ${mark} ${nonce}`, join(dataDir, `shiplog.owner${heirOf && `.${heirOf}`}`));
}

test('a directory without an owner is claimed and given back', async () => {
  const owner = await claimOwner(dataDir);
  expect(await readlink(join(dataDir, 'shiplog.owner'))).toContain(`${process.pid} `);
  await owner.release();
  await owner.release();
  expect(await readdir(dataDir)).toEqual([]);
});

test('a living owner is named in the refusal', async () => {
  const owner = await claimOwner(dataDir);
  await expect(claimOwner(dataDir)).rejects.toThrow(
    `${dataDir} is in use by process ${process.pid}: stop that process`,
  );
  await owner.release();
});

test('a dead owner is taken over', async () => {
  await leaveClaim(await deadPid(), 'dead');
  const owner = await claimOwner(dataDir);
  expect(await readdir(dataDir)).toEqual(['shiplog.owner']);
  await owner.release();
});

test.skipIf(startMark(process.pid) === undefined)(
  'a process that only has the pid of an old owner is none',
  async () => {
    await leaveClaim(process.pid, 'earlier', 'another-boot/123');
    const owner = await claimOwner(dataDir);
    await owner.release();
  },
);

test('an owner file that is damaged counts as left by the dead', async () => {
  await symlink('nonsense', join(dataDir, 'shiplog.owner'));
  const owner = await claimOwner(dataDir);
  await owner.release();
  expect(await readdir(dataDir)).toEqual([]);
});

test('heirs that died while taking over are succeeded, and leave nothing', async () => {
  const pid = await deadPid();
  await leaveClaim(pid, 'first');
  await leaveClaim(pid, 'second', '-', 'first');
  await leaveClaim(pid, 'third', '-', 'second');
  await leaveClaim(pid, 'stray', '-', 'unknown');
  const owner = await claimOwner(dataDir);
  expect(await readdir(dataDir)).toEqual(['shiplog.owner']);
  await owner.release();
});

test('a living heir of a dead owner is an owner', async () => {
  await leaveClaim(await deadPid(), 'first');
  await leaveClaim(process.pid, 'second', startMark(process.pid), 'first');
  await expect(claimOwner(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
});

test.each(['nobody', 'a dead process'])(
  'of many claims at once on a directory owned by %s one wins',
  async (before) => {
    if (before !== 'nobody') await leaveClaim(await deadPid(), 'dead');
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimOwner(dataDir)));
    const owners = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
    expect(owners).toHaveLength(1);
    await owners[0]?.release();
    expect(await readdir(dataDir)).toEqual([]);
  },
);

test('a second service is refused and does not disturb the first', async () => {
  const first = spawnService({ dataDir });
  const { started } = await first.until('started', 'refused');
  const second = spawnService({ dataDir });
  const { refused } = await second.until('started', 'refused');
  await second.end();
  expect(refused).toEqual({
    name: 'StartupFault',
    message: `The data directory ${dataDir} is in use by process ${first.pid}: stop that process, or point DATA_DIR at another folder.`,
  });
  expect(started && startMark(started.pid)).toBeDefined();
  await first.end();
});

test('of two services that start at the same moment exactly one runs', async () => {
  for (let round = 0; round < 3; round++) {
    const services = [spawnService({ dataDir }), spawnService({ dataDir })];
    const answers = await Promise.all(services.map((service) => service.until('started', 'refused')));
    await Promise.all(services.map((service) => service.end()));
    expect(answers.filter((answer) => answer.started)).toHaveLength(1);
    expect(answers.find((answer) => answer.refused)?.refused?.message).toMatch(/in use by process \d+/);
  }
});
