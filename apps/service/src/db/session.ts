import type pg from 'pg';

/** A statement with a name is prepared once per connection; one without is planned each time for its values. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** How long to wait for its answer, where that is not `queryTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** Runs statements; rejects with `DatabaseUnavailable` where the same call may succeed later. */
export interface Queries {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** One connection for a while. */
export interface Session extends Queries {
  /** Commits what the work did, or rolls it back when it rejects. Reads what others commit meanwhile. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** The same for reads that must agree with each other: all see the database as it was at the first one. */
  snapshot<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/** Connections, by the statement or for a while. */
export interface Sessions extends Queries {
  /** Hands one connection to the work. When it rejects, the connection is closed, and its locks are gone with it. */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

/** The server's own limit on a statement comes first; its error says more. */
const answerGraceMs = 1000;

/** Runs a statement on a connection. */
export async function rowsOf<Row extends object>(
  connection: pg.Pool | pg.PoolClient,
  { timeoutMs, ...statement }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + answerGraceMs };
  const result = await connection.query<Row>({ ...statement, ...timeout, values: [...values] });
  return result.rows;
}

/** A connection as whoever has it for a while uses it. */
export function sessionOf(client: pg.PoolClient): Session {
  const queries: Queries = { query: (statement, values = []) => rowsOf(client, statement, values) };
  const transaction = async <Result>(begin: string, work: (queries: Queries) => Promise<Result>): Promise<Result> => {
    await client.query(begin);
    const result = await work(queries).catch(async (error) => {
      await client.query('rollback').catch(() => undefined);
      throw error;
    });
    await client.query('commit');
    return result;
  };
  return {
    ...queries,
    transaction: (work) => transaction('begin', work),
    snapshot: (work) => transaction('begin isolation level repeatable read read only', work),
  };
}
