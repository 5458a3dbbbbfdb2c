import { runSql } from '@shiplog/testing';
import { Database } from '../../src/db/database.ts';
import { foldStep, foldTables } from '../../src/db/folds/step.ts';
import { Servers } from '../../src/db/servers.ts';

/** Takes steps until the folds have every event. */
export async function foldAll(url: string): Promise<void> {
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  await foldAllOn(database);
  await database.stop();
}

export async function foldAllOn({ folds }: Pick<Database, 'folds'>): Promise<void> {
  while ((await folds.session((session) => foldStep(session, { wait: true })))?.isFull);
}

/** The rows of all folds, sorted, by table. A link keeps the id of the event that added it, even if that is removed. */
export async function foldedRows(url: string): Promise<Record<string, string[]>> {
  const counted = foldTables.map(
    (table) =>
      `'${table}', array(select (to_jsonb(${table}) ${table === 'promotions' ? "- 'id'" : ''})::text from ${table} order by 1)`,
  );
  const [row] = await runSql<{ rows: Record<string, string[]> }>(url, `select json_build_object(${counted}) as rows`);
  return row?.rows ?? {};
}

/** The rows of all folds when they have every event, and the rows after they were rebuilt from the log. */
export async function foldedTwice(url: string): Promise<{ followed: object; rebuilt: object }> {
  await foldAll(url);
  const followed = await foldedRows(url);
  await runSql(url, 'update folds set tick = -1');
  await foldAll(url);
  return { followed, rebuilt: await foldedRows(url) };
}
