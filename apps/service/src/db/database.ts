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
import { Places } from './places.ts';
import type { Servers } from './servers.ts';

export type { Queries, Session, Sessions, Statement } from './connections.ts';

export const ping: Statement = { name: 'ping', text: 'select 1' };

/** How long a statement may take, so that a database that does not answer delays no call for longer. */
export const queryTimeoutMs = 5000;
const readConnectionsMax = 8;
const appendConnections = 1;
const writeConnectionsMax = 4;
/** Of the connections for reads, one stays free of reads that may take their time, and the past gets half of them. */
const slowReadsMax = 7;
const pastReadsMax = 4;
/** Aggregates over a large log take long; a pool of their own keeps them from blocking quick reads. */
const analyticsConnectionsMax = 3;
/** One of them stays free for the standard windows, however many others ask for whatever else. */
const questionsMax = 2;
const probeConnections = 1;
const listenerConnections = 1;
/** How many connections an instance has when all are in use. */
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
 * The pools of an instance. Appends of events have a connection of their own, which stays open, so that a post never
 * waits for a reader, and readiness and the metrics share one of that kind. Reads share a pool, the writes beside appends
 * (resets, reports, retention) another.
 */
export class Database {
  readonly reads: Connections;
  /** Those of the reads that may take their time, and among them the reads of the past. */
  readonly slowReads: Sessions;
  readonly pastReads: Sessions;
  readonly appends: Connections;
  readonly writes: Connections;
  readonly analytics: Connections;
  /** Those of analytics for everything that isn't a standard window. */
  readonly questions: Sessions;
  /** For readiness and the metrics: a single row each. */
  readonly probes: Connections;
  readonly #pools: readonly Connections[];
  #stopped = false;

  constructor(servers: Servers, onError: (error: Error) => void) {
    const onLost = (error: Error) => {
      // A server that stops at the same time may cut connections while they close.
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
   * Rejects unless the database answers and appends have their connection. Both have connections of their own, which are
   * opened again if they were lost, before readers take the last ones that the server has.
   */
  async answers(): Promise<void> {
    await Promise.all([this.probes.query(ping), this.appends.isOpen || this.appends.query(ping)]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }
}

/** Who finds no connection waits as long as for one that is being opened. */
function limited(sessions: Sessions, max: number): Sessions {
  return new LimitedSessions(sessions, new Places({ max, waitMs: connectTimeoutMs }));
}

/** Connections of a pool of which only some may be used at a time, so that the rest stay free for others. */
export class LimitedSessions implements Sessions {
  readonly #sessions: Sessions;
  readonly #places: Places;

  constructor(sessions: Sessions, places: Places) {
    this.#sessions = sessions;
    this.#places = places;
  }

  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#placed(() => this.#sessions.query(statement, values));
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
