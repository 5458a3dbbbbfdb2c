import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listedEvents, testDatabase, testFolder, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { manyRows } from './support/many-rows.ts';
import { Spawned } from './support/spawned.ts';

const count = 100_000;
const hourMs = 3_600_000;

test(
  'a hundred thousand rows (70 MB) are posted, then skipped as known, in a heap of 64 MB',
  async () => {
    const { url: databaseUrl } = await testDatabase();
    const { url } = await testService({ databaseUrl });
    const path = join(await testFolder(), 'rows.ndjson');
    await writeFile(path, manyRows(count, 500));
    for (const [posted, known] of [
      [count, 0],
      [0, count],
    ]) {
      const imported = new Spawned(url, ['import', path], { nodeArgs: ['--max-old-space-size=64'] });
      expect([await imported.ended(), imported.err]).toEqual([0, '']);
      expect(imported.out).toBe(`${count} rows: ${posted} posted, ${known} already in the log, 0 refused.\n`);
    }
    expect((await listedEvents(url)).size).toBe(count);
  },
  2 * hourMs,
);
