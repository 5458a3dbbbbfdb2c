/** What the headers of an answer tell of the quota of a tool. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, by the tool's clock; ms. */
  readonly resetMs: number;
}

export interface BudgetSettings {
  /** The own share of the quota, 1 to 100. */
  readonly percent: number;
  /** Requests a window; 0: as the tool tells. */
  readonly quota: number;
}

/** What goes into the cursor as `u` (fetcher §6): the reset in epoch seconds, and the charged requests of its window. */
export type BudgetMemory = readonly [resetSeconds: number, charged: number];

/** What people are told of a quota (fetcher §13.2). */
export interface RateSnapshot {
  readonly used: number;
  readonly budget: number;
  readonly reset_at: string;
  readonly ci_limit: number;
  readonly ci_remaining: number;
}

/** Before a tool has told its own. */
const quotaUntold = 5000;
const spareShare = 0.8;
const leftToAllShare = 0.05;
const afterResetMs = 1000;
/** Servers of one tool tell the end of the same window with some difference. */
const sameResetMs = 5000;
/** The longest window of a tool is an hour; a reset that lies further ahead is a mistake and ends nothing later. */
export const windowMsMax = 3_660_000;

interface Window {
  readonly toldMs: number;
  readonly endsMs: number;
}

/**
 * The own share of a tool's quota, window by window (fetcher §7.3). Without a window that a tool has told there is no
 * limit. Instants are those of the tool's clock.
 *
 * A window counts as over one second after its reset, so that no clock that is a little ahead begins the next one early.
 */
export class Budget {
  readonly #settings: BudgetSettings;
  #window: Window | undefined;
  #charged = 0;
  /** How many of them were answered without a window when the told one was about to end: they may lie in the next. */
  #untold = 0;
  #rate: Rate | undefined;

  constructor(settings: BudgetSettings) {
    this.#settings = settings;
  }

  /** At the start of a process, what its predecessor has used. */
  restore([resetSeconds, charged]: BudgetMemory, nowMs: number): void {
    this.#window = windowOf(resetSeconds * 1000, nowMs);
    this.#charged = charged;
    this.#untold = Math.min(1, charged);
  }

  /** `undefined` while no window is known. */
  get memory(): BudgetMemory | undefined {
    return this.#window && [Math.ceil(this.#window.endsMs / 1000), this.#charged];
  }

  /** After each request, answered or not. */
  answered(isCharged: boolean, rate: Rate | undefined, nowMs: number): void {
    if (this.#isOver(nowMs)) {
      this.#window = undefined;
      this.#charged = this.#untold;
      this.#untold = 0;
    }
    if (rate) this.#learn(rate, nowMs);
    this.#untold = rate ? 0 : this.#untold + Number(isCharged && this.#isEnding(nowMs));
    this.#charged += Number(isCharged);
  }

  /** Until when no charged request may be sent; `undefined` where one may be sent at once. */
  restsUntil(nowMs: number): number | undefined {
    if (!this.#window || this.#isOver(nowMs)) return undefined;
    const isLeftToOthers = this.#rate !== undefined && this.#rate.remaining < leftToAllShare * this.#quota;
    const isUncertain = this.#untold > 0 && this.#isEnding(nowMs);
    const rests = this.#charged >= this.#budget || isLeftToOthers || isUncertain;
    return rests ? this.#window.endsMs + afterResetMs : undefined;
  }

  /** Whether there is more than live polling needs. */
  hasSpare(nowMs: number): boolean {
    if (!this.#window || this.#isOver(nowMs)) return true;
    return this.restsUntil(nowMs) === undefined && this.#charged < spareShare * this.#budget;
  }

  /** As it was last told; null until a tool has told anything. */
  get snapshot(): RateSnapshot | null {
    if (!this.#rate || !this.#window) return null;
    return {
      used: this.#charged,
      budget: this.#budget,
      reset_at: new Date(this.#window.endsMs).toISOString(),
      ci_limit: this.#rate.limit,
      ci_remaining: this.#rate.remaining,
    };
  }

  get #quota(): number {
    return this.#settings.quota || (this.#rate?.limit ?? quotaUntold);
  }

  get #budget(): number {
    return Math.floor((this.#quota * this.#settings.percent) / 100);
  }

  #isOver(nowMs: number): boolean {
    return this.#window !== undefined && nowMs >= this.#window.endsMs + afterResetMs;
  }

  #isEnding(nowMs: number): boolean {
    return this.#window !== undefined && nowMs >= this.#window.toldMs - sameResetMs;
  }

  /**
   * A clearly later reset begins another window once the one that was told is over; what was sent without being told a
   * window meanwhile may lie in the new one. Before that what was counted still counts, and the window ends when the tool says so:
   * where nothing is charged yet, a tool tells a reset that moves on with the time.
   */
  #learn(rate: Rate, nowMs: number): void {
    const window = this.#window;
    const laterMs = window ? rate.resetMs - window.toldMs : 0;
    if (window && Math.abs(laterMs) <= sameResetMs) {
      const moreMs = Math.max(0, laterMs);
      this.#window = { toldMs: window.toldMs + moreMs, endsMs: window.endsMs + moreMs };
    } else {
      if (laterMs > 0 && this.#isEnding(nowMs)) this.#charged = this.#untold;
      this.#window = windowOf(rate.resetMs, nowMs);
    }
    this.#rate = rate;
  }
}

function windowOf(toldMs: number, nowMs: number): Window {
  return { toldMs, endsMs: Math.min(toldMs, nowMs + windowMsMax) };
}
