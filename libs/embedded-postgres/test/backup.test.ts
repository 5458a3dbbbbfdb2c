import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFolder } from '@shiplog/testing';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { backUp, type EmbeddedPostgres, startEmbeddedPostgres } from '../src/index.ts';
import { rowsOf } from './support/database.ts';

const inFolder = fileFolder();
const running: EmbeddedPostgres[] = [];

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const db = await startEmbeddedPostgres({ dataDir });
  running.push(db);
  return db;
}

afterEach(() => Promise.all(running.splice(0).map((db) => db.stop())));

test('a backup made during writes and WAL recycling has all earlier rows', async () => {
  const db = await start(inFolder('data'));
  await rowsOf(db.connection, 'CREATE TABLE kept (number int PRIMARY KEY, padding text)');
  const client = new pg.Client(db.connection);
  await client.connect();
  let committed = 0;
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await client.query(`INSERT INTO kept VALUES ($1, repeat(md5(random()::text), 100))`, [committed + 1]);
      committed += 1;
    }
  })();
  const recycling = (async () => {
    while (!isOver) await rowsOf(db.connection, 'SELECT pg_switch_wal()', 'CHECKPOINT');
  })();
  while (committed < 100) await new Promise(setImmediate);
  const before = committed;
  const { files, bytes } = await backUp({ dataDir: inFolder('data'), target: inFolder('backup') });
  isOver = true;
  await Promise.all([writing, recycling]);
  await client.end();
  expect(committed).toBeGreaterThan(before);
  expect([files > 100, bytes > 1e6]).toEqual([true, true]);

  const restored = await start(inFolder('backup'));
  const [row] = await rowsOf(restored.connection, 'SELECT count(*)::int, max(number) FROM kept');
  const { count, max } = row as { count: number; max: number };
  expect(count).toBe(max);
  expect(max).toBeGreaterThanOrEqual(before);
  await rowsOf(restored.connection, `INSERT INTO kept VALUES (0, '')`, 'REINDEX TABLE kept');
});

test('a backup is refused if the target is not empty or is inside the data directory, or if no server is running', async () => {
  const db = await start(inFolder('data'));
  await mkdir(inFolder('full'));
  await writeFile(join(inFolder('full'), 'x'), '');
  await expect(backUp({ dataDir: inFolder('data'), target: inFolder('full') })).rejects.toThrow('is not empty');
  const inside = join(inFolder('data'), 'backup');
  await expect(backUp({ dataDir: inFolder('data'), target: inside })).rejects.toThrow('inside the data directory');
  expect(await readdir(inFolder('full'))).toEqual(['x']);
  await db.stop();
  running.length = 0;
  await expect(backUp({ dataDir: inFolder('data'), target: inFolder('new') })).rejects.toThrow(
    /Can't reach an embedded PostgreSQL server/,
  );
  await expect(backUp({ dataDir: inFolder('none'), target: inFolder('new') })).rejects.toThrow(
    /Can't reach an embedded PostgreSQL server/,
  );
});
