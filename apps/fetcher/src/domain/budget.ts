/** A tool's quota, from the headers of a response. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, by the tool's clock; ms. */
  readonly resetMs: number;
}

export interface BudgetSettings {
  readonly percent: number;
  /** Requests per window; 0 means the tool's own limit. */
  readonly quota: number;
}

/** In the cursor as `u` (fetcher §6): the reset in epoch seconds, and the requests counted in its window. */
export type BudgetMemory = readonly [resetSeconds: number, charged: number];

/** The quota as shown by health and reports (fetcher §13.2). */
export interface RateSnapshot {
  readonly used: number;
  readonly budget: number;
  readonly reset_at: string;
  readonly ci_limit: number;
  readonly ci_remaining: number;
}

/** Assumed until the tool reports its own. */
const quotaUnknown = 5000;
const spareShare = 0.8;
const leftToAllShare = 0.05;
const afterResetMs = 1000;
/** Different servers of a tool report slightly different ends of the same window. */
const sameResetMs = 5000;
/** No tool's rate-limit window is longer than an hour; a later reset time is an error and is capped at this. */
export const windowMsMax = 3_660_000;

interface Window {
  readonly reportedMs: number;
  readonly endsMs: number;
}

/**
 * The fetcher's share of a tool's quota, by the tool's clock (fetcher §7.3). It is unlimited until a window is known.
 */
export class Budget {
  readonly #settings: BudgetSettings;
  #window: Window | undefined;
  #charged = 0;
  /**
   * The number of counted responses without quota headers shortly before the window's end. They may belong to the next
   * one.
   */
  #unattributed = 0;
  #rate: Rate | undefined;

  constructor(settings: BudgetSettings) {
    this.#settings = settings;
  }

  restore([resetSeconds, charged]: BudgetMemory, nowMs: number): void {
    this.#window = windowOf(resetSeconds * 1000, nowMs);
    this.#charged = charged;
    this.#unattributed = Math.min(1, charged);
  }

  get memory(): BudgetMemory | undefined {
    return this.#window && [Math.ceil(this.#window.endsMs / 1000), this.#charged];
  }

  answered(isCharged: boolean, rate: Rate | undefined, nowMs: number): void {
    if (this.#isOver(nowMs)) {
      this.#window = undefined;
      this.#charged = this.#unattributed;
      this.#unattributed = 0;
    }
    if (rate) this.#learn(rate, nowMs);
    this.#unattributed = rate ? 0 : this.#unattributed + Number(isCharged && this.#isEnding(nowMs));
    this.#charged += Number(isCharged);
  }

  /**
   * The instant before which no request that counts against the quota may be sent; `undefined` if one may be sent now.
   */
  pausedUntil(nowMs: number): number | undefined {
    if (!this.#window || this.#isOver(nowMs)) return undefined;
    const isLeftToOthers = this.#rate !== undefined && this.#rate.remaining < leftToAllShare * this.#quota;
    const isUncertain = this.#unattributed > 0 && this.#isEnding(nowMs);
    const rests = this.#charged >= this.#budget || isLeftToOthers || isUncertain;
    return rests ? this.#window.endsMs + afterResetMs : undefined;
  }

  /** Whether the budget exceeds what live polling needs. */
  hasSpare(nowMs: number): boolean {
    if (!this.#window || this.#isOver(nowMs)) return true;
    return this.pausedUntil(nowMs) === undefined && this.#charged < spareShare * this.#budget;
  }

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
    return this.#settings.quota || (this.#rate?.limit ?? quotaUnknown);
  }

  get #budget(): number {
    return Math.floor((this.#quota * this.#settings.percent) / 100);
  }

  #isOver(nowMs: number): boolean {
    return this.#window !== undefined && nowMs >= this.#window.endsMs + afterResetMs;
  }

  #isEnding(nowMs: number): boolean {
    return this.#window !== undefined && nowMs >= this.#window.reportedMs - sameResetMs;
  }

  /**
   * A clearly later reset begins another window once the reported one is over; requests without quota headers meanwhile
   * may belong to it. Before that, the count stays and only the end moves: while no requests are counted, a tool
   * reports a reset that moves along with the time.
   */
  #learn(rate: Rate, nowMs: number): void {
    const window = this.#window;
    const laterMs = window ? rate.resetMs - window.reportedMs : 0;
    if (window && Math.abs(laterMs) <= sameResetMs) {
      const moreMs = Math.max(0, laterMs);
      this.#window = { reportedMs: window.reportedMs + moreMs, endsMs: window.endsMs + moreMs };
    } else {
      if (laterMs > 0 && this.#isEnding(nowMs)) this.#charged = this.#unattributed;
      this.#window = windowOf(rate.resetMs, nowMs);
    }
    this.#rate = rate;
  }
}

function windowOf(reportedMs: number, nowMs: number): Window {
  return { reportedMs, endsMs: Math.min(reportedMs, nowMs + windowMsMax) };
}
