/** A quota as a tool reports it; `resetMs` is epoch milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  readonly resetMs: number;
}

export interface RateWindowOptions {
  readonly windowMs: number;
  /** If set, windows start at multiples of their length; otherwise with the first counted request. */
  readonly aligned: boolean;
}

/** Counts the requests of each token in fixed windows (CI emulator §3.3, §4.4). */
export class RateWindows {
  readonly #options: RateWindowOptions;
  readonly #windows = new Map<string, { resetMs: number; used: number }>();

  constructor(options: RateWindowOptions) {
    this.#options = options;
  }

  /** A token's current quota. */
  read(token: string, limit: number, now: number): Rate {
    const window = this.#windows.get(token);
    const { windowMs, aligned } = this.#options;
    const isOver = window === undefined || now >= window.resetMs;
    const used = isOver ? 0 : window.used;
    const fresh = (aligned ? Math.floor(now / windowMs) * windowMs : now) + windowMs;
    return { limit, used, remaining: Math.max(0, limit - used), resetMs: isOver ? fresh : window.resetMs };
  }

  /** Counts this many requests and returns the resulting quota. */
  charge(token: string, limit: number, now: number, requests = 1): Rate {
    const { used, resetMs } = this.read(token, limit, now);
    this.#windows.set(token, { resetMs, used: used + requests });
    return this.read(token, limit, now);
  }

  /** Uses up the quota until the window ends. */
  exhaust(token: string, limit: number, now: number): Rate {
    return this.charge(token, limit, now, this.read(token, limit, now).remaining);
  }
}

/** Counts each token's requests of the last minute, including free ones (CI emulator §3.4). */
export class RecentRequests {
  readonly #spanMs: number;
  readonly #times = new Map<string, number[]>();

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  /** Adds one request and returns the count. */
  add(token: string, now: number): number {
    const times = this.#times.get(token) ?? [];
    while (times[0] !== undefined && times[0] <= now - this.#spanMs) times.shift();
    times.push(now);
    this.#times.set(token, times);
    return times.length;
  }
}
