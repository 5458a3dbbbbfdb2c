import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { ownAccount } from '../src/account.ts';
import { LockFile, lockHelpers } from '../src/lock.ts';

const inFolder = fileFolder();

function open(): Promise<LockFile> {
  return LockFile.open(inFolder('lock'), ownAccount());
}

for (const helper of lockHelpers) {
  const absent = spawnSync(helper.file, ['--version']).error !== undefined;
  test.skipIf(absent)(`${helper.file} prevents a lock from being taken twice until it is released`, async () => {
    const [first, second] = [await open(), await open()];
    expect(await first.take([helper])).toBe(true);
    expect(await second.take([helper])).toBe(false);
    expect(await second.take([helper])).toBe(false);
    await first.close();
    expect(await second.take([helper])).toBe(true);
    await second.close();
  });
}

test("the error lists the reasons when files can't be locked", async () => {
  const lock = await open();
  const absent = { file: 'no-such-program', args: [] };
  const failing = { file: 'sh', args: ['-c', 'echo "3: No locks available" >&2; exit 1'] };
  await expect(lock.take([absent, failing])).rejects.toThrow(
    `The data directory ${inFolder('.')} can't be locked (spawn no-such-program ENOENT; 3: No locks available), and`,
  );
  await lock.close();
});

test('written text replaces the previous text', async () => {
  await mkdir(inFolder('texts'));
  const lock = await LockFile.open(join(inFolder('texts'), 'lock'), ownAccount());
  for (const text of ['a long text from an earlier owner', 'short', '']) {
    await lock.write(text);
    expect(await lock.read()).toBe(text);
  }
  await lock.close();
});
