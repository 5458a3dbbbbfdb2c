import pg from 'pg';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { DatabaseUnavailable, databaseError, isConflict, isPrimary, isSilence, isStandby } from './errors.ts';
import { refuseSuperseded, type ServerRole, serverRole } from './superseded.ts';

/** How often the server checks during a statement whether its client is still connected. */
const clientCheckMs = 1000;

/**
 * A pool that replaces silently dead connections. Such connections look idle, so when one does not respond in time,
 * `onSilence` must renew every pool.
 */
export class Connections implements Sessions {
  readonly #open: () => pg.Pool;
  readonly #onSilence: () => void;
  #pool: pg.Pool;
  /** Excludes connections that are still being opened. */
  #opened = new Set<pg.Client>();
  /** One function per running call. The function rejects the call. */
  readonly #cuts = new Set<(reason: Error) => void>();
  #stopped: Promise<void> | undefined;

  constructor(open: () => pg.Pool, onSilence: () => void) {
    this.#open = open;
    this.#onSilence = onSilence;
    this.#pool = this.#newPool();
  }

  get isOpen(): boolean {
    return this.#opened.size > 0;
  }

  query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#watched(this.#pool, (pool) => this.#untilCut(rowsOf<Row>(pool, statement)));
  }

  async session<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#watched(this.#pool, async (pool) => {
      const connecting = pool.connect();
      const client = await this.#untilCut(connecting).catch((error) => {
        void connecting.then(
          (late) => late.release(true),
          () => undefined,
        );
        throw error;
      });
      // Without an error listener, a connection loss between two statements would end the process. The next statement
      // fails anyway.
      let cutBy: unknown;
      const onCut = (error: unknown) => {
        cutBy ??= error;
      };
      client.on('error', onCut);
      try {
        const result = await this.#untilCut(work(sessionOf(client)));
        client.off('error', onCut).release();
        return result;
      } catch (error) {
        client.release(true);
        // If a standby ended the session between two statements, only the error of the connection has the reason.
        throw isConflict(cutBy) ? cutBy : error;
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

  /** Switches to a new pool. Running statements finish on the old pool. */
  renew(): void {
    if (this.#stopped) return;
    void this.#pool.end();
    this.#pool = this.#newPool();
  }

  /** Stops using the server. Running calls reject immediately, even if the server does not respond. */
  leave(reason: string): void {
    const opened = [...this.#opened];
    this.renew();
    for (const cut of [...this.#cuts]) cut(new DatabaseUnavailable(reason));
    for (const client of opened) client.end().catch(() => undefined);
  }

  #untilCut<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#cuts.add(reject);
      const isOver = () => this.#cuts.delete(reject);
      work.then(resolve, reject).then(isOver);
    });
  }

  #newPool(): pg.Pool {
    const opened = new Set<pg.Client>();
    this.#opened = opened;
    return this.#open().on('connect', (client) => {
      opened.add(client);
      client.once('end', () => opened.delete(client));
    });
  }
}

interface SessionSettings {
  /** The timeout of each statement. */
  readonly timeoutMs: number;
  /** Server settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** The required role of the server. `undefined` means any role. */
  readonly role: 'primary' | 'standby' | undefined;
}

export interface PoolSettings extends SessionSettings {
  readonly max: number;
  /** The number of connections that stay open while idle. */
  readonly min: number;
  readonly connectMs: number;
}

export function openPool(
  connection: Connection,
  { max, min, connectMs, ...session }: PoolSettings,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    min,
    connectionTimeoutMillis: connectMs,
    query_timeout: session.timeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'shiplog',
    onConnect: (client) => prepareSession(client, session),
  });
  // Without an error listener, the loss of an idle connection would end the process.
  pool.on('error', onError);
  return pool;
}

/**
 * Appending requires READ COMMITTED, and a 201 requires a flushed commit (reading 3.6), whatever the server's defaults
 * are. A stronger synchronous_commit, such as remote_apply, is not changed. After a failover a proxy may briefly
 * connect to a standby, which would show old data. JIT is off because compilation takes longer than the service's
 * statements.
 */
async function prepareSession(client: pg.ClientBase, { timeoutMs, settings, role }: SessionSettings): Promise<void> {
  const answers: unknown = await client.query(`
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set session characteristics as transaction isolation level read committed;
    set statement_timeout = ${timeoutMs};
    set idle_in_transaction_session_timeout = ${timeoutMs};
    set timezone = 'UTC';
    set jit = off;
    ${serverRole}`);
  const [server] = (answers as pg.QueryResult<ServerRole>[]).at(-1)?.rows ?? [];
  if (role === 'primary' && server?.standby !== false) throw new DatabaseUnavailable(isStandby);
  if (role === 'primary') refuseSuperseded(server);
  if (role === 'standby' && server?.standby !== true) throw new DatabaseUnavailable(isPrimary);
  for (const [name, value] of Object.entries(settings)) {
    await client.query('select set_config($1, $2, false)', [name, value]);
  }
  // Without this, a statement of a dead instance would keep its locks while it runs or waits. Only Linux supports this
  // check.
  await client.query(`set client_connection_check_interval = ${clientCheckMs}`).catch(() => undefined);
}

/** A named statement is prepared once per connection. An unnamed statement is planned each time for its values. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** How long to wait for the result. `queryTimeoutMs` by default. */
  readonly timeoutMs?: number;
}

/** Runs statements. Rejects with `DatabaseUnavailable` if the same call may succeed later. */
export interface Queries {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

/** The first row of a statement that always returns one. */
export async function oneRow<Row extends object>(queries: Queries, statement: Statement): Promise<Row> {
  const [row] = await queries.query<Row>(statement);
  if (!row) throw new Error(`the statement ${statement.name ?? statement.text} returned no row`);
  return row;
}

/** One connection. */
export interface Session extends Queries {
  /**
   * Commits the work, or rolls it back if it rejects. Each statement sees everything that others have committed
   * before it.
   * @param begin the statements that begin the transaction.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>, begin?: string): Promise<Result>;
  /**
   * All reads see the database as it was at the first read.
   * @param first runs before that.
   */
  snapshot<Result>(work: (queries: Queries) => Promise<Result>, first?: string): Promise<Result>;
}

export interface Sessions extends Queries {
  /** Gives one connection to the work. If the work rejects, the connection is closed and its locks are released. */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

/** Longer than the server's own statement timeout, whose error has more information. */
const answerGraceMs = 1000;

async function rowsOf<Row extends object>(
  connection: pg.Pool | pg.PoolClient,
  { timeoutMs, values = [], ...statement }: Statement,
): Promise<Row[]> {
  const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + answerGraceMs };
  const result = await connection.query<Row>({ ...statement, ...timeout, values: [...values] });
  return result.rows;
}

function sessionOf(client: pg.PoolClient): Session {
  const queries: Queries = { query: (statement) => rowsOf(client, statement) };
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
    transaction: (work, begin = 'begin') => transaction(begin, work),
    snapshot: (work, first = '') => transaction(`begin isolation level repeatable read read only; ${first}`, work),
  };
}
