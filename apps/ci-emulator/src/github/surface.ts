import type { CiFaultEffect } from '@shiplog/companions';
import type { Random } from '../random.ts';
import type { Store } from '../store.ts';
import {
  type Call,
  type Found,
  type Judged,
  jsonAnswer,
  Refusal,
  routeOf,
  type ToolAnswer,
} from '../surface/answer.ts';
import { type Rate, RateWindows, RecentRequests } from '../surface/rate-windows.ts';
import { conditional, faultAnswer, type Surface, type SurfaceLimits } from '../surface/surface.ts';
import { Blobs } from './blobs.ts';
import type { GithubContext } from './context.ts';
import { githubRoutes } from './routes.ts';

export interface GithubLimits extends SurfaceLimits {
  /** Requests per hour; 0: no limit and no headers. */
  readonly rateLimit: number;
  /** Requests per minute; 0: no limit. */
  readonly secondaryLimit: number;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
const anonymousLimit = 60;
const atOnceMax = 100;
const enterprisePrefix = '/api/v3';
const blobsPath = '/_ci/blobs/';
const docsUrl = 'https://docs.github.com/rest';
const rateDocsUrl = 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api';
/** The JWT that an App sends in place of a token. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** GitHub (CI emulator §3). */
export class GithubSurface implements Surface {
  readonly tool = 'github';
  readonly #store: Store;
  readonly #limits: GithubLimits;
  readonly #windows = new RateWindows({ windowMs: hourMs, aligned: false });
  readonly #recent = new RecentRequests(minuteMs);
  readonly #random: Random;
  readonly #blobs: Blobs;
  readonly #issued = new Map<string, number>();
  #last: { readonly token: string | undefined } | undefined;

  constructor(store: Store, limits: GithubLimits, random: Random) {
    this.#store = store;
    this.#limits = limits;
    this.#random = random;
    this.#blobs = new Blobs(random);
  }

