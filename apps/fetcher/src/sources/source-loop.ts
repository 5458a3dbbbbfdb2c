import { CallRefused, type Clock, PostingDenied } from '@shiplog/client';
import type { SourceOutcome } from '@shiplog/companions';
import type { Logger } from 'pino';
import type { Source, SourceFigures, Step } from '../adapter.ts';
import type { Json } from '../change.ts';
import { memoryBytesMax } from '../domain/cursor.ts';
import { AuthFailed, SourceRests, ToolAway } from '../tool/refusals.ts';
import type { ToolConnection } from '../tool/tool-connection.ts';
import type { CursorKeeper } from './cursor-keeper.ts';
import type { SourceState } from './source-state.ts';

/** Hints that come within this time are polled together. */
const hintsTogetherMs = 1000;
const failuresBeforeWaits = 3;
const waitMsMax = 10 * 60_000;
/** Of the time that a cycle took, where it took longer than its interval. */
const pastShare = 0.25;
/** How long a halt may have to wait for a cursor that is being stored. */
const putTimeoutMs = 3000;

export interface SourceLoopOptions {
  readonly source: Source;
  readonly keeper: CursorKeeper;
  readonly state: SourceState;
  readonly clock: Clock;
  readonly log: Logger;
  /** Start to start of two cycles. */
  readonly intervalMs: number;
  /** The requests that the past and live polling share. */
  readonly line: Pick<ToolConnection, 'takesPast' | 'cycleOver'>;
  /** The tool's clock. */
  toolNowMs(): number;
  /** Memory for a source that has none, or whose memory is to be filled up by a backfill. */
  begin(memory: Json | undefined): Json;
  /** At the beginning of each cycle. */
  onCycle(): void;
  /** Resolves when all changes are settled. */
  publish(changes: Step['changes'], signal: AbortSignal): Promise<void>;
  /** Another process works on the same source, or did: what the log has is not what this one knows. */
  forgetLog(): void;
  /** The cursor is gone, and so is the log. */
  onCleared(): void;
  /** After whatever it did. */
  onWork(): void;
  /** After each cycle and each page of a backfill (fetcher §13.1). */
  onProgress(): void;
}

/**
 * Asks one source cycle by cycle until it is halted: cursor, poll, posts, cursor; between two cycles the hints of webhooks
 * and pages of the backfill. What fails is told in the state and tried again.
 */
