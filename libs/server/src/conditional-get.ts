import { createHash } from 'node:crypto';
import { headerNames } from '@shiplog/contract';
import type { Answer } from './route.ts';

/** A weak validator of the content: the same on every instance and after a restart (reading 4.4). */
export function weakEtag(...content: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${Buffer.byteLength(part)}\n`).update(part);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** `If-None-Match` as RFC 9110 defines it: a list or `*`, compared weakly. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return etagsOf(ifNoneMatch).includes(etag.replace(/^W\//, ''));
}

function etagsOf(ifNoneMatch: string): string[] {
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).map((etag) => etag.replace(/^W\//, ''));
}

/** The state that responses are computed from. While its tick is unchanged, every response is unchanged. */
interface AnswerState {
  readonly tick: string;
  /** Headers sent with every response, including a 304. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Content {
  /** The content that the ETag covers: the body without its creation time. */
  readonly content: readonly string[];
  readonly json: string;
}

export interface ComputedAnswer extends AnswerState, Content {}

export interface ConditionalRequest {
  readonly ifNoneMatch: string | undefined;
  /** Identifies the response. */
  readonly key: string;
  /** Returns the current state. Called only if the client has the latest known response. */
  readonly state: () => Promise<AnswerState>;
  readonly compute: () => Promise<ComputedAnswer>;
}

const knownMax = 1000;

/**
 * Handles GET requests with `If-None-Match`. It stores the ETag and state of each response, so a 304 needs only one
 * read of the state. It doesn't cache response bodies.
 */
export class ConditionalGet {
  readonly #known = new Map<string, { readonly tick: string; readonly etag: string }>();

  async answer({ ifNoneMatch, key, state, compute }: ConditionalRequest): Promise<Answer> {
    const known = this.#known.get(key);
    if (known && etagMatches(ifNoneMatch, known.etag)) {
      const { tick, headers } = await state();
      if (tick === known.tick) return { status: 304, headers: cacheHeaders(known.etag, headers) };
    }
    const { tick, headers, content, json } = await compute();
    const etag = weakEtag(...content);
    this.#remember(key, { tick, etag });
    return validatedAnswer(ifNoneMatch, { etag, json }, headers);
  }

  /** The oldest entry is evicted first. */
  #remember(key: string, known: { readonly tick: string; readonly etag: string }): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownMax && oldest !== undefined) this.#known.delete(oldest);
  }
}

export function conditionalAnswer(ifNoneMatch: string | undefined, { content, json }: Content): Answer {
  return validatedAnswer(ifNoneMatch, { etag: weakEtag(...content), json });
}

/** Responds with an object whose text is its own validator. */
export function conditionalJson(
  headers: { readonly [Name in typeof headerNames.ifNoneMatch]?: string },
  body: object,
): Answer {
  const json = JSON.stringify(body);
  return conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [json], json });
}

/** Responds with a known validator. `json` is `null` if the client already has the response. */
export function validatedAnswer(
  ifNoneMatch: string | undefined,
  { etag, json }: { readonly etag: string; readonly json: string | null },
  headers?: AnswerState['headers'],
): Answer {
  const isKnown = json === null || etagMatches(ifNoneMatch, etag);
  return { headers: cacheHeaders(etag, headers), ...(isKnown ? { status: 304 } : { status: 200, json }) };
}

function cacheHeaders(etag: string, headers: AnswerState['headers'] = {}): Readonly<Record<string, string>> {
  return { [headerNames.etag]: etag, 'Cache-Control': 'no-cache', ...headers };
}
