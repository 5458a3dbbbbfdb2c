import type { Clock } from '@shiplog/client';
import { type Resolve, systemResolve } from '@shiplog/component';
import { LRUCache } from 'lru-cache';
import type { Budget, BudgetMemory, RateSnapshot } from '../domain/budget.ts';
import { pathOf, redirectLookup, redirectTarget } from './addresses.ts';
import { Etags } from './etags.ts';
import { limitOf, Pauses, ToolClock } from './limits.ts';
import { Pace } from './pace.ts';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from './refusals.ts';
import { ToolCaller, type ToolReply, type ToolRequest } from './tool-caller.ts';
import type { Tool, ToolHttp } from './tool-http.ts';
import { exchange, type Head, isGoodStatus, Unanswered, type WireAnswer, type WireRequest } from './wire.ts';

export interface ToolConnectionOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly requestsPerMinute: number;
  /** Not shared with other connections. */
  readonly budget: Budget;
  readonly observer?: ToolObserver;
  /** The longest wait for a response, in real time; 20 s if absent. */
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
}

export interface ToolObserver {
  /** Called after each request. A request without a response counts against the quota if a response would have. */
  onAnswer(answer: { readonly code: number | 'none'; readonly charged: boolean }): void;
}

interface Sending extends ToolRequest, Pick<WireRequest, 'lookup'> {
  readonly tool: Tool;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether credentials are sent; only then does the response show the state of token, quota and clock. */
  readonly hasCredentials: boolean;
  readonly name: string;
}

const answerMsMax = 20_000;
const movedMax = 20_000;
const redirects: readonly number[] = [301, 302, 307, 308];
const permanentRedirects: readonly number[] = [301, 308];
const refusals: readonly number[] = [403, 404, 410, 451];
const goneForAll: readonly number[] = [404, 410, 451];

/** All requests of one source to its tool, one at a time, within the limits of both (fetcher §7). */
export class ToolConnection {
  readonly etags = new Etags();
  readonly #options: ToolConnectionOptions;
  readonly #pace: Pace;
  readonly #clock = new ToolClock();
  readonly #pauses = new Pauses();
  /** Permanent redirects, by the requested address. */
  readonly #moved = new LRUCache<string, URL>({ max: movedMax });
  /** The end of the current backfill turn. */
  #backfillUntilMs: number | undefined;
  #callers = 0;
  /** Resolves when all earlier callers have been served. */
  #served: Promise<unknown> = Promise.resolve();

  constructor(options: ToolConnectionOptions) {
    this.#options = options;
    this.#pace = new Pace(options.requestsPerMinute);
  }

