import { CallRefused, type Clock, PostingDenied } from '@shiplog/client';
import type { SourceOutcome } from '@shiplog/companions';
import type { Logger } from 'pino';
import type { Source, SourceFigures, Step } from '../adapter.ts';
import type { Json } from '../change.ts';
import { AuthFailed, SourcePaused, ToolAway } from '../tool/refusals.ts';
import type { ToolConnection } from '../tool/tool-connection.ts';
import { type CursorKeeper, memoryBytesMax } from './cursor-keeper.ts';

/** Hints that arrive within this time are polled together. */
const hintsTogetherMs = 1000;
const failuresBeforeWaits = 3;
const waitMsMax = 10 * 60_000;
/** The share of a cycle's duration that the backfill gets if the cycle took longer than its interval. */
const backfillShare = 0.25;
/** How long a halt waits for a cursor that is being stored. */
const putTimeoutMs = 3000;

/** The outcome of a failed cycle. */
export interface Failure {
  readonly outcome: SourceOutcome;
  readonly sentence: string;
  readonly isToolAway: boolean;
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AuthFailed) return { outcome: 'auth_failed', sentence: message, isToolAway: false };
  if (error instanceof SourcePaused) return { outcome: 'rate_limited', sentence: message, isToolAway: false };
  if (error instanceof ToolAway) return { outcome: 'error', sentence: message, isToolAway: true };
  const isDenied = error instanceof PostingDenied || (error instanceof CallRefused && error.status === 401);
  const sentence = isDenied
    ? 'The service does not accept API_KEY. Set it to a valid key of the service.'
    : `The cycle failed: ${message}`;
  return { outcome: 'error', sentence, isToolAway: false };
}

export interface SourceLoopOptions {
  readonly source: Source;
  readonly keeper: CursorKeeper;
  readonly clock: Clock;
  readonly log: Logger;
  /** The time from the start of a cycle to the start of the next one. */
  readonly intervalMs: number;
  /** Divides requests between polling and backfill; `now` uses the tool's clock. */
  readonly connection: Pick<ToolConnection, 'backfillUntil' | 'cycleOver' | 'now'>;
  readonly state: { succeeded(): void; failed(failure: Failure): void };
  /** Returns the memory to begin with, given the stored one. */
  begin(memory: Json | undefined): Json;
  onCycleStart(): void;
  onCycleEnd(seconds: number): void;
  publish(changes: Step['changes'], signal: AbortSignal): Promise<void>;
  /** Called if another process used the same source, so the log may contain more than this process knows. */
  forgetLog(): void;
  onCleared(): void;
  onAttempt(): void;
  /** Called after each cycle and each page of a backfill (fetcher §13.1). */
  onProgress(): void;
}

/**
 * Polls one source until it is halted: reads the cursor, polls, posts, and stores the cursor. Between two cycles it
 * polls the places hinted at by webhooks and continues the backfill. Failures appear in the state and are retried.
 */
