import pg from 'pg';
import { DatabaseUnavailable, databaseError, isSilence, isStandby } from './errors.ts';

/** How to reach the server: a URL, or the socket of the embedded one. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

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

/** How often the server checks during a statement whether its client is still there. */
const clientCheckMs = 1000;

/** How long a stop waits for a database that may not answer any more. */
export const goodbyeMs = 1000;

/** Resolves when the work has settled or the time is over. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([
    over,
    work.then(
      () => undefined,
      () => undefined,
    ),
  ]);
  clearTimeout(timer);
}

const ping: Statement = { name: 'ping', text: 'select 1' };

/** One short attempt: how long a call waits for a connection (reading 8.3). */
export const connectTimeoutMs = 3000;
/** How long a statement may take, so that a database that does not answer delays no call for longer. */
export const queryTimeoutMs = 5000;
const readConnectionsMax = 8;
const appendConnections = 1;
const writeConnectionsMax = 4;
/** Aggregates over a large log take long; a pool of their own keeps them from blocking quick reads. */
const analyticsConnectionsMax = 2;
const listenerConnections = 1;
/** How many connections an instance has when all are in use. */
export const connectionsMax =
  readConnectionsMax + appendConnections + writeConnectionsMax + analyticsConnectionsMax + listenerConnections;
const analyticsTimeoutMs = 30_000;
/**
 * For aggregates: memory to group a window without temporary files, and costs for storage with fast random reads.
 * The number of connections bounds the memory.
 */
const analyticsSettings = { work_mem: '64MB', random_page_cost: '1.1' };

/**
 * The pools of an instance. Appends of events have a connection of their own, which stays open, so that a post never
 * waits for a reader. Reads share a pool, the writes beside appends (resets, reports, retention) another.
 */
export class Database {
  readonly connection: Connection;
  readonly reads: Connections;
  readonly appends: Connections;
  readonly writes: Connections;
  readonly analytics: Connections;
  readonly #pools: readonly Connections[];
  #stopped = false;

  constructor(connection: Connection, onError: (error: Error) => void) {
    this.connection = connection;
    const onLost = (error: Error) => {
      // A server that stops at the same time may cut connections while they close.
      if (!this.#stopped) onError(error);
    };
    const onSilence = () => {
      for (const pool of this.#pools) pool.renew();
    };
    const open = (max: number, sessions: Partial<PoolSettings> = {}) =>
      new Connections(
        () => openPool(connection, { max, min: 0, timeoutMs: queryTimeoutMs, settings: {}, ...sessions }, onLost),
        onSilence,
      );
    this.reads = open(readConnectionsMax, { settings: { jit: 'off' } });
    this.appends = open(appendConnections, { min: appendConnections });
    this.writes = open(writeConnectionsMax);
    this.analytics = open(analyticsConnectionsMax, {
      timeoutMs: analyticsTimeoutMs,
      settings: analyticsSettings,
    });
    this.#pools = [this.reads, this.appends, this.writes, this.analytics];
  }

  /** Rejects unless reads are answered and appends have their connection, which is opened again if it was lost. */
  async answers(): Promise<void> {
    await Promise.all([this.reads.query(ping), this.keepAppends()]);
  }

  /** Opens the connection of appends if it was lost, before readers take the last ones that the server has. */
  async keepAppends(): Promise<void> {
    if (!this.appends.isOpen) await this.appends.query(ping);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }
}

/**
 * A pool that replaces connections that died silently. Such connections look idle, so when one gives no answer in time,
 * every pool is renewed, and the next call opens a new connection.
 */
class Connections implements Sessions {
  readonly #open: () => pg.Pool;
  readonly #onSilence: () => void;
  #pool: pg.Pool;
  /** The open connections of the pool, without those that are being opened. */
  #opened = new Set<pg.ClientBase>();
  #stopped: Promise<void> | undefined;

  constructor(open: () => pg.Pool, onSilence: () => void) {
    this.#open = open;
    this.#onSilence = onSilence;
    this.#pool = this.#newPool();
  }

  /** Whether a connection is open; one that is being opened may still be refused. */
  get isOpen(): boolean {
    return this.#opened.size > 0;
  }

  query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#watched(this.#pool, (pool) => rowsOf<Row>(pool, statement, values));
  }

  async session<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#watched(this.#pool, async (pool) => {
      const client = await pool.connect();
      // Without a listener, a connection that is cut between two statements would end the process; the next statement fails.
      const ignore = () => undefined;
      client.on('error', ignore);
      try {
        const result = await work(sessionOf(client));
        client.off('error', ignore).release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    });
  }

  async #watched<Result>(pool: pg.Pool, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
    try {
      return await work(pool);
    } catch (error) {
      if (isSilence(error) && this.#pool === pool) this.#onSilence();
      throw databaseError(error);
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= settledWithin(goodbyeMs, this.#pool.end());
    return this.#stopped;
  }

  /** Statements in progress finish on the old pool. */
  renew(): void {
    if (this.#stopped) return;
    void this.#pool.end();
    this.#pool = this.#newPool();
  }

  #newPool(): pg.Pool {
    const opened = new Set<pg.ClientBase>();
    this.#opened = opened;
    return this.#open().on('connect', (client) => {
      opened.add(client);
      client.once('end', () => opened.delete(client));
    });
  }
}

async function rowsOf<Row extends object>(
  connection: pg.Pool | pg.PoolClient,
  { timeoutMs, ...statement }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + answerGraceMs };
  const result = await connection.query<Row>({ ...statement, ...timeout, values: [...values] });
  return result.rows;
}

function sessionOf(client: pg.PoolClient): Session {
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

interface SessionSettings {
  /** How long a statement may take. */
  readonly timeoutMs: number;
  /** Of the server, for this session. */
  readonly settings: Readonly<Record<string, string>>;
}

interface PoolSettings extends SessionSettings {
  readonly max: number;
  /** How many stay open while idle. */
  readonly min: number;
}

function openPool(
  connection: Connection,
  { max, min, timeoutMs, settings }: PoolSettings,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    min,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: timeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'shiplog',
    onConnect: (client) => prepareSession(client, { timeoutMs, settings }),
  });
  // Without a listener, a connection that is cut while idle would end the process.
  pool.on('error', onError);
  return pool;
}

/**
 * What every connection needs, whatever the server's defaults are: the append relies on READ COMMITTED, and a 201 on a
 * flushed commit (reading 3.6). A stronger synchronous_commit of the server (remote_apply, say) stays. After a failover
 * a proxy may lead to a standby for a moment: a connection that stayed there would show the past. JIT takes longer than
 * the statements that it compiles.
 */
async function prepareSession(client: pg.ClientBase, { timeoutMs, settings }: SessionSettings): Promise<void> {
  const answers: unknown = await client.query(`
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set session characteristics as transaction isolation level read committed;
    set statement_timeout = ${timeoutMs};
    set idle_in_transaction_session_timeout = ${timeoutMs};
    set timezone = 'UTC';
    set jit = off;
    select pg_is_in_recovery() as standby`);
  const [judged] = (answers as pg.QueryResult<{ standby: boolean }>[]).at(-1)?.rows ?? [];
  if (judged?.standby !== false) throw new DatabaseUnavailable(isStandby);
  for (const [name, value] of Object.entries(settings)) {
    await client.query('select set_config($1, $2, false)', [name, value]);
  }
  // A statement of an instance that is gone would otherwise keep its locks for as long as it runs or waits. Servers
  // beside Linux cannot look whether the client is there; they do without.
  await client.query(`set client_connection_check_interval = ${clientCheckMs}`).catch(() => undefined);
}
