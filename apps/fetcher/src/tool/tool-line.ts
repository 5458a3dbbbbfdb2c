import type { Clock } from '@shiplog/client';
import { type Resolve, systemResolve } from '@shiplog/component';
import { LRUCache } from 'lru-cache';
import type { Budget } from '../domain/budget.ts';
import { pathOf, redirectTarget } from './addresses.ts';
import { limitOf, Pauses } from './limits.ts';
import { Pace } from './pace.ts';
import { redirectLookup } from './redirect-lookup.ts';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from './refusals.ts';
import { ToolClock } from './tool-clock.ts';
import type { Tool } from './tool-http.ts';
import { exchange, type Head, isGoodStatus, Unanswered, type WireAnswer, type WireRequest } from './wire.ts';

export interface ToolLineOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly requestsPerMinute: number;
  readonly budget: Budget;
  readonly observer?: ToolObserver;
  /** The longest wait for an answer, by the real clock; 20 s. */
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
}

export interface ToolObserver {
  /** Called after each request. One without an answer counts as charged if an answer would have. */
  onAnswer(answer: { readonly code: number | 'none'; readonly charged: boolean }): void;
}

export interface Asked extends Pick<WireRequest, 'method' | 'url' | 'content' | 'bytesMax'> {
  /** The validator of the cached answer, for the address that gave it. */
  readonly held?: { readonly etag: string | undefined; readonly from: string } | undefined;
  /** File URLs contain their own credentials. */
  readonly isFile?: boolean;
}

/** A good answer, or a 304 for a cached one. */
export interface Told extends WireAnswer {
  readonly from: string;
}

interface Sending extends Asked, Pick<WireRequest, 'lookup'> {
  readonly tool: Tool;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether credentials are sent; only then the answer says something about token, quota and time. */
  readonly hasCredentials: boolean;
  readonly name: string;
}

const answerMsMax = 20_000;
const movedMax = 20_000;
const redirects: readonly number[] = [301, 302, 307, 308];
const permanentRedirects: readonly number[] = [301, 308];
const refusals: readonly number[] = [403, 404, 410, 451];
const goneForAll: readonly number[] = [404, 410, 451];

/** Sends the requests to one tool, one at a time, within its limits and ours (fetcher §7). */
export class ToolLine {
  readonly #options: ToolLineOptions;
  readonly #pace: Pace;
  readonly #clock = new ToolClock();
  readonly #pauses = new Pauses();
  /** Permanent redirects, by the requested address. */
  readonly #moved = new LRUCache<string, URL>({ max: movedMax });
  /** The end of the current backfill turn. */
  #pastUntilMs: number | undefined;
  /** Settled when all earlier callers have been served. */
  #served: Promise<unknown> = Promise.resolve();

  constructor(options: ToolLineOptions) {
    this.#options = options;
    this.#pace = new Pace(options.requestsPerMinute);
  }

  now(): number {
    return this.#clock.at(this.#ownNow);
  }

  settledNow(): number {
    return Math.min(this.now(), this.#ownNow);
  }

  get hasTurn(): boolean {
    return !this.#restOf({ isFree: false }) && this.#pace.hasTurn(this.#ownNow);
  }

  get hasSpare(): boolean {
    const hasRest = this.#restOf({ isFree: false }) !== undefined;
    const isOver = this.#pastUntilMs !== undefined && this.#ownNow >= this.#pastUntilMs;
    return !hasRest && !isOver && this.#pace.hasSpare(this.#ownNow) && this.#options.budget.hasSpare(this.now());
  }

  backfillUntil(untilMs: number | undefined): void {
    this.#pastUntilMs = untilMs;
  }

  cycleOver(): void {
    this.#pace.cycleOver(this.#ownNow);
  }

  forgetMoved(): void {
    this.#moved.clear();
  }

  /** @throws what `ToolHttp` throws. */
  async send(tool: Tool, asked: Asked, signal: AbortSignal): Promise<Told> {
    const path = pathOf(this.#options.baseUrl, asked.url);
    this.#refuseWhileResting({ isFree: !tool.isCharged(200, path) });
    // Before the turn, because a tool may request its token with another caller of this line.
    const headers = await tool.headers(signal);
    const sending = { ...asked, tool, headers, hasCredentials: true, name: `${asked.method} ${path}` };
    return this.#inTurn(signal, () => this.#follow(sending, signal));
  }

  get #ownNow(): number {
    return this.#options.clock.now().getTime();
  }

  #restOf({ isFree }: { readonly isFree: boolean }): SourcePaused | undefined {
    const now = this.now();
    const budgetMs = isFree ? undefined : this.#options.budget.pausedUntil(now);
    const rest =
      budgetMs === undefined ? undefined : new SourcePaused("the fetcher's share of the quota is used up", budgetMs);
    return this.#pauses.at(now) ?? rest;
  }

  #refuseWhileResting(kind: { readonly isFree: boolean }): void {
    const rest = this.#restOf(kind);
    if (rest) throw rest;
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

  /** Follows one redirect; a second one is a fault of the tool. */
  async #follow(sending: Sending, signal: AbortSignal): Promise<Told> {
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

  /** Sends one request; returns a good answer, a redirect, or a 304 to a validator. */
  async #once(sending: Sending, signal: AbortSignal): Promise<Told> {
    const { method, url, content, bytesMax, lookup, name, tool, hasCredentials } = sending;
    const path = pathOf(this.#options.baseUrl, url);
    this.#refuseWhileResting({ isFree: !hasCredentials || !tool.isCharged(200, path) });
    await this.#room(signal);
    const sentMs = this.#ownNow;
    this.#pace.sent(sentMs, this.#pastUntilMs !== undefined);
    let head: Head | undefined;
    const onHead = (answered: Head) => {
      head = answered;
      this.#heard(sending, path, sentMs, answered);
    };
    const { timeoutMs = answerMsMax } = this.#options;
    const etag = sending.held?.from === url.href ? sending.held.etag : undefined;
    const wire = { method, url, content, bytesMax, lookup, headers: headersOf(sending, etag) };
    try {
      const answer = await exchange(wire, { signal, timeoutMs, onHead });
      const isHeld = etag !== undefined && answer.status === 304;
      if (isHeld || isGoodStatus(answer.status)) this.#pauses.wentWell();
      else if (!redirects.includes(answer.status)) throw this.#refusalOf(answer, sending);
      return { ...answer, from: url.href };
    } catch (error) {
      if (!head) this.#heard(sending, path, sentMs, undefined);
      throw error instanceof Unanswered ? new ToolAway(`${name}: ${error.message}`) : error;
    }
  }

  async #room(signal: AbortSignal): Promise<void> {
    for (let waitMs = this.#pace.waitMs(this.#ownNow); waitMs > 0; waitMs = this.#pace.waitMs(this.#ownNow)) {
      await this.#options.clock.sleep(waitMs, signal);
      signal.throwIfAborted();
    }
  }

  /** Records the cost of a request, and the time and quota in its answer. */
  #heard({ tool, hasCredentials }: Sending, path: string, sentMs: number, head: Head | undefined): void {
    const { budget, observer } = this.#options;
    const charged = hasCredentials && tool.isCharged(head?.status ?? 200, path);
    if (hasCredentials) {
      if (head) this.#clock.learn(head.headers.get('date'), { sentMs, answeredMs: this.#ownNow });
      budget.answered(charged, head && tool.rateOf(head.headers), this.now());
    }
    observer?.onAnswer({ code: head?.status ?? 'none', charged });
  }

  /** The table of fetcher §7. An answer of another origin says nothing about the tool. */
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
