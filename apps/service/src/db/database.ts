import { connectTimeoutMs } from './connection.ts';
import {
  Connections,
  openPool,
  type PoolSettings,
  type Session,
  type Sessions,
  type Statement,
} from './connections.ts';
import { isNotPrimary } from './errors.ts';
import { Semaphore } from './semaphore.ts';
import type { Servers } from './servers.ts';

export { oneRow, type Queries, type Session, type Sessions, type Statement } from './connections.ts';

export const ping: Statement = { name: 'ping', text: 'select 1' };

/** Bounds every statement, and thus the delay by a database that does not answer. */
export const queryTimeoutMs = 5000;
const readConnectionsMax = 8;
const appendConnections = 1;
const writeConnectionsMax = 4;
/** Of the read connections, one is reserved for quick reads, and reads of the past get half. */
const slowReadsMax = 7;
const pastReadsMax = 4;
/** Aggregates over a large log are slow; their own pool keeps them from blocking quick reads. */
const analyticsConnectionsMax = 3;
/** One of them is reserved for the standard windows. */
const questionsMax = 2;
const probeConnections = 1;
const listenerConnections = 1;
/** The most connections that an instance has. */
export const connectionsMax =
  readConnectionsMax +
  appendConnections +
  writeConnectionsMax +
  analyticsConnectionsMax +
  probeConnections +
  listenerConnections;
export const analyticsTimeoutMs = 30_000;
/**
 * For aggregates: memory to group a window without temporary files, and costs for storage with fast random reads.
 * The number of connections bounds the memory.
 */
export const analyticsSettings = { work_mem: '64MB', random_page_cost: '1.1' };

/**
 * The pools of an instance. Appends have their own connection, which stays open, so that a post never waits for a
 * reader; readiness and the metrics share another one. Reads share a pool, and so do the other writes (resets, reports,
 * retention).
 */
export class Database {
  readonly reads: Connections;
  /** Limited shares of `reads`: for slow reads, and among them for reads of the past. */
  readonly slowReads: Sessions;
  readonly pastReads: Sessions;
  readonly appends: Connections;
  readonly writes: Connections;
  readonly analytics: Connections;
  /** A limited share of `analytics`, for everything outside the standard windows. */
  readonly questions: Sessions;
  /** For readiness and the metrics: a single row each. */
  readonly probes: Connections;
  readonly #pools: readonly Connections[];
  #stopped = false;

  constructor(servers: Servers, onError: (error: Error) => void) {
    const onLost = (error: Error) => {
      // While closing, a server that stops too may cut connections.
      if (!this.#stopped) onError(error);
    };
    const renewAll = () => {
      for (const pool of this.#pools) pool.renew();
    };
    servers.onMoved(() => {
      for (const pool of this.#pools) pool.leave(isNotPrimary);
    });
    const open = (max: number, sessions: Partial<PoolSettings> = {}) =>
      new Connections(
        () =>
          openPool(
            servers.connection,
            {
              max,
              min: 0,
              connectMs: connectTimeoutMs,
              timeoutMs: queryTimeoutMs,
              role: 'primary',
              settings: {},
              ...sessions,
            },
            onLost,
          ),
        renewAll,
      );
    this.reads = open(readConnectionsMax, { settings: { jit: 'off' } });
    this.appends = open(appendConnections, { min: appendConnections });
    this.writes = open(writeConnectionsMax);
    this.analytics = open(analyticsConnectionsMax, {
      timeoutMs: analyticsTimeoutMs,
      settings: analyticsSettings,
    });
    this.probes = open(probeConnections, { min: probeConnections });
    this.slowReads = limited(this.reads, slowReadsMax);
    this.pastReads = limited(this.slowReads, pastReadsMax);
    this.questions = limited(this.analytics, questionsMax);
    this.#pools = [this.reads, this.appends, this.writes, this.analytics, this.probes];
  }

  /**
   * Rejects unless the database answers and appends have their connection. Reopens lost connections of both before
   * readers take the last ones on the server.
   */
  async answers(): Promise<void> {
    await Promise.all([this.probes.query(ping), this.appends.isOpen || this.appends.query(ping)]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }
}

/** Waits for a free connection as long as for a new one. */
function limited(sessions: Sessions, max: number): Sessions {
  return new LimitedSessions(sessions, new Semaphore({ max, waitMs: connectTimeoutMs }));
}

/** A limited share of a pool, so that some connections stay free for others. */
export class LimitedSessions implements Sessions {
  readonly #sessions: Sessions;
  readonly #places: Semaphore;

  constructor(sessions: Sessions, places: Semaphore) {
    this.#sessions = sessions;
    this.#places = places;
  }

  query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.#placed(() => this.#sessions.query(statement));
  }

  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#placed(() => this.#sessions.session(work));
  }

  async #placed<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#places.take();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
