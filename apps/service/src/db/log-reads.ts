import { pause } from '@shiplog/streams';
import type { ServiceMetrics } from '../metrics.ts';
import type { Queries } from './connections.ts';
import type { Database } from './database.ts';
import { FoldsBehind } from './errors.ts';
import { foldProgress } from './folds/progress.ts';
import { type FoldPosition, foldPosition, lockForReading } from './folds/step.ts';
import { type LogState, logMark, stateOf } from './log-mark.ts';
import { type LogRead, type ReadKind, Unread } from './standby.ts';
import type { Standbys } from './standbys.ts';

/** How long a reader waits for the folds to reach the end of the log. */
const foldWaitMs = 2000;

interface LogReadsOptions {
  readonly database: Pick<Database, 'reads' | 'slowReads' | 'pastReads' | 'analytics' | 'questions'>;
  readonly standbys: Standbys;
  readonly folding: {
    step(): Promise<void>;
    stepAnd(work: (queries: Queries) => Promise<void>): Promise<void>;
  };
  readonly metrics: ServiceMetrics;
}

/** The moment and the position of a response from the folds. */
export interface FoldedAt extends FoldPosition {
  /** The database's clock in milliseconds since 1970. */
  readonly now: number;
}

interface FoldedOptions {
  /**
   * How long the work takes: milliseconds, or longer. Reads of the past are slower, and a connection is reserved for the
   * standard windows of analytics.
   */
  readonly kind?: 'quick' | 'past' | 'long' | 'standard';
  /** For work that reads the latest rows: its snapshot has no later events. */
  readonly isExact?: boolean;
}

/** A result and the state of the log for which it is correct. */
interface StateRead<Result> {
  readonly state: LogState;
  readonly result: Result;
}

/**
 * Reads from a standby if it has everything that the primary had committed when the request arrived, and otherwise from
 * the primary. So clients can read their own posts, and no response is older than the previous one.
 */
export class LogReads {
  readonly #options: LogReadsOptions;

  constructor(options: LogReadsOptions) {
    this.#options = options;
  }

  get hasStandbys(): boolean {
    return this.#options.standbys.all.length > 0;
  }

  /** For a past board, which needs no folds. */
  async past<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const { reads, pastReads } = this.#options.database;
    const read = await this.onStandby('quick', stateOf(await logMark(reads)), work);
    return read ? read.result : work(pastReads);
  }

  /**
   * For responses from the folds, in one snapshot that has every event committed before the call. Events of the log
   * that the work reads itself must be below `at.below`: later ones are not in the folds yet.
   * @throws FoldsBehind
   */
  async folded<Result>(
    work: (queries: Queries, at: FoldedAt) => Promise<Result>,
    { kind = 'quick', isExact = false }: FoldedOptions = {},
  ): Promise<StateRead<Result>> {
    const { database, folding, metrics } = this.#options;
    const { now, ...mark } = await logMark(database.reads);
    const atPosition = async (queries: Queries) => {
      const position = await foldPosition(queries);
      if (!position || BigInt(position.tick) < BigInt(mark.tick) || (isExact && position.hasLater)) {
        throw new Unread('behind');
      }
      return { state: position, result: await work(queries, { ...position, now }) };
    };
    const until = performance.now() + foldWaitMs;
    if (this.hasStandbys) {
      await within(until, folding.step());
      const read = await this.onStandby(
        kind === 'quick' || kind === 'past' ? 'quick' : 'long',
        stateOf(mark),
        atPosition,
      );
      if (read) return read.result;
    }
    let own: StateRead<Result> | undefined;
    const unlessBehind = async (queries: Queries) => {
      own = await atPosition(queries).catch((error) => {
        if (error instanceof Unread) return undefined;
        throw error;
      });
    };
    const { slowReads: quick, pastReads: past, questions: long, analytics: standard } = database;
    const connections = { quick, past, long, standard }[kind];
    do {
      await connections.session((session) => session.snapshot(unlessBehind, lockForReading));
      if (own) return own;
      // While events arrive, later ones are in the snapshot after nearly every step.
      await within(until, isExact ? folding.stepAnd(unlessBehind) : folding.step());
      if (own) return own;
    } while (performance.now() < until);
    metrics.foldTimeouts.inc();
    const { progress } = await foldProgress(quick);
    throw new FoldsBehind(progress);
  }

  /** Reads in one snapshot of a standby. `undefined` means that the caller must read from the primary. */
  async onStandby<Result>(
    kind: ReadKind,
    mark: LogState,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<LogRead<Result> | undefined> {
    if (!this.hasStandbys) return undefined;
    const { standbys, metrics } = this.#options;
    const standby = standbys.choose(kind);
    try {
      if (typeof standby === 'string') throw new Unread(standby);
      const read = await standby.read(kind, mark, work);
      metrics.reads.inc({ place: 'standby' });
      return read;
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      metrics.reads.inc({ place: 'primary' });
      metrics.readFallbacks.inc({ reason: error.reason });
      return undefined;
    }
  }
}

/** Waits for a step until a deadline. Another instance may delay the step, which continues for other callers. */
async function within(until: number, step: Promise<void>): Promise<void> {
  const over = new AbortController();
  step.catch(() => undefined);
  await Promise.race([step, pause(until - performance.now(), over.signal)]).finally(() => over.abort());
}
