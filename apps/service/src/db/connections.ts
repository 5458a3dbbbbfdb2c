import pg from 'pg';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { DatabaseUnavailable, databaseError, isConflict, isPrimary, isSilence, isStandby } from './errors.ts';
import { refuseSuperseded, type ServerRole, serverRole } from './superseded.ts';

/** How often the server checks during a statement whether its client is still there. */
const clientCheckMs = 1000;

/**
 * A pool that replaces connections that died silently. Such connections look idle, so when one gives no answer in time,
 * every pool is renewed, and the next call opens a new connection.
 */
export class Connections implements Sessions {
  readonly #open: () => pg.Pool;
  readonly #onSilence: () => void;
  #pool: pg.Pool;
  /** The open connections of the pool, without those that are being opened. */
  #opened = new Set<pg.Client>();
  /** Rejects what is under way, one for each call. */
  readonly #cuts = new Set<(reason: Error) => void>();
  #stopped: Promise<void> | undefined;

  /** @param onSilence a connection gave no answer in time. */
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
    return this.#watched(this.#pool, (pool) => this.#untilCut(rowsOf<Row>(pool, statement, values)));
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
      // Without a listener, a connection that is cut between two statements would end the process; the next statement fails.
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
        // A standby that ends a session between two statements has said why.
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

  /** Statements in progress finish on the old pool. */
  renew(): void {
    if (this.#stopped) return;
    void this.#pool.end();
    this.#pool = this.#newPool();
  }

  /** The server must not be used any more: what is under way rejects at once, even where it says nothing any more. */
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
  /** How long a statement may take. */
  readonly timeoutMs: number;
  /** Of the server, for this session. */
  readonly settings: Readonly<Record<string, string>>;
  /** What the server has to be; `undefined` = it is looked at anyway. */
  readonly role: 'primary' | 'standby' | undefined;
}

export interface PoolSettings extends SessionSettings {
  readonly max: number;
  /** How many stay open while idle. */
  readonly min: number;
  /** How long the server may take to accept a connection. */
  readonly connectMs: number;
}

/** A pool to one server, whose sessions are prepared and judged. */
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
async function prepareSession(client: pg.ClientBase, { timeoutMs, settings, role }: SessionSettings): Promise<void> {
  const answers: unknown = await client.query(`
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    set session characteristics as transaction isolation level read committed;
    set statement_timeout = ${timeoutMs};
    set idle_in_transaction_session_timeout = ${timeoutMs};
    set timezone = 'UTC';
    set jit = off;
    ${serverRole}`);
  const [judged] = (answers as pg.QueryResult<ServerRole>[]).at(-1)?.rows ?? [];
  if (role === 'primary' && judged?.standby !== false) throw new DatabaseUnavailable(isStandby);
  if (role === 'primary') refuseSuperseded(judged);
  if (role === 'standby' && judged?.standby !== true) throw new DatabaseUnavailable(isPrimary);
  for (const [name, value] of Object.entries(settings)) {
    await client.query('select set_config($1, $2, false)', [name, value]);
  }
  // A statement of an instance that is gone would otherwise keep its locks for as long as it runs or waits. Servers
  // beside Linux cannot look whether the client is there; they do without.
  await client.query(`set client_connection_check_interval = ${clientCheckMs}`).catch(() => undefined);
}

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
