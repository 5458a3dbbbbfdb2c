import pg from 'pg';
import { databaseError, isSilence } from './errors.ts';

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
/** How long a statement may take, so that a database that says nothing holds no call up. */
const queryTimeoutMs = 5000;
const readConnectionsMax = 8;

/**
 * The two pools of an instance. Appends have a connection of their own, so that no number of readers makes a post
 * wait for one; reads share a few.
 */
export class Database {
  readonly connection: Connection;
  readonly reads: Queries;
  readonly appends: Queries;
  readonly #pools: readonly Connections[];

  constructor(connection: Connection, onError: (error: Error) => void) {
    this.connection = connection;
    const onSilence = () => {
      for (const pool of this.#pools) pool.renew();
    };
    const reads = new Connections(() => openPool(connection, readConnectionsMax, onError), onSilence);
    const appends = new Connections(() => openPool(connection, 1, onError), onSilence);
    this.#pools = [reads, appends];
    this.reads = reads;
    this.appends = appends;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }
}

/**
 * Some connections to the database. Connections that died without a word look idle: one that gives no answer in time
 * makes all that were opened before suspect, in every pool, and the next call gets a new one.
 */
class Connections implements Queries {
  readonly #open: () => pg.Pool;
  readonly #onSilence: () => void;
  #pool: pg.Pool;
  #stopped: Promise<void> | undefined;

  constructor(open: () => pg.Pool, onSilence: () => void) {
    this.#open = open;
    this.#onSilence = onSilence;
    this.#pool = open();
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const pool = this.#pool;
    try {
      const result = await pool.query<Row>({ ...statement, values: [...values] });
      return result.rows;
    } catch (error) {
      if (isSilence(error) && this.#pool === pool) this.#onSilence();
      throw databaseError(error);
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#pool.end();
    return this.#stopped;
  }

  /** What is under way ends on the connection that it has. */
  renew(): void {
    if (this.#stopped) return;
    void this.#pool.end();
    this.#pool = this.#open();
  }
}

function openPool(connection: Connection, max: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'shiplog',
    onConnect: prepareSession,
  });
  // Without a listener, a connection that is cut while idle would end the process.
  pool.on('error', onError);
  return pool;
}

/**
 * What every connection needs, whatever the server's defaults are: the append relies on READ COMMITTED, and a 201 on a
 * flushed commit (reading 3.6). A stronger synchronous_commit of the server (remote_apply, say) stays.
 */
async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(`
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set session characteristics as transaction isolation level read committed;
    set statement_timeout = ${queryTimeoutMs};
    set idle_in_transaction_session_timeout = ${queryTimeoutMs};
    set timezone = 'UTC'`);
}