  http(tool: Tool): ToolHttp {
    this.#callers += 1;
    return new ToolCaller(this, tool, String(this.#callers));
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** By the fetcher's clock, in milliseconds. */
  get ownNow(): number {
    return this.#options.clock.now().getTime();
  }

  /** By the tool's clock, in milliseconds. */
  now(): number {
    return this.#clock.at(this.ownNow);
  }

  settledNow(): number {
    return Math.min(this.now(), this.ownNow);
  }

  get hasTurn(): boolean {
    return !this.#pauseFor({ isFree: false }) && this.#pace.hasTurn(this.ownNow);
  }

  get hasSpare(): boolean {
    const isPaused = this.#pauseFor({ isFree: false }) !== undefined;
    const isOver = this.#backfillUntilMs !== undefined && this.ownNow >= this.#backfillUntilMs;
    return !isPaused && !isOver && this.#pace.hasSpare(this.ownNow) && this.#options.budget.hasSpare(this.now());
  }

  /** Counts later requests as backfill until an instant of the fetcher's clock; with `undefined`, as polling. */
  backfillUntil(untilMs: number | undefined): void {
    this.#backfillUntilMs = untilMs;
  }

  /** Ends a polling cycle: its number of requests is reserved for later cycles. */
  cycleOver(): void {
    this.#pace.cycleOver(this.ownNow);
  }

  /** Forgets permanent redirects. */
  rediscover(): void {
    this.#moved.clear();
  }

  /** Forgets cached responses and redirects after a reset, but not limits. */
  forget(): void {
    this.etags.clear();
    this.rediscover();
  }

  /** For health and reports; null until the tool has reported its limits. */
  get rateLimit(): RateSnapshot | null {
    return this.#options.budget.snapshot;
  }

  /** The requests that count against the quota, for the cursor. */
  get used(): BudgetMemory | undefined {
    return this.#options.budget.memory;
  }

  restore(used: BudgetMemory): void {
    this.#options.budget.restore(used, this.now());
  }

  /** @throws what `ToolHttp` throws. */
  async send(tool: Tool, request: ToolRequest, signal: AbortSignal): Promise<ToolReply> {
    const path = pathOf(this.#options.baseUrl, request.url);
    this.#refuseDuringPause({ isFree: !tool.isCharged(200, path) });
    // Read the headers before the turn, because a tool may request its token with another caller of this connection.
    const headers = await tool.headers(signal);
    const sending = { ...request, tool, headers, hasCredentials: true, name: `${request.method} ${path}` };
    return this.#inTurn(signal, () => this.#follow(sending, signal));
  }

  #pauseFor({ isFree }: { readonly isFree: boolean }): SourcePaused | undefined {
    const now = this.now();
    const budgetMs = isFree ? undefined : this.#options.budget.pausedUntil(now);
    const pause =
      budgetMs === undefined ? undefined : new SourcePaused("the fetcher's share of the quota is used up", budgetMs);
    return this.#pauses.at(now) ?? pause;
  }

  #refuseDuringPause(kind: { readonly isFree: boolean }): void {
    const pause = this.#pauseFor(kind);
    if (pause) throw pause;
  }

  /** Rejects immediately when the signal is aborted; other callers still wait for the current request. */
  #inTurn<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
    const mine = this.#served.then(() => {
      signal.throwIfAborted();
      return act();
    });
    this.#served = mine.catch(() => undefined);
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      void mine.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  /** Follows one redirect; a second one counts as a fault of the tool. */
  async #follow(sending: Sending, signal: AbortSignal): Promise<ToolReply> {
    const url = this.#moved.get(sending.url.href) ?? sending.url;
    const first = await this.#once({ ...sending, url }, signal);
    if (!redirects.includes(first.status)) return first;
    const to = this.#targetOf(first, sending, url);
    const isPermanent = permanentRedirects.includes(first.status);
    const isOwn = to.origin === url.origin;
    if (isOwn && isPermanent) this.#moved.set(sending.url.href, to);
    const hasCredentials = isOwn && (isPermanent || sending.isFile !== true);
    const { resolve = systemResolve } = this.#options;
    const lookup = isOwn ? undefined : await redirectLookup(url, resolve);
    const second = await this.#once({ ...sending, url: to, hasCredentials, lookup }, signal);
    if (redirects.includes(second.status)) throw new ToolAway(`${sending.name}: redirected twice`);
    return second;
  }

  #targetOf({ headers }: Head, { method, name }: Sending, url: URL): URL {
    try {
      const to = redirectTarget(headers.get('location'), url);
      if (method === 'GET' || to.origin === url.origin) return to;
      throw new ToolAway(`a POST is not redirected to ${to.origin}`);
    } catch (error) {
      throw error instanceof ToolAway ? new ToolAway(`${name}: ${error.message}`) : error;
    }
  }

  /** Sends one request; returns a good response, a redirect, or a 304 for a validator. */
  async #once(sending: Sending, signal: AbortSignal): Promise<ToolReply> {
    const { method, url, content, bytesMax, lookup, name, tool, hasCredentials } = sending;
    const path = pathOf(this.#options.baseUrl, url);
    this.#refuseDuringPause({ isFree: !hasCredentials || !tool.isCharged(200, path) });
    await this.#waitForRoom(signal);
    const sentMs = this.ownNow;
    this.#pace.sent(sentMs, this.#backfillUntilMs !== undefined);
    let head: Head | undefined;
    const onHead = (answered: Head) => {
      head = answered;
      this.#record(sending, path, sentMs, answered);
    };
    const { timeoutMs = answerMsMax } = this.#options;
    const etag = sending.cached?.from === url.href ? sending.cached.etag : undefined;
    const wire = { method, url, content, bytesMax, lookup, headers: headersOf(sending, etag) };
    try {
      const answer = await exchange(wire, { signal, timeoutMs, onHead });
      const isCached = etag !== undefined && answer.status === 304;
      if (isCached || isGoodStatus(answer.status)) this.#pauses.succeeded();
      else if (!redirects.includes(answer.status)) throw this.#refusalOf(answer, sending);
      return { ...answer, from: url.href };
    } catch (error) {
      if (!head) this.#record(sending, path, sentMs, undefined);
      throw error instanceof Unanswered ? new ToolAway(`${name}: ${error.message}`) : error;
    }
  }

  async #waitForRoom(signal: AbortSignal): Promise<void> {
    for (let waitMs = this.#pace.waitMs(this.ownNow); waitMs > 0; waitMs = this.#pace.waitMs(this.ownNow)) {
      await this.#options.clock.sleep(waitMs, signal);
      signal.throwIfAborted();
    }
  }

  /** Records whether a request counts against the quota, and the time and quota in its response. */
  #record({ tool, hasCredentials }: Sending, path: string, sentMs: number, head: Head | undefined): void {
    const { budget, observer } = this.#options;
    const charged = hasCredentials && tool.isCharged(head?.status ?? 200, path);
    if (hasCredentials) {
      if (head) this.#clock.learn(head.headers.get('date'), { sentMs, answeredMs: this.ownNow });
      budget.answered(charged, head && tool.rateOf(head.headers), this.now());
    }
    observer?.onAnswer({ code: head?.status ?? 'none', charged });
  }

  /** The table in fetcher §7. A response from another origin has no information about the tool. */
  #refusalOf({ status, headers, body }: WireAnswer, { tool, hasCredentials, name }: Sending): Error {
    const reason = `${name}: ${status}`;
    if (!hasCredentials)
      return goneForAll.includes(status)
        ? new PlaceRefused(reason, status)
        : new ToolAway(`${reason} after a redirect`);
    if (status === 401) return new AuthFailed(`${reason}, the tool rejects the token`);
    const text = new TextDecoder().decode(body);
    const until = limitOf({ status, headers, text }, tool, this.now());
    if (until !== undefined) return this.#pauses.begin(`${reason}, rate limit of the tool reached`, until, this.now());
    return refusals.includes(status) ? new PlaceRefused(reason, status) : new ToolAway(reason);
  }
}

/** Without credentials only `accept` and `user-agent` are sent. */
function headersOf({ headers, hasCredentials, content }: Sending, etag: string | undefined): Record<string, string> {
  const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const sent = hasCredentials ? all : all.filter(([name]) => name === 'accept' || name === 'user-agent');
  return {
    accept: 'application/json',
    'user-agent': 'shiplog-fetcher',
    ...Object.fromEntries(sent),
    ...(content !== undefined && { 'content-type': 'application/json' }),
    ...(etag !== undefined && { 'if-none-match': etag }),
  };
}
