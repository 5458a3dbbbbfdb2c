import { setTimeout as pause } from 'node:timers/promises';
import type { LogState } from './cached-answers.ts';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { Connections, openPool, type PoolSettings, type Queries, type Session } from './connections.ts';
import { analyticsSettings, analyticsTimeoutMs, queryTimeoutMs } from './database.ts';
import { isConflict, isConnectionLost, isPrimary } from './errors.ts';
import {
  identityOf,
  type Lag,
  lagOf,
  type Misfit,
  misfitOf,
  primaryHas,
  type ShownLog,
  shownLog,
} from './standby-state.ts';

/** Why a standby is not read: what it shows, or what became of the way to it. */
export type Unfit = Misfit | 'lost' | 'conflict' | 'failed' | 'busy';

/** What was read in one snapshot, and of which state of the log it is. */
export interface LogRead<Result> {
  readonly state: LogState;
  readonly result: Result;
}

/** Quick reads and long ones have pools of their own, as on the primary. */
export type ReadKind = 'quick' | 'long';

/** A standby did not answer a question; the primary can be asked the same. */
export class Unread extends Error {
  readonly reason: Unfit;

  constructor(reason: Unfit, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

export interface StandbyTimes {
  /** How often a standby is asked how it is. */
  readonly standbyProbeMs: number;
  /** How long one is left alone that answered probes and failed a question; twice as long each time that it does so again. */
  readonly standbyRestMs: number;
}

export const standbyTimes: StandbyTimes = { standbyProbeMs: 1000, standbyRestMs: 5000 };

export interface StandbyOptions {
  /** For people: host and port. */
  readonly name: string;
  readonly connection: Connection;
  readonly primary: Queries;
  readonly times: StandbyTimes;
  /** Whenever another verdict is reached; `undefined` = it can be read. */
  readonly onVerdict: (verdict: Unfit | undefined, error: unknown) => void;
  readonly onLag: (lag: Lag) => void;
}

const connectionsMax = { quick: 4, long: 2 };
const probeConnections = 1;
/** How many connections an instance has to a standby when all are in use. */
export const standbyConnectionsMax = connectionsMax.quick + connectionsMax.long + probeConnections;

const connectMs = 1000;
/** With the pause between two probes: how long a question waits at most for a standby that stands still. */
const probeMs = 2000;
/**
 * What a standby that follows closely lacks when it is asked comes within this time; what it takes is less than anyone
 * notices. One that lacks it afterwards is not asked until a probe finds that it has it.
 */
const catchUpMs = 50;
const catchUpPauseMs = 5;
const restMsMax = 300_000;

/** One server that follows the primary: read where it shows what the primary does, and looked after while it does not. */
export class Standby {
  readonly name: string;
  /** Questions that it is working on. */
  readonly #running: Record<ReadKind, number> = { quick: 0, long: 0 };
  readonly #options: StandbyOptions;
  readonly #pools: Readonly<Record<ReadKind | 'probe', Connections>>;
  readonly #over = new AbortController();
  #verdict: Unfit | undefined = 'lost';
  /** What it was asked for and did not have yet. */
  #awaitedTick = 0n;
  #restsUntil = 0;
  #restsFor: Unfit = 'failed';
  #restMs: number;
  #shown: LogState | undefined;
  /** What the primary had at the last look. */
  #primary = nothingShown;
  #loop: Promise<void> | undefined;

  constructor(options: StandbyOptions) {
    this.name = options.name;
    this.#options = options;
    this.#restMs = options.times.standbyRestMs;
    const open = (settings: Partial<PoolSettings> & Pick<PoolSettings, 'max'>) => {
      const all = { min: 0, connectMs, timeoutMs: queryTimeoutMs, role: 'standby', settings: {}, ...settings } as const;
      // What cuts an idle connection is told by the next probe.
      const pool: Connections = new Connections(
        () => openPool(options.connection, all, () => undefined),
        () => pool.renew(),
      );
      return pool;
    };
    this.#pools = {
      quick: open({ max: connectionsMax.quick }),
      long: open({ max: connectionsMax.long, timeoutMs: analyticsTimeoutMs, settings: analyticsSettings }),
      // It also finds out when a server becomes a standby.
      probe: open({ max: probeConnections, min: probeConnections, timeoutMs: probeMs, role: undefined }),
    };
  }

  /** For what concerns the server itself. */
  get probes(): Queries {
    return this.#pools.probe;
  }

  get running(): number {
    return this.#running.quick + this.#running.long;
  }

  /** Why it is not to be asked now; `undefined` = it can be. A question that had to wait for others is the primary's. */
  unfitFor(kind: ReadKind): Unfit | undefined {
    if (this.#verdict) return this.#verdict;
    if (performance.now() < this.#restsUntil) return this.#restsFor;
    if (this.#awaitedTick > 0n) return 'behind';
    return this.#running[kind] < connectionsMax[kind] ? undefined : 'busy';
  }

  /**
   * What the work reads in one snapshot, which has at least what the mark says and nothing that the primary has not.
   * @throws Unread for whatever else comes of it.
   */
  async read<Result>(
    kind: ReadKind,
    mark: LogState,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<LogRead<Result>> {
    this.#running[kind] += 1;
    try {
      const read = await this.#pools[kind]
        .session((session) => this.#readAt(session, mark, work))
        .catch((error) => {
          throw this.#failed(reasonOf(error), error);
        });
      if (typeof read === 'string') throw this.#failed(read);
      if (read.state.tick !== mark.tick && !(await this.#primaryHas(read.state))) throw this.#failed('other-log');
      this.#restMs = this.#options.times.standbyRestMs;
      return read;
    } finally {
      this.#running[kind] -= 1;
    }
  }

  /** Asks it once how it is, and again and again until it is stopped. Resolves with the first verdict. */
  async start(): Promise<Unfit | undefined> {
    await this.#probe();
    this.#loop = this.#probeOn();
    return this.#verdict;
  }

  async stop(): Promise<void> {
    this.#over.abort();
    this.#leave('the service stops');
    await settledWithin(goodbyeMs, this.#loop ?? Promise.resolve());
    await Promise.all(Object.values(this.#pools).map((pool) => pool.stop()));
  }

  async #readAt<Result>(
    session: Session,
    mark: LogState,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<LogRead<Result> | Misfit> {
    const until = performance.now() + catchUpMs;
    for (;;) {
      const read = await session.snapshot(async (queries) => {
        const state = await shownLog(queries, mark.tick);
        return misfitOf(state, mark) ?? { state, result: await work(queries) };
      });
      if (read !== 'behind' || performance.now() > until) {
        if (read === 'behind') this.#awaitedTick = BigInt(mark.tick);
        return read;
      }
      await pause(catchUpPauseMs);
    }
  }

  async #primaryHas(state: LogState): Promise<boolean> {
    const until = performance.now() + catchUpMs;
    for (;;) {
      if (await primaryHas(this.#options.primary, state)) return true;
      if (performance.now() > until) return false;
      await pause(catchUpPauseMs);
    }
  }

  /** One that is behind, or whose replay had to go on, is well; the others are left alone, or judged anew at once. */
  #failed(reason: Unfit, cause?: unknown): Unread {
    if (reason === 'no-standby') this.#judge(reason, cause);
    else if (reason !== 'behind' && reason !== 'conflict' && performance.now() >= this.#restsUntil) {
      this.#restsUntil = performance.now() + this.#restMs;
      this.#restsFor = reason;
      this.#restMs = Math.min(this.#restMs * 2, restMsMax);
    }
    return new Unread(reason, cause);
  }

  async #probeOn(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await pause(this.#options.times.standbyProbeMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#probe();
    }
  }

  async #probe(): Promise<void> {
    const { primary, onLag } = this.#options;
    const told = await this.#ask(this.#primary);
    const lag = await lagOf(primary, this.#shown ?? nothingShown).catch(() => undefined);
    if (this.#over.signal.aborted) return;
    if (lag) this.#primary = lag.primary;
    if (lag && this.#shown) onLag(lag);
    // What was waited for may be gone from the primary itself, as after a restored backup.
    const { shown } = told;
    if (lag && shown && [this.#awaitedTick, BigInt(lag.primary.tick)].some((tick) => BigInt(shown.tick) >= tick)) {
      this.#awaitedTick = 0n;
    }
    this.#judge(this.#verdictOn(told, lag), told.error);
  }

  async #ask(primary: LogState): Promise<Told> {
    const { probe } = this.#pools;
    let identity: string | undefined;
    try {
      identity = await identityOf(probe);
      const shown = await shownLog(probe, primary.tick);
      this.#shown = shown;
      return { identity, shown, misfit: misfitOf(shown, primary) };
    } catch (error) {
      return { identity, error };
    }
  }

  /** Without the primary nothing can be said of a standby that answers, and no question be answered either. */
  #verdictOn({ identity, shown, misfit, error }: Told, lag: Lag | undefined): Unfit | undefined {
    if (identity !== undefined && lag && identity !== lag.identity) return 'other-log';
    if (!shown) return isConflict(error) ? this.#verdict : reasonOf(error);
    if (!shown.isStandby) return 'no-standby';
    if (!lag) return this.#verdict;
    return lag.isOther || misfit === 'other-log' ? 'other-log' : undefined;
  }

  #judge(verdict: Unfit | undefined, error?: unknown): void {
    if (verdict && verdict !== this.#verdict) {
      this.#leave('the standby is no longer used');
      this.#pools.probe.renew();
    }
    this.#verdict = verdict;
    this.#options.onVerdict(verdict, error);
  }

  #leave(reason: string): void {
    this.#pools.quick.leave(reason);
    this.#pools.long.leave(reason);
  }
}

const nothingShown: LogState = { tick: '0', lastId: null };

interface Told {
  /** `undefined` where it did not say. */
  readonly identity: string | undefined;
  readonly shown?: ShownLog;
  readonly misfit?: Misfit | undefined;
  readonly error?: unknown;
}

function reasonOf(error: unknown): Unfit {
  if (isConflict(error)) return 'conflict';
  if (error instanceof Error && error.message === isPrimary) return 'no-standby';
  return isConnectionLost(error) ? 'lost' : 'failed';
}
