import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { rootCertificates } from 'node:tls';
import { type Issuer, isSafeUrl } from '@shiplog/access';
import { type Problem, unavailable } from '@shiplog/server';
import type { JWK } from 'jose';
import type { Logger } from 'pino';
import type { IssuerTimes } from '../times.ts';

interface IssuerKeysOptions {
  readonly issuer: Issuer;
  readonly times: IssuerTimes;
  readonly logger: Logger;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface KeySet {
  readonly keys: readonly JWK[];
  readonly fetchedAt: number;
}

/** The maximum size of a response from an issuer (access.md 9.11). */
export const answerBytesMax = 256 * 1024;
const second = 1000;

/**
 * The signing keys of one issuer (access.md 3.3, 9.13), from its discovery document. The last good set is kept while the
 * issuer is unreachable.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #now: () => number;
  #set: KeySet | undefined;
  #fetching: Promise<KeySet> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #unknownAt = Number.NEGATIVE_INFINITY;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * The keys with this id, or all keys if it is `undefined`; empty if the issuer has no such key.
   * @throws Problem 503 if that can't be known now.
   */
  async candidates(kid: string | undefined): Promise<readonly JWK[]> {
    const { issuer, times } = this.#options;
    if (issuer.jwksFile !== undefined) return withId(await this.#fromFile(), kid);
    const { unknownKeyMs, keysRefreshMs } = times;
    const had = this.#kept();
    const set = had ?? (await this.#first());
    const found = withId(set, kid);
    if (had && this.#now() - had.fetchedAt > keysRefreshMs) this.#refresh();
    if (found.length > 0 || !had || kid === undefined) return found;
    const waitMs = this.#unknownAt + unknownKeyMs - this.#now();
    if (waitMs > 0 && !this.#fetching) throw keysUnavailable(issuer, waitMs);
    if (!this.#fetching) this.#unknownAt = this.#now();
    return withId(await this.#fetched(unknownKeyMs), kid);
  }

  /** A file is read again after a second; the last valid version is kept. */
  async #fromFile(): Promise<KeySet> {
    const had = this.#set;
    if (had && this.#now() - had.fetchedAt < second) return had;
    const read = await this.#fetch().catch(() => had);
    if (!read) throw keysUnavailable(this.#options.issuer, second);
    return read;
  }

  #kept(): KeySet | undefined {
    const { keysKeptMs } = this.#options.times;
    if (this.#set && this.#now() - this.#set.fetchedAt > keysKeptMs) this.#set = undefined;
    return this.#set;
  }

  #first(): Promise<KeySet> {
    const { keysRetryMs } = this.#options.times;
    const waitMs = this.#failedAt + keysRetryMs - this.#now();
    if (waitMs > 0) throw keysUnavailable(this.#options.issuer, waitMs);
    return this.#fetched(keysRetryMs);
  }

  #refresh(): void {
    if (this.#now() - this.#failedAt < this.#options.times.unknownKeyMs) return;
    this.#fetch().catch(() => undefined);
  }

  /** @throws Problem 503 if there is no response in time. The fetch continues, and later callers get its result. */
  async #fetched(retryMs: number): Promise<KeySet> {
    const { issuer, times } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(keysUnavailable(issuer, second)), times.keysWaitMs);
    });
    try {
      return await Promise.race([this.#fetch().catch(() => Promise.reject(keysUnavailable(issuer, retryMs))), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #fetch(): Promise<KeySet> {
    this.#fetching ??= this.#load().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #load(): Promise<KeySet> {
    const { issuer, logger } = this.#options;
    try {
      const keys = await keysOf(issuer);
      this.#set = { keys, fetchedAt: this.#now() };
      return this.#set;
    } catch (error) {
      this.#failedAt = this.#now();
      logger.warn(`The keys of the issuer ${issuer.name} could not be fetched: ${(error as Error).message}`);
      throw error;
    }
  }
}

function withId({ keys }: KeySet, kid: string | undefined): readonly JWK[] {
  return kid === undefined ? keys : keys.filter((key) => key.kid === kid);
}

function keysUnavailable({ name }: Issuer, waitMs: number): Problem {
  const seconds = Math.min(30, Math.max(1, Math.ceil(waitMs / second)));
  return unavailable(`The keys of the issuer ${name} can't be fetched now. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}

/** From its file if the access file names one. */
export async function keysOf({ url, caFile, jwksFile }: Issuer): Promise<readonly JWK[]> {
  if (jwksFile !== undefined) return parseKeys(jsonIn(await readFile(jwksFile, 'utf8')));
  const ca = caFile === undefined ? undefined : [...rootCertificates, await readFile(caFile, 'utf8')];
  const discovery = await fetchJson(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`, ca);
  const { issuer, jwks_uri: uri } = discovery as { issuer?: unknown; jwks_uri?: unknown };
  if (issuer !== url) throw new Error(`its discovery document names the issuer ${JSON.stringify(issuer ?? null)}`);
  if (typeof uri !== 'string') throw new Error('its discovery document has no jwks_uri');
  return parseKeys(await fetchJson(uri, ca));
}

/** An error that quotes nothing: a wrong file may hold a secret. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not valid JSON');
  }
}

/** @throws Error if this isn't a JSON Web Key Set. */
function parseKeys(set: unknown): readonly JWK[] {
  const { keys } = (typeof set === 'object' && set !== null ? set : {}) as { keys?: unknown };
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'object' || key === null)) {
    throw new Error('it is not a JSON Web Key Set (an object with "keys", a list of objects)');
  }
  return keys as JWK[];
}

const fetchMs = 30_000;

/** Follows no redirects. */
async function fetchJson(address: string, ca: string[] | undefined): Promise<unknown> {
  if (!URL.canParse(address)) throw new Error('an address in its discovery document is not a URL');
  const url = new URL(address);
  if (!isSafeUrl(address)) throw new Error(`${url.origin} is not https`);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(fetchMs);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { signal, agent: false, headers: { accept: 'application/json' }, ...(ca && { ca }) });
    sent.on('response', resolve).on('error', reject).end();
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > answerBytesMax) throw new Error(`${url.origin} sent more than ${answerBytesMax / 1024} KiB`);
    pieces.push(piece);
  }
  if (answer.statusCode !== 200) throw new Error(`${url.origin}${url.pathname} answered ${answer.statusCode}`);
  return jsonIn(Buffer.concat(pieces).toString('utf8'));
}
