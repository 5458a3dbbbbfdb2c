import type { Rate } from '../domain/budget.ts';

export type { Rate };

export interface Tool {
  /** The headers of each request, including the token; errors thrown here reach the caller unchanged. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  rateOf(headers: Headers): Rate | undefined;
  /** Whether the body of a 403 says that a limit was reached; used if no header does. */
  isLimit?(text: string): boolean;
  /**
   * Whether a response with this status counts against the quota. The path is below the base URL, without a query. A
   * path whose 200 doesn't count is requested even if the budget is used up.
   */
  isCharged(status: number, path: string): boolean;
}

export interface Answer<Body> {
  readonly body: Body;
  /** Whether nothing has changed since the previous request. */
  readonly unchanged: boolean;
  readonly isMoved?: true;
}

export interface Page<Body> extends Answer<Body> {
  readonly more: boolean;
}

/**
 * Requests to one tool, one after another. A path begins with a slash and is appended to the base URL; a link must have
 * the same origin.
 *
 * Every call waits until the source may send a request, obeys pauses and the budget, and throws `AuthFailed`,
 * `SourcePaused`, `PlaceRefused` or `ToolAway` (refusals.ts), or the reason of its signal.
 */
export interface ToolHttp {
  /**
   * `pick` extracts the required data from the JSON body; only that is cached for conditional requests. Callers must
   * not change it. A path always has the same `pick`. Errors in `pick` become a `ToolAway`.
   */
  get<Picked>(path: string, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Answer<Picked>>;
  /** The pages of a list. Throws `ListCut` after the last valid page if the next link points to another origin. */
  pages<Picked>(path: string, signal: AbortSignal, pick: (body: unknown) => Picked): AsyncIterable<Page<Picked>>;
  post<Picked>(path: string, body: unknown, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Picked>;
  /** A file, possibly from another origin. File URLs contain their own credentials, so redirects get none. */
  bytes(path: string, signal: AbortSignal, bytesMax: number): Promise<Uint8Array>;
  /** Called at each discovery: forgets permanent redirects (fetcher §15.4). */
  rediscover(): void;
  /** Whether polling of all places may continue: some of the budget and of its share of this minute is left. */
  readonly hasTurn: boolean;
  /**
   * Whether the backfill may continue: less than 80 % of the budget is used, polling leaves room in this minute, and no
   * cycle is due. Checked before each deployment, so that no cycle waits for the backfill.
   */
  readonly hasSpare: boolean;
  /** The tool's clock, from its `Date` headers; milliseconds. */
  now(): number;
  /** The earlier of the tool's clock and the fetcher's, because a wrong date moves the tool's clock; milliseconds. */
  settledNow(): number;
}
