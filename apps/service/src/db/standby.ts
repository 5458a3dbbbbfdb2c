import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, goodbyeMs, settledWithin } from './connection.ts';
import { Connections, openPool, type PoolSettings, type Queries, type Session } from './connections.ts';
import { analyticsSettings, analyticsTimeoutMs, queryTimeoutMs } from './database.ts';
import { isConflict, isConnectionLost, isPrimary } from './errors.ts';
import { lockForReading } from './folds/step.ts';
import type { LogState } from './log-mark.ts';
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

/** Why a standby is not used: because of its log or the state of the connection. */
export type Unfit = Misfit | 'lost' | 'conflict' | 'failed' | 'busy';

/** The result of one snapshot and the state of the log in it. */
export interface LogRead<Result> {
  readonly state: LogState;
  readonly result: Result;
}

export type ReadKind = 'quick' | 'long';

/** Thrown if a standby can't be read, so that the primary must be read. */
export class Unread extends Error {
  readonly reason: Unfit;

  constructor(reason: Unfit, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

export interface StandbyTimes {
  readonly standbyProbeMs: number;
  /** How long a standby that responds to probes is not used after a failed read. Doubled each time it fails again. */
  readonly standbyCooldownMs: number;
}

export const standbyTimes: StandbyTimes = { standbyProbeMs: 1000, standbyCooldownMs: 5000 };

interface StandbyOptions {
  /** Host and port. */
  readonly name: string;
  readonly connection: Connection;
  readonly primary: Queries;
  readonly times: StandbyTimes;
  /** Called after each probe. `undefined` means that the standby is usable. */
  readonly onVerdict: (verdict: Unfit | undefined, error: unknown) => void;
  readonly onLag: (lag: Lag) => void;
}

const connectionsMax = { quick: 4, long: 2 };
const probeConnections = 1;
/** The maximum number of connections from an instance to a standby. */
export const standbyConnectionsMax = connectionsMax.quick + connectionsMax.long + probeConnections;

const connectMs = 1000;
/** Together with the pause between probes, this limits the wait for a frozen standby. */
const probeMs = 2000;
/**
 * Too short for users to notice. A standby that is still behind is not used until a probe finds that it has caught up.
 */
const catchUpMs = 50;
const catchUpPauseMs = 5;
const cooldownMsMax = 300_000;

/** A server that follows the primary. It is probed regularly, and read while it shows the same log. */
export class Standby {
  readonly name: string;
  readonly #running: Record<ReadKind, number> = { quick: 0, long: 0 };
  readonly #options: StandbyOptions;
  readonly #pools: Readonly<Record<ReadKind | 'probe', Connections>>;
  readonly #over = new AbortController();
  #verdict: Unfit | undefined = 'lost';
  /** A requested tick that the standby had not reached. */
  #awaitedTick = 0n;
  #cooldownUntil = 0;
  #cooldownReason: Unfit = 'failed';
  #cooldownMs: number;
  #shown: LogState | undefined;
  /** The state of the primary at the last probe. */
  #primary = nothingShown;
  #loop: Promise<void> | undefined;

  constructor(options: StandbyOptions) {
    this.name = options.name;
    this.#options = options;
    this.#cooldownMs = options.times.standbyCooldownMs;
    const open = (settings: Partial<PoolSettings> & Pick<PoolSettings, 'max'>) => {
      const all = { min: 0, connectMs, timeoutMs: queryTimeoutMs, role: 'standby', settings: {}, ...settings } as const;
      // Ignored, because the next probe reports why an idle connection was lost.
      const pool: Connections = new Connections(
        () => openPool(options.connection, all, () => undefined),
        () => pool.renew(),
      );
      return pool;
    };
    this.#pools = {
      quick: open({ max: connectionsMax.quick }),
      long: open({ max: connectionsMax.long, timeoutMs: analyticsTimeoutMs, settings: analyticsSettings }),
      // Accepts any role, so that the probe can detect when a server becomes a standby.
      probe: open({ max: probeConnections, min: probeConnections, timeoutMs: probeMs, role: undefined }),
    };
  }

  /** For statements about the server itself. */
  get probes(): Queries {
    return this.#pools.probe;
  }

  get running(): number {
    return this.#running.quick + this.#running.long;
  }

  /** `undefined` means usable. Reads don't wait for a standby; the primary handles them instead. */
  unfitFor(kind: ReadKind): Unfit | undefined {
    if (this.#verdict) return this.#verdict;
    if (performance.now() < this.#cooldownUntil) return this.#cooldownReason;
    if (this.#awaitedTick > 0n) return 'behind';
    return this.#running[kind] < connectionsMax[kind] ? undefined : 'busy';
  }

  /**
   * Runs the work in one snapshot. The snapshot has everything up to the mark, and only data that the primary also has.
   * @throws Unread
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
          throw this.#failed(failureReason(error), error);
        });
      if (typeof read === 'string') throw this.#failed(read);
      if (read.state.tick !== mark.tick && !(await this.#primaryHas(read.state))) throw this.#failed('other-log');
      this.#cooldownMs = this.#options.times.standbyCooldownMs;
      return read;
    } finally {
      this.#running[kind] -= 1;
    }
  }

  /** Probes at intervals until it is stopped. Resolves with the first verdict. */
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
      const readOnce = async (queries: Queries) => {
        const state = await shownLog(queries, mark.tick);
        return misfitOf(state, mark) ?? { state, result: await work(queries) };
      };
      const read = await session.snapshot(readOnce, lockForReading).catch((error): Misfit => {
        // The log has arrived, its folds not yet.
        if (error instanceof Unread && error.reason === 'behind') return 'behind';
        throw error;
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

  /**
   * A standby that is behind or had a replay conflict is healthy. Other standbys get a cooldown or a new verdict
   * immediately.
   */
  #failed(reason: Unfit, cause?: unknown): Unread {
    if (reason === 'no-standby') this.#judge(reason, cause);
    else if (reason !== 'behind' && reason !== 'conflict' && performance.now() >= this.#cooldownUntil) {
      this.#cooldownUntil = performance.now() + this.#cooldownMs;
      this.#cooldownReason = reason;
      this.#cooldownMs = Math.min(this.#cooldownMs * 2, cooldownMsMax);
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
    const probed = await this.#ask(this.#primary);
    const lag = await lagOf(primary, this.#shown ?? nothingShown).catch(() => undefined);
    if (this.#over.signal.aborted) return;
    if (lag) this.#primary = lag.primary;
    if (lag && this.#shown) onLag(lag);
    // The primary itself may have lost the awaited tick, for example because a backup was restored.
    const { shown } = probed;
    if (lag && shown && [this.#awaitedTick, BigInt(lag.primary.tick)].some((tick) => BigInt(shown.tick) >= tick)) {
      this.#awaitedTick = 0n;
    }
    this.#judge(this.#verdictOn(probed, lag), probed.error);
  }

  async #ask(primary: LogState): Promise<ProbeResult> {
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

  /** If the primary is down, a standby that responds keeps its verdict. */
  #verdictOn({ identity, shown, misfit, error }: ProbeResult, lag: Lag | undefined): Unfit | undefined {
    if (identity !== undefined && lag && identity !== lag.identity) return 'other-log';
    if (!shown) return isConflict(error) ? this.#verdict : failureReason(error);
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

interface ProbeResult {
  /** `undefined` if the standby did not respond. */
  readonly identity: string | undefined;
  readonly shown?: ShownLog;
  readonly misfit?: Misfit | undefined;
  readonly error?: unknown;
}

function failureReason(error: unknown): Unfit {
  if (isConflict(error)) return 'conflict';
  if (error instanceof Error && error.message === isPrimary) return 'no-standby';
  return isConnectionLost(error) ? 'lost' : 'failed';
}
