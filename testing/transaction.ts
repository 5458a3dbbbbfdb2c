import { runSql } from '@shiplog/testing';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** An open transaction that has run a statement and holds what that locks until it ends; cut when the test is over. */
export async function openTransaction(url: string, statement = 'select'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(statement);
  return client;
}

/** Whether somebody waits for a lock that the transaction holds. */
export async function isWaitedFor(url: string, transaction: pg.Client): Promise<boolean> {
  const { rows } = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = await runSql(url, 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
    rows[0]?.pid,
  ]);
  return waiting.length > 0;
}

/** How many sessions of the database wait for a lock, whoever holds it. */
export async function countWaiting(url: string): Promise<number> {
  const waiting = await runSql(
    url,
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length;
}
