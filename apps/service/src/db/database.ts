import { connectTimeoutMs } from './connection.ts';
import { Connections, openPool, type PoolSettings, type Sessions, type Statement } from './connections.ts';
import { isNotPrimary } from './errors.ts';
import { Semaphore } from './semaphore.ts';
import type { Servers } from './servers.ts';

export { oneRow, type Queries, type Session, type Sessions, type Statement } from './connections.ts';

export const ping: Statement = { name: 'ping', text: 'select 1' };

/** The timeout of every statement. It also limits the delay when the database does not respond. */
export const queryTimeoutMs = 5000;
const readConnectionsMax = 8;
const appendConnections = 1;
const writeConnectionsMax = 4;
/** One read connection is reserved for quick reads. Reads of the past may use half of the read connections. */
const slowReadsMax = 7;
const pastReadsMax = 4;
/** Aggregates have a separate pool, because on a large log they would block quick reads. */
const analyticsConnectionsMax = 3;
/** One analytics connection is reserved for the standard windows. */
const questionsMax = 2;
const probeConnections = 1;
const foldConnections = 1;
const listenerConnections = 1;
/** The maximum number of connections of an instance. */
export const connectionsMax =
  readConnectionsMax +
  appendConnections +
  writeConnectionsMax +
  analyticsConnectionsMax +
  probeConnections +
  foldConnections +
  listenerConnections;
export const analyticsTimeoutMs = 30_000;
/** A step of the folds may have thousands of events to add. */
const foldTimeoutMs = 30_000;
/**
 * Enough memory to group a window without temporary files, and planner costs for storage with fast random reads. Each
 * place is looked up once, so caching lookups only costs time.
 */
export const analyticsSettings = { work_mem: '64MB', random_page_cost: '1.1', enable_memoize: 'off' };
/** A step looks up one run of a place in the order of an index; a bitmap would read all runs of the place. */
const foldSettings = { random_page_cost: '1.1', enable_memoize: 'off', enable_bitmapscan: 'off' };

/** The pools of an instance. Appends have a separate open connection, so that a post never waits for a reader. */
export class Database {
  readonly reads: Connections;
  /** Limited shares of `reads`. */
  readonly slowReads: Sessions;
  readonly pastReads: Sessions;
  readonly appends: Connections;
  /** Connections for resets, reports and retention. */
  readonly writes: Connections;
  readonly analytics: Connections;
  /** A limited share of `analytics`, for everything outside the standard windows. */
  readonly questions: Sessions;
  /** Connections for readiness and the metrics. */
  readonly probes: Connections;
  /** The connection for steps of the folds. */
  readonly folds: Connections;
  readonly #pools: readonly Connections[];
  #stopped = false;

  constructor(servers: Servers, onError: (error: Error) => void) {
    const onLost = (error: Error) => {
      // A server that stops at the same time may cut connections.
      if (!this.#stopped) onError(error);
    };
    const renewAll = () => {
      for (const pool of this.#pools) pool.renew();
    };
    servers.onMoved(() => {
      for (const pool of this.#pools) pool.leave(isNotPrimary);
    });
    const defaults = {
      min: 0,
      connectMs: connectTimeoutMs,
      timeoutMs: queryTimeoutMs,
      role: 'primary',
      settings: {},
    } as const;
    const open = (max: number, settings: Partial<PoolSettings> = {}) =>
      new Connections(() => openPool(servers.connection, { ...defaults, max, ...settings }, onLost), renewAll);
    this.reads = open(readConnectionsMax);
    this.appends = open(appendConnections, { min: appendConnections });
    this.writes = open(writeConnectionsMax);
    this.analytics = open(analyticsConnectionsMax, { timeoutMs: analyticsTimeoutMs, settings: analyticsSettings });
    this.probes = open(probeConnections, { min: probeConnections });
    this.folds = open(foldConnections, { timeoutMs: foldTimeoutMs, settings: foldSettings });
    this.slowReads = limited(this.reads, slowReadsMax);
    this.pastReads = limited(this.slowReads, pastReadsMax);
    this.questions = limited(this.analytics, questionsMax);
    this.#pools = [this.reads, this.appends, this.writes, this.analytics, this.probes, this.folds];
  }

  /** Rejects unless the database responds and appends have their connection. Reopens both connections if necessary. */
  async answers(): Promise<void> {
    await Promise.all([this.probes.query(ping), this.appends.isOpen || this.appends.query(ping)]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#pools.map((pool) => pool.stop()));
  }
}

/** A limited share of a pool. The limit leaves some connections free for other work. */
function limited(sessions: Sessions, max: number): Sessions {
  // The wait for a free connection has the same limit as opening a new one.
  const permits = new Semaphore({ max, waitMs: connectTimeoutMs });
  const permitted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const leave = await permits.take();
    return work().finally(leave);
  };
  return {
    query: (statement) => permitted(() => sessions.query(statement)),
    session: (work) => permitted(() => sessions.session(work)),
  };
}