  tokenOf({ authorization }: Call['headers']): string | undefined {
    return /^(?:bearer|token)\s+(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  }

  lastRate(now: number): Rate | undefined {
    if (!this.#last || this.#limits.rateLimit === 0) return undefined;
    return this.#windows.read(this.#last.token ?? '', this.#limitOf(this.#last.token), now);
  }

  judge(call: Call, effect: CiFaultEffect, atOnce: number): Judged {
    const broken = faultAnswer(effect);
    if (broken) return { answer: broken, charged: false };
    try {
      return this.#limited(call, effect, atOnce);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { answer: refusalAnswer(error), charged: false };
    }
  }

  /** Checks storage, credentials and limits, then answers. */
  #limited(call: Call, effect: CiFaultEffect, atOnce: number): Judged {
    if (call.path.startsWith(blobsPath))
      return { answer: this.#blobs.answer(call.path.slice(blobsPath.length), call), charged: false };
    if (!this.#mayAsk(call)) throw new Refusal(401, 'Bad credentials');
    if (effect.secondary !== undefined)
      throw secondaryRefusal(effect.secondary === 'bare' ? undefined : effect.secondary);
    if (effect.bare_429) throw new Refusal(429, 'Too Many Requests');
    if (this.#isTooFast(call, atOnce)) throw secondaryRefusal(60);
    const { token, now } = call;
    const limit = this.#limitOf(token);
    this.#last = { token };
    if (effect.exhausted) this.#windows.exhaust(token ?? '', limit, now);
    const rate = this.#windows.read(token ?? '', limit, now);
    if (isPath(call, '/rate_limit'))
      return { answer: withRate(this.#rateAnswer(rate, effect), this.#shown(rate, effect)), charged: false };
    if (this.#limits.rateLimit > 0 && rate.remaining === 0) {
      const refusal = new Refusal(
        403,
        `API rate limit exceeded for ${token === undefined ? 'this address' : 'user ID 1'}.`,
      );
      return { answer: withRate(refusalAnswer(refusal), this.#shown(rate, effect)), charged: false };
    }
    const answer = this.#answer(call, effect);
    const charged = !(answer.status === 304 && token !== undefined);
    const after = charged ? this.#windows.charge(token ?? '', limit, now) : rate;
    return { answer: withRate(answer, this.#shown(after, effect)), charged: charged && this.#limits.rateLimit > 0 };
  }

  #mayAsk({ token, path, now }: Call): boolean {
    const { requireToken } = this.#limits;
    if (requireToken === undefined || token === requireToken) return true;
    if (token === undefined) return false;
    return (this.#issued.get(token) ?? 0) > now || (path.includes('/app/installations/') && jwt.test(token));
  }

  #isTooFast({ token, now }: Call, atOnce: number): boolean {
    const { secondaryLimit } = this.#limits;
    if (secondaryLimit === 0) return false;
    return this.#recent.add(token ?? '', now) > secondaryLimit || atOnce > atOnceMax;
  }

  #limitOf(token: string | undefined): number {
    const { rateLimit } = this.#limits;
    return token === undefined ? anonymousLimit : rateLimit;
  }

  /** The rate for headers; `undefined` if limits are off or a fault hides them. */
  #shown({ resetMs, ...rate }: Rate, { no_rate_headers, skew_ms = 0 }: CiFaultEffect): Rate | undefined {
    return this.#limits.rateLimit === 0 || no_rate_headers ? undefined : { ...rate, resetMs: resetMs + skew_ms };
  }

  /** The response of a server whose limits are off. */
  #rateAnswer({ limit, remaining, used, resetMs }: Rate, { skew_ms = 0 }: CiFaultEffect): ToolAnswer {
    if (this.#limits.rateLimit === 0) return refusalAnswer(new Refusal(404, 'Rate limiting is not enabled.'));
    const rate = { limit, remaining, used, reset: Math.ceil((resetMs + skew_ms) / 1000) };
    return jsonAnswer(200, { resources: { core: rate }, rate });
  }

  #answer(call: Call, effect: CiFaultEffect): ToolAnswer {
    const isEnterprise = call.path.startsWith(`${enterprisePrefix}/`);
    const context: GithubContext = {
      store: this.#store,
      call,
      apiUrl: `${call.origin}${isEnterprise ? enterprisePrefix : ''}`,
      blobs: this.#blobs,
      order: (rows) => (effect.shuffle ? this.#random.shuffled(rows) : rows),
      nextToken: () => this.#issue(call.now),
    };
    const answer = this.#routed(context, this.#segments(call, isEnterprise ? enterprisePrefix : ''));
    if (effect.no_etag) return answer;
    return conditional(answer, call, {
      'cache-control': 'private, max-age=60, s-maxage=60',
      vary: 'Accept, Authorization',
    });
  }

  #routed(context: GithubContext, segments: readonly string[]): ToolAnswer {
    const found = routeOf(githubRoutes, context.call.method, segments);
    try {
      if (!found) throw new Refusal(404, 'Not Found');
      const answer = found.route.answer(context, found.params);
      return 'body' in answer ? answer : foundAnswer(answer);
    } catch (error) {
      // A refusal of this kind counts against the quota like any response.
      if (error instanceof Refusal) return refusalAnswer(error);
      throw error;
    }
  }

  /** Renamed repositories are found at `/repositories/{id}/…`. */
  #segments({ path }: Call, prefix: string): string[] {
    const segments = path
      .slice(prefix.length + 1)
      .split('/')
      .map((segment) => decodeURIComponent(segment));
    const [first, id, ...remaining] = segments;
    const moved = first === 'repositories' && this.#store.repositories.find((one) => String(one.id) === id);
    return moved ? ['repos', moved.owner, moved.name, ...remaining] : segments;
  }

  #issue(now: number): string {
    const token = `ghs_emulated_${this.#issued.size + 1}`;
    this.#issued.set(token, now + hourMs);
    return token;
  }
}

function isPath({ method, path }: Call, requested: string): boolean {
  return method === 'GET' && (path === requested || path === `${enterprisePrefix}${requested}`);
}

function foundAnswer({ value, headers = {}, status = 200 }: Found): ToolAnswer {
  return status === 302 ? { status, headers, body: Buffer.alloc(0) } : jsonAnswer(status, value, headers);
}

function refusalAnswer({ status, message, headers }: Refusal): ToolAnswer {
  const isRate = /rate limit/.test(message);
  const body = { message, documentation_url: isRate ? rateDocsUrl : docsUrl, status: String(status) };
  const moved = headers.location === undefined ? {} : { url: headers.location };
  return jsonAnswer(status, { ...body, ...moved }, headers);
}

function secondaryRefusal(seconds: number | undefined): Refusal {
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  return new Refusal(403, message, seconds === undefined ? {} : { 'retry-after': String(seconds) });
}

function withRate(answer: ToolAnswer, rate: Rate | undefined): ToolAnswer {
  if (!rate) return answer;
  const headers = {
    ...answer.headers,
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-used': String(rate.used),
    'x-ratelimit-reset': String(Math.ceil(rate.resetMs / 1000)),
    'x-ratelimit-resource': 'core',
  };
  return { ...answer, headers };
}
