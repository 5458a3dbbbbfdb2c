import type { CiFaultEffect } from '@shiplog/companions';
import type { Store } from '../store.ts';
import { type Call, type Judged, jsonAnswer, Refusal, routeOf, type ToolAnswer } from '../surface/answer.ts';
import { type Rate, RateWindows } from '../surface/rate-windows.ts';
import { conditional, faultAnswer, type Surface, type SurfaceLimits } from '../surface/surface.ts';
import { gitlabRoutes } from './routes.ts';

export interface GitlabLimits extends SurfaceLimits {
  /** Requests per minute; 0: no limit and no headers. */
  readonly rateLimit: number;
}

const minuteMs = 60_000;

/** GitLab (CI emulator §4). */
export class GitlabSurface implements Surface {
  readonly tool = 'gitlab';
  readonly #store: Store;
  readonly #limits: GitlabLimits;
  readonly #windows = new RateWindows({ windowMs: minuteMs, aligned: true });
  #last: { readonly token: string } | undefined;

  constructor(store: Store, limits: GitlabLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  tokenOf(headers: Call['headers']): string | undefined {
    const own = headers['private-token'];
    if (typeof own === 'string' && own !== '') return own;
    return /^bearer\s+(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  }

  lastRate(now: number): Rate | undefined {
    if (!this.#last || this.#limits.rateLimit === 0) return undefined;
    return this.#windows.read(this.#last.token, this.#limits.rateLimit, now);
  }

  judge(call: Call, effect: CiFaultEffect): Judged {
    const broken = faultAnswer(effect);
    if (broken) return { answer: broken, charged: false };
    const { requireToken, rateLimit } = this.#limits;
    if (requireToken !== undefined && call.token !== requireToken) {
      return { answer: refusalAnswer(new Refusal(401, '401 Unauthorized')), charged: false };
    }
    if (effect.bare_429) return { answer: tooManyRequests(undefined), charged: false };
    if (effect.secondary !== undefined) {
      return { answer: tooManyRequests(effect.secondary === 'bare' ? undefined : effect.secondary), charged: false };
    }
    const token = call.token ?? '';
    this.#last = { token };
    if (effect.exhausted) this.#windows.exhaust(token, rateLimit, call.now);
    const before = this.#windows.read(token, rateLimit, call.now);
    if (rateLimit > 0 && before.remaining === 0) {
      const answer = tooManyRequests(Math.ceil((before.resetMs - call.now) / 1000));
      return { answer: withRate(answer, this.#shown(before, effect)), charged: false };
    }
    const answer = this.#answer(call, effect);
    // Unlike on GitHub, a 304 counts against the quota.
    const after = this.#windows.charge(token, rateLimit, call.now);
    return { answer: withRate(answer, this.#shown(after, effect)), charged: rateLimit > 0 };
  }

  #shown({ resetMs, ...rate }: Rate, { no_rate_headers, skew_ms = 0 }: CiFaultEffect): Rate | undefined {
    return this.#limits.rateLimit === 0 || no_rate_headers ? undefined : { ...rate, resetMs: resetMs + skew_ms };
  }

  #answer(call: Call, effect: CiFaultEffect): ToolAnswer {
    const segments = call.path
      .slice(1)
      .split('/')
      .map((segment) => decodeURIComponent(segment));
    const found = routeOf(gitlabRoutes, call.method, segments);
    try {
      if (!found) throw new Refusal(404, '404 Not Found');
      const answer = found.route.answer({ store: this.#store, call }, found.params);
      const whole = 'body' in answer ? answer : jsonAnswer(answer.status ?? 200, answer.value, answer.headers);
      return effect.no_etag
        ? whole
        : conditional(whole, call, { 'cache-control': 'max-age=0, private, must-revalidate' });
    } catch (error) {
      if (error instanceof Refusal) return refusalAnswer(error);
      throw error;
    }
  }
}

function refusalAnswer({ status, message, headers }: Refusal): ToolAnswer {
  return jsonAnswer(status, status === 405 ? { error: message } : { message }, headers);
}

/** Plain text, like GitLab's front end. If the time is unknown, no header says how long to wait. */
function tooManyRequests(retryAfterSeconds: number | undefined): ToolAnswer {
  const retry: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { status: 429, headers: { 'content-type': 'text/plain', ...retry }, body: Buffer.from('Retry later\n') };
}

function withRate(answer: ToolAnswer, rate: Rate | undefined): ToolAnswer {
  if (!rate) return answer;
  const headers = {
    ...answer.headers,
    'ratelimit-limit': String(rate.limit),
    'ratelimit-name': 'throttle_authenticated_api',
    'ratelimit-observed': String(rate.used),
    'ratelimit-remaining': String(rate.remaining),
    'ratelimit-reset': String(Math.ceil(rate.resetMs / 1000)),
    'ratelimit-resettime': new Date(rate.resetMs).toUTCString(),
  };
  return { ...answer, headers };
}
