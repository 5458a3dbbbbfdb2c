import pg from 'pg';
import { databaseError } from './errors.ts';

/** How to reach the server: a URL, or the socket of the embedded one. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** A statement with a name is prepared once per connection; one without is planned for its values each time. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Runs statements; rejects with `DatabaseUnavailable` where the same call may succeed later. */
export interface Queries {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Rejects unless the database answers. */
export async function ping(queries: Queries): Promise<void> {
  await queries.query({ name: 'ping', text: 'select 1' });
}

/** One short attempt: how long a call waits for a connection (reading 8.3). */
export const connectTimeoutMs = 3000;
const readTimeoutMs = 30_000;
const writeTimeoutMs = 5000;
const readConnectionsMax = 8;

/**
 * The two pools of an instance. Appends have a connection of their own, so that no number of readers makes a post
 * wait for one; reads share a few.
 */
export class Database {
  readonly connection: Connection;
  readonly reads: Queries;
  readonly appends: Queries;
  readonly #pools: readonly pg.Pool[];

  constructor(connection: Connection, onError: (error: Error) => void) {
    this.connection = connection;
    const readPool = openPool(connection, { max: readConnectionsMax, queryTimeoutMs: readTimeoutMs }, onError);
    const appendPool = openPool(connection, { max: 1, queryTimeoutMs: writeTimeoutMs }, onError);
    this.#pools = [readPool, appendPool];
    this.reads = queriesOf(readPool);
    this.appends = queriesOf(appendPool);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#pools.filter((pool) => !pool.ended && !pool.ending).map((pool) => pool.end()));
  }
}

function openPool(
  connection: Connection,
  limits: { max: number; queryTimeoutMs: number },
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: limits.max,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: limits.queryTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'shiplog',
    onConnect: (client) => prepareSession(client, limits.queryTimeoutMs),
  });
  // Without a listener, a connection that is cut while idle would end the process.
  pool.on('error', onError);
  return pool;
}

/**
 * What every connection needs, whatever the server's defaults are: the append relies on READ COMMITTED, and a 201 on a
 * flushed commit (reading 3.6). A stronger synchronous_commit of the server (remote_apply, say) stays.
 */
async function prepareSession(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  await client.query(`
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set session characteristics as transaction isolation level read committed;
    set statement_timeout = ${timeoutMs};
    set idle_in_transaction_session_timeout = ${timeoutMs};
    set timezone = 'UTC'`);
}

function queriesOf(pool: pg.Pool): Queries {
  return {
    async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      try {
        const result = await pool.query<Row>({ ...statement, values: [...values] });
        return result.rows;
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}
