import { runSql } from '@shiplog/testing';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** Opens a transaction, runs a statement in it and keeps its locks. The connection is closed when the test ends. */
export async function openTransaction(url: string, statement = 'select'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(statement);
  return client;
}

/** A waiting session and the statement that it is running. */
interface Waiting {
  readonly pid: number;
  readonly query: string;
}

/**
 * The sessions that wait for the transaction's locks. Uses another session, because a transaction always sees the same
 * list.
 */
export async function waitingFor(url: string, transaction: pg.Client): Promise<Waiting[]> {
  const { rows } = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
  return runSql(url, 'select pid, query from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [rows[0]?.pid]);
}

/** Whether any session waits for a lock that the transaction holds. */
export async function isWaitedFor(url: string, transaction: pg.Client): Promise<boolean> {
  return (await waitingFor(url, transaction)).length > 0;
}

/** Cancels the statements that wait for the transaction's locks, and returns their number. */
export async function cancelWaitingFor(url: string, transaction: pg.Client): Promise<number> {
  const waiting = await waitingFor(url, transaction);
  for (const { pid } of waiting) await runSql(url, 'select pg_cancel_backend($1)', [pid]);
  return waiting.length;
}

/** The number of sessions of the database that wait for any lock. */
export async function countWaiting(url: string): Promise<number> {
  const waiting = await runSql(
    url,
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length;
}