export class SourceLoop {
  readonly #options: SourceLoopOptions;
  readonly #hints = new Set<string>();
  readonly #actions: Readonly<Record<Action, (halted: AbortSignal) => Promise<void>>> = {
    poll: (halted) => this.#poll(halted),
    'poll hinted': (halted) => this.#pollHinted(halted),
    backfill: (halted) => this.#attempt(() => this.#takePages(halted), halted),
    wait: (halted) => this.#sleepUntil(this.#dueMs, AbortSignal.any([halted, this.#wake.signal])),
    pause: (halted) => this.#sleepUntil(this.#pausedUntilMs, halted),
  };
  #halting = new AbortController();
  #wake = new AbortController();
  #memory: Json | undefined;
  #failures = 0;
  #dueMs = 0;
  #pausedUntilMs = 0;
  #backfillUntilMs = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: SourceLoopOptions) {
    this.#options = options;
  }

  /** Starts polling; after a halt it continues with its memory. */
  start(): void {
    this.#halting = new AbortController();
    this.#running = this.#run(this.#halting.signal);
  }

  hint(names: Iterable<string>): void {
    for (const name of names) this.#hints.add(name);
    this.#wake.abort();
  }

  /** Stops polling and posting; resolves when nothing is in progress. `store`: stores the cursor one more time. */
  async halt({ store }: { readonly store: boolean }): Promise<void> {
    this.#halting.abort();
    this.#wake.abort();
    await this.#running;
    if (store) await this.#put();
  }

  get figures(): SourceFigures | undefined {
    return this.#memory === undefined ? undefined : this.#options.source.figures(this.#memory);
  }

  async #run(halted: AbortSignal): Promise<void> {
    this.#dueMs = this.#nowMs;
    this.#pausedUntilMs = this.#nowMs;
    let previous: Action | undefined;
    while (!halted.aborted) {
      this.#wake = new AbortController();
      const action = nextAction({
        ...{ nowMs: this.#nowMs, dueMs: this.#dueMs, pausedUntilMs: this.#pausedUntilMs },
        ...{ hasHints: this.#hints.size > 0, previous },
      });
      await this.#actions[action](halted);
      previous = action;
    }
  }

  async #poll(halted: AbortSignal): Promise<void> {
    const begunMs = this.#nowMs;
    await this.#attempt(() => this.#cycle(halted), halted, begunMs);
    if (!halted.aborted) this.#options.onProgress();
    this.#dueMs = begunMs + this.#options.intervalMs;
    this.#backfillUntilMs = Math.max(this.#dueMs, this.#nowMs + backfillShare * (this.#nowMs - begunMs));
  }

  async #pollHinted(halted: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(hintsTogetherMs, halted);
    if (!halted.aborted) await this.#attempt(() => this.#takeHinted(halted), halted);
  }

  #sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
    return this.#options.clock.sleep(ms - this.#nowMs, signal);
  }

  /** Records the outcome in the state, and sets the pause, which begins at `pauseFromMs` or else at the end. */
  async #attempt(work: () => Promise<boolean>, halted: AbortSignal, pauseFromMs?: number): Promise<void> {
    let pauseMs = 0;
    try {
      if (await work()) {
        this.#failures = 0;
        this.#options.state.succeeded();
      }
    } catch (error) {
      if (!halted.aborted) pauseMs = this.#pauseAfter(error);
    }
    if (!halted.aborted) this.#options.onAttempt();
    this.#pausedUntilMs = (pauseFromMs ?? this.#nowMs) + pauseMs;
  }

  /** Records a failure; returns the milliseconds to pause. */
  #pauseAfter(error: unknown): number {
    const { state, connection, log, intervalMs } = this.#options;
    const failure = failureOf(error);
    const isError = failure.outcome === 'error';
    if (isError && !failure.isToolAway) log.error({ err: error }, failure.sentence);
    state.failed(failure);
    if (error instanceof SourcePaused) return Math.max(0, error.untilMs - connection.now());
    this.#failures += Number(isError);
    const doublings = this.#failures - failuresBeforeWaits;
    return doublings < 0 ? 0 : Math.min(waitMsMax, intervalMs * 2 ** (doublings + 1));
  }

  async #cycle(halted: AbortSignal): Promise<boolean> {
    if (!(await this.#takeTurn(halted))) return false;
    const { connection, source, onCycleStart, onCycleEnd } = this.#options;
    onCycleStart();
    const begunMs = this.#nowMs;
    if (this.#memory === undefined) return false;
    // Hinted repositories come first.
    if (this.#hints.size > 0) await this.#takeHinted(halted);
    await this.#take(source.poll(this.#memory, { signal: halted }), halted);
    onCycleEnd((this.#nowMs - begunMs) / 1000);
    connection.cycleOver();
    await this.#put();
    return true;
  }

  async #takeHinted(halted: AbortSignal): Promise<boolean> {
    const only = new Set(this.#hints);
    this.#hints.clear();
    if (this.#memory === undefined) return false;
    await this.#take(this.#options.source.poll(this.#memory, { only, signal: halted }), halted);
    return true;
  }

  async #takePages(halted: AbortSignal): Promise<boolean> {
    if (this.#memory === undefined) return false;
    const { connection, source, onAttempt, onProgress } = this.#options;
    let pages = 0;
    const onPage = () => {
      pages += 1;
      onAttempt();
      onProgress();
      return halted.aborted || this.#nowMs >= this.#backfillUntilMs || this.#hints.size > 0;
    };
    connection.backfillUntil(this.#backfillUntilMs);
    try {
      await this.#take(source.backfill(this.#memory, halted), halted, onPage);
    } finally {
      connection.backfillUntil(undefined);
    }
    if (pages > 0) await this.#put();
    return pages > 0;
  }

  /**
   * Posts before storing the cursor: the memory of a step is valid once its changes are settled (fetcher §5.8). @param
   * isEnough is called after each step
   */
  async #take(steps: AsyncIterable<Step>, halted: AbortSignal, isEnough = () => false): Promise<void> {
    for await (const { changes, memory } of steps) {
      halted.throwIfAborted();
      await this.#options.publish(changes, halted);
      this.#memory = memory;
      await this.#put(false);
      if (isEnough()) return;
    }
    halted.throwIfAborted();
  }

  /** Whether this process may work on the source (fetcher §5.9). */
  async #takeTurn(halted: AbortSignal): Promise<boolean> {
    const { keeper, begin, forgetLog, onCleared, state } = this.#options;
    const turn = await keeper.turn(halted);
    halted.throwIfAborted();
    if (turn.kind === 'cleared') onCleared();
    if (turn.kind === 'rival' || turn.kind === 'taken-over') forgetLog();
    if ('memory' in turn) this.#memory = begin(turn.memory);
    if (turn.kind !== 'paused') return true;
    // Without a memory, don't poll, backfill or store anything.
    this.#memory = undefined;
    const sentence = 'Another fetcher is working on this source, so this one is paused. Stop one of them.';
    state.failed({ outcome: 'error', sentence, isToolAway: false });
    return false;
  }

  /** A halt doesn't abort this request but waits for its end. */
  async #put(isNow = true): Promise<void> {
    if (this.#memory === undefined) return;
    const { keeper, source, log } = this.#options;
    try {
      await keeper.put(source.fit(this.#memory, memoryBytesMax), isNow, AbortSignal.timeout(putTimeoutMs));
    } catch (error) {
      log.warn({ err: error }, 'could not store the cursor; retrying with the next one');
    }
  }

  get #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}

/**
 * What a source does next. A failure or a rate limit delays everything; between two cycles come the hints of webhooks
 * and then the backfill.
 *
 *            ┌──────────────── due ───────────────┐
 *            ▼                                    │
 *   start → poll → backfill → wait ───────────────┤
 *            │        ▲        │ woken by a hint   │
 *            │        └─ poll hinted ◀─────────────┤
 *            └──── failed ──▶ pause ───────────────┘
 */
export type Action = 'poll' | 'poll hinted' | 'backfill' | 'wait' | 'pause';

/** Instants are milliseconds of the fetcher's clock. */
export interface Situation {
  readonly nowMs: number;
  /** When the next cycle begins. */
  readonly dueMs: number;
  /** After a failure or at a rate limit, no request is sent before this instant. */
  readonly pausedUntilMs: number;
  readonly hasHints: boolean;
  /** `undefined` at the start. */
  readonly previous: Action | undefined;
}

/** The first matching row decides. */
const rows: readonly (readonly [action: Action, applies: (situation: Situation) => boolean])[] = [
  ['pause', ({ pausedUntilMs, nowMs }) => pausedUntilMs > nowMs],
  // Even a cycle that takes longer than its interval is followed by one turn for hints or the backfill.
  ['poll', ({ dueMs, nowMs, previous }) => nowMs >= dueMs && previous !== 'poll'],
  ['poll hinted', ({ hasHints }) => hasHints],
  ['wait', ({ previous }) => previous === 'backfill'],
];

export function nextAction(situation: Situation): Action {
  return rows.find(([, applies]) => applies(situation))?.[0] ?? 'backfill';
}