export class SourceLoop {
  readonly #options: SourceLoopOptions;
  readonly #hints = new Set<string>();
  #halting = new AbortController();
  #wake = new AbortController();
  #memory: Json | undefined;
  #failures = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: SourceLoopOptions) {
    this.#options = options;
  }

  /** Also after a halt: it goes on with the memory that it has. */
  start(): void {
    this.#halting = new AbortController();
    this.#running = this.#run(this.#halting.signal);
  }

  /** Names of places to poll soon. */
  hint(names: Iterable<string>): void {
    for (const name of names) this.#hints.add(name);
    this.#wake.abort();
  }

  /** Stops asking and posting; resolves when nothing is under way. With `store`, the cursor is stored once more. */
  async halt({ store }: { readonly store: boolean }): Promise<void> {
    this.#halting.abort();
    this.#wake.abort();
    await this.#running;
    if (store) await this.#put();
  }

  get cursorBytes(): number {
    return this.#options.keeper.bytes;
  }

  get figures(): SourceFigures | undefined {
    return this.#memory === undefined ? undefined : this.#options.source.figures(this.#memory);
  }

  async #run(halted: AbortSignal): Promise<void> {
    while (!halted.aborted) {
      const begunMs = this.#nowMs;
      const waitMs = await this.#attempt(() => this.#cycle(halted), halted);
      if (!halted.aborted) this.#options.onProgress();
      await this.#between(begunMs + this.#options.intervalMs, begunMs + waitMs, halted);
    }
  }

  /**
   * Until the next cycle is due: hints, then pages of the backfill, then nothing. After a failure nothing at all. Where
   * cycles take longer than their interval, the backfill still has a part of the time between two of them.
   */
  async #between(dueMs: number, restMs: number, halted: AbortSignal): Promise<void> {
    let restUntilMs = restMs;
    const enteredMs = this.#nowMs;
    const tookMs = enteredMs - (dueMs - this.#options.intervalMs);
    const pastUntilMs = Math.max(dueMs, enteredMs + pastShare * tookMs);
    const isOver = () => halted.aborted || this.#nowMs >= Math.max(dueMs, restUntilMs);
    do {
      this.#wake = new AbortController();
      if (restUntilMs > this.#nowMs) {
        await this.#options.clock.sleep(restUntilMs - this.#nowMs, halted);
        continue;
      }
      if (this.#hints.size > 0) {
        await this.#options.clock.sleep(hintsTogetherMs, halted);
        if (halted.aborted) return;
        restUntilMs = this.#nowMs + (await this.#attempt(() => this.#pollHinted(halted), halted));
        continue;
      }
      restUntilMs = this.#nowMs + (await this.#attempt(() => this.#backfill(pastUntilMs, halted), halted));
      if (restUntilMs > this.#nowMs || this.#hints.size > 0 || isOver()) continue;
      await this.#options.clock.sleep(dueMs - this.#nowMs, AbortSignal.any([halted, this.#wake.signal]));
    } while (!isOver());
  }

  /** Carries something out and tells in the state how it went; the milliseconds to wait before anything else. */
  async #attempt(work: () => Promise<boolean>, halted: AbortSignal): Promise<number> {
    const { state, onWork, toolNowMs, log } = this.#options;
    try {
      const isWell = await work();
      if (isWell) {
        this.#failures = 0;
        state.succeeded();
      }
      return 0;
    } catch (error) {
      if (halted.aborted) return 0;
      const { outcome, sentence } = told(error);
      if (outcome === 'error' && !(error instanceof ToolAway)) log.error({ err: error }, sentence);
      state.failed(outcome, sentence, error instanceof ToolAway);
      if (error instanceof SourceRests) return Math.max(0, error.untilMs - toolNowMs());
      this.#failures += outcome === 'error' ? 1 : 0;
      const doublings = this.#failures - failuresBeforeWaits;
      return doublings < 0 ? 0 : Math.min(waitMsMax, this.#options.intervalMs * 2 ** (doublings + 1));
    } finally {
      if (!halted.aborted) onWork();
    }
  }

  async #cycle(halted: AbortSignal): Promise<boolean> {
    if (!(await this.#takeTurn(halted))) return false;
    const { line, source, state, onCycle } = this.#options;
    onCycle();
    const endTimer = state.cycleBegins();
    const only = new Set(this.#hints);
    this.#hints.clear();
    if (this.#memory === undefined) return false;
    // What was hinted at comes before everything else.
    if (only.size > 0) await this.#take(source.poll(this.#memory, { only, signal: halted }), halted);
    await this.#take(source.poll(this.#memory, { signal: halted }), halted);
    endTimer();
    line.cycleOver();
    await this.#put();
    return true;
  }

  async #pollHinted(halted: AbortSignal): Promise<boolean> {
    const only = new Set(this.#hints);
    this.#hints.clear();
    if (this.#memory === undefined) return false;
    await this.#take(this.#options.source.poll(this.#memory, { only, signal: halted }), halted);
    return true;
  }

  async #backfill(untilMs: number, halted: AbortSignal): Promise<boolean> {
    if (this.#memory === undefined) return false;
    const { line, source, onWork, onProgress } = this.#options;
    let pages = 0;
    const onPage = () => {
      pages += 1;
      onWork();
      onProgress();
      return halted.aborted || this.#nowMs >= untilMs || this.#hints.size > 0;
    };
    line.takesPast(untilMs);
    try {
      await this.#take(source.backfill(this.#memory, halted), halted, onPage);
    } finally {
      line.takesPast(undefined);
    }
    if (pages > 0) await this.#put();
    return pages > 0;
  }

  /** Posts before the cursor: a step's memory counts once its changes are settled (fetcher §5.8). `isEnough` is asked after each. */
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

  /** Whether this process may go on (fetcher §5.9). */
  async #takeTurn(halted: AbortSignal): Promise<boolean> {
    const { keeper, begin, forgetLog, onCleared, state } = this.#options;
    const turn = await keeper.turn(halted);
    halted.throwIfAborted();
    if (turn.kind === 'cleared') onCleared();
    if (turn.kind === 'rival' || turn.kind === 'taken-over') forgetLog();
    if ('memory' in turn) this.#memory = begin(turn.memory);
    if (turn.kind !== 'paused') return true;
    // Without a memory nothing is polled, filled up or stored.
    this.#memory = undefined;
    state.failed('error', 'Another fetcher works on this source, so this one pauses; stop one of them.', false);
    return false;
  }

  /** It is not aborted by a halt, which waits for its end. */
  async #put(isNow = true): Promise<void> {
    if (this.#memory === undefined) return;
    const { keeper, source, log } = this.#options;
    try {
      await keeper.put(source.fit(this.#memory, memoryBytesMax), isNow, AbortSignal.timeout(putTimeoutMs));
    } catch (error) {
      log.warn({ err: error }, 'the cursor could not be stored; it is stored with the next one');
    }
  }

  get #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}

/** The outcome of a failed cycle, with a sentence for those who read health. */
function told(error: unknown): { readonly outcome: SourceOutcome; readonly sentence: string } {
  if (error instanceof AuthFailed) return { outcome: 'auth_failed', sentence: error.message };
  if (error instanceof SourceRests) return { outcome: 'rate_limited', sentence: error.message };
  if (error instanceof ToolAway) return { outcome: 'error', sentence: error.message };
  if (error instanceof PostingDenied || (error instanceof CallRefused && error.status === 401)) {
    return { outcome: 'error', sentence: 'The service does not take API_KEY; set it to a key of the service.' };
  }
  const { message } = error as Error;
  return { outcome: 'error', sentence: `The cycle was given up: ${message}` };
}
