import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeAbandonedFolders, temporaryPlace, testFolder } from './folder.ts';

test('a new test run removes the folders of killed runs, and only those', async () => {
  const own = await testFolder();
  const { pid } = spawnSync('true');
  const abandoned = join(temporaryPlace, `shiplog-test-${pid}-abandoned`);
  await mkdir(join(abandoned, 'data'), { recursive: true });
  await removeAbandonedFolders();
  expect([existsSync(abandoned), existsSync(own)]).toEqual([false, true]);
});
