import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { guardedLookup, isInner, type LookupGuard, type Resolve, systemResolve } from '@shiplog/component';
import { headerNames, productVersion } from '@shiplog/contract';
import { type AllowedHosts, isAllowed, portOf } from './allowed-hosts.ts';

const innerGuard: LookupGuard = {
  isRefused: isInner,
  refusal: (name) => `${name} resolves to an address inside the network; add it to allow_hosts if this is intended`,
};

export interface SenderOptions {
  readonly allowed: AllowedHosts;
  readonly now: () => Date;
  /** An attempt is abandoned if no data arrives for this long. */
  readonly silentMs?: number;
  readonly resolve?: Resolve;
}

export interface SendRequest {
  readonly url: string;
  readonly method?: 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal: AbortSignal;
}

export interface SendAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
}

const defaultSilentMs = 10_000;
/** Limits the total time, because a response may arrive slowly. */
const silencesMax = 6;
const answerBytesMax = 64 * 1024;

/** Sends requests to allowed addresses only, without following redirects, each on a separate connection. */
export class Sender {
  readonly allowed: AllowedHosts;
  readonly silentMs: number;
  readonly #now: () => Date;
  readonly #resolve: Resolve;

  constructor({ allowed, now, silentMs = defaultSilentMs, resolve = systemResolve }: SenderOptions) {
    this.allowed = allowed;
    this.silentMs = silentMs;
    this.#now = now;
    this.#resolve = resolve;
  }

  now(): Date {
    return this.#now();
  }

  /** The lookup for a connection to a host; `undefined` if the host is allowed at any address. */
  lookupFor(hostname: string, port: string | number): LookupFunction | undefined {
    return isAllowed(this.allowed, hostname, port) ? undefined : guardedLookup(this.#resolve, innerGuard);
  }

  /** Returns the response, whatever its status. @throws NotSent without a response. */
  send({ url, method = 'POST', headers = {}, body, signal }: SendRequest): Promise<SendAnswer> {
    const target = new URL(url);
    const lookup = this.lookupFor(target.hostname, portOf(target));
    const attempt = new AbortController();
    const giveUp = () => attempt.abort(new NotSent(`no answer from ${target.host} within ${this.silentMs / 1000} s`));
    let silence = setTimeout(giveUp, this.silentMs);
    const restartTimer = () => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, this.silentMs);
    };
    const whole = setTimeout(giveUp, this.silentMs * silencesMax);
    const stop = () => attempt.abort(new NotSent('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    return new Promise<SendAnswer>((resolve, reject) => {
      const fail = (error: unknown) =>
        reject(attempt.signal.aborted ? attempt.signal.reason : away(error, target.host));
      const request: ClientRequest = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
        ...{ method, agent: false, signal: attempt.signal },
        ...(lookup && { lookup }),
        headers: {
          'content-type': 'application/json',
          'user-agent': `shiplog-relay/${productVersion}`,
          ...headers,
          'content-length': Buffer.byteLength(body),
        },
      });
      request.on('error', fail);
      request.on('response', (response) => {
        restartTimer();
        answerOf(response, restartTimer, this.#now()).then(resolve, fail);
      });
      request.end(body);
    }).finally(() => {
      clearTimeout(silence);
      clearTimeout(whole);
      signal.removeEventListener('abort', stop);
      attempt.abort();
    });
  }

  /** Returns a 2xx response. @throws NotSent for any other response (relay §9.10) */
  async post(request: SendRequest): Promise<SendAnswer> {
    const answer = await this.send(request);
    judge(answer);
    return answer;
  }
}

export function judge({ status, retryAfterMs }: SendAnswer): void {
  if (status >= 200 && status < 300) return;
  const sentence = `it answered ${status}`;
  if ([400, 413, 422].includes(status)) throw new NotSent(sentence, 'dropped');
  if (status === 401 || status === 403) throw new NotSent(sentence, 'auth_failed', retryAfterMs);
  throw new NotSent(sentence, status === 429 ? 'rate_limited' : 'error', retryAfterMs);
}

async function answerOf(response: IncomingMessage, restartTimer: () => void, now: Date): Promise<SendAnswer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    restartTimer();
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > answerBytesMax) break;
  }
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(pieces).toString('utf8'),
    retryAfterMs: retryAfterMsOf(response.headers[headerNames.retryAfter.toLowerCase()], now),
  };
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMsOf(value: string | string[] | undefined, now: Date): number | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : undefined;
}

/** Node's messages may contain addresses whose paths are secrets, so only the error code is shown. */
function away(error: unknown, host: string): NotSent {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EINNER') return new NotSent(message);
  return new NotSent(`can't reach ${host} (${code ?? 'connection closed'})`);
}

/** `dropped`: the target will never accept this message; any other outcome is retried. */
type NotSentOutcome = 'dropped' | 'auth_failed' | 'rate_limited' | 'error';

/**
 * A target did not accept a message. The error text contains neither the content nor addresses, because both may be
 * secret.
 */
export class NotSent extends Error {
  readonly outcome: NotSentOutcome;
  /** How long the target asks the relay to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(sentence: string, outcome: NotSentOutcome = 'error', retryAfterMs?: number) {
    super(sentence);
    this.outcome = outcome;
    this.retryAfterMs = retryAfterMs;
  }
}
