import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readJson } from './manifest.js';

/**
 * `node packaging/keep-release.js <DATABASE_URL>`: saves all rows of a database of this version in releases/, for the
 * test that checks that later versions can read them. Run once per release, on a small database.
 */
const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const { rows: names } = await client.query(
  `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
);
/** @type {Record<string, unknown>} */
const tables = {};
for (const { name } of names) {
  const { rows } = await client.query(`select coalesce(json_agg(t), '[]')::text as rows from ${name} t`);
  tables[name] = JSON.parse(rows[0].rows);
}
await client.end();
const path = join(import.meta.dirname, 'releases', `${readJson('package.json').version}.json`);
writeFileSync(path, `${JSON.stringify(tables, undefined, 1)}\n`);
process.stdout.write(`${path}\n`);
