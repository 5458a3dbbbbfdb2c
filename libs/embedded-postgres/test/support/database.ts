import pg from 'pg';
import type { EmbeddedPostgres } from '../../src/index.ts';

/** Runs statements on one connection and returns the rows of the last one. */
export async function rowsOf(connection: EmbeddedPostgres['connection'], ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
