import type { Rate } from '../domain/budget.ts';

export type { Rate };

/** What distinguishes a tool for those who ask it. */
export interface Tool {
  /** The headers of each request, the token among them; its errors reach the caller unchanged. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  rateOf(headers: Headers): Rate | undefined;
  /** Whether the body of a 403 says that a limit was reached, if no header does. */
  isLimit?(text: string): boolean;
  /**
   * Whether an answer with this status counts against the quota. The path is the one below the base URL, without a query;
   * one that is not charged with 200 is asked for also when the budget is used up.
   */
  isCharged(status: number, path: string): boolean;
}

export interface Answer<Body> {
  readonly body: Body;
  /** Whether the tool said that nothing has changed since the last time. */
  readonly unchanged: boolean;
  /** Whether a redirect led to it. */
  readonly isMoved?: true;
}

export interface Page<Body> extends Answer<Body> {
  /** Whether there is another page. */
  readonly more: boolean;
}

/**
 * Requests to one tool, one after another. A path begins with a slash and is added to the base URL; a URL of a link is
 * taken if it is of the same origin.
 *
 * Every call waits until the source's requests of the last minute leave room, obeys rests and the budget, and throws
 * `AuthFailed`, `SourceRests`, `PlaceRefused` or `ToolAway` (refusals.ts), or the reason of its signal.
 */
export interface ToolHttp {
  /**
   * `pick` takes from the body what is needed, as JSON; only that is kept for the next conditional request, which gives
   * the very same value, so nobody changes it. A path always has the same `pick`. What it throws is a `ToolAway`.
   */
  get<Picked>(path: string, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Answer<Picked>>;
  /**
   * The pages of a list, by `Link: rel="next"`, as far as the caller goes on; throws `ListCut` behind the last page where
   * that link leads elsewhere.
   */
  pages<Picked>(path: string, signal: AbortSignal, pick: (body: unknown) => Picked): AsyncIterable<Page<Picked>>;
  post<Picked>(path: string, body: unknown, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Picked>;
  /**
   * A body of at most so many bytes, also from another origin. What a temporary redirect leads to gets no credentials,
   * wherever it is: addresses of files carry their own.
   */
  bytes(path: string, signal: AbortSignal, bytesMax: number): Promise<Uint8Array>;
  /** At each discovery: what was moved for good is asked for at its old address once more (fetcher §15.4). */
  rediscover(): void;
  /**
   * Whether the round of all places may go on: there is budget, and it has not taken its share of this minute.
   */
  readonly hasTurn: boolean;
  /**
   * Whether there is more than live polling needs: less than 80 % of the budget is used, this minute has room that it does
   * not need, and no cycle is due. The past asks before each deployment, so that no cycle waits for it.
   */
  readonly hasSpare: boolean;
  /** By the tool's clock, as its `Date` headers tell it; ms. */
  now(): number;
  /**
   * An instant that has surely come: the earlier one of the tool's clock and the own, because one answer with a wrong
   * date moves the first. What is dealt with up to the present is dealt with up to here; ms.
   */
  surelyPast(): number;
}
