import { createHash } from 'node:crypto';
import { headerNames } from '@shiplog/contract';
import type { Answer } from './route.ts';

/** A weak validator over the content: equal on every instance and after a restart (reading 4.4). */
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

/** The validators that a header lists, without their weakness. */
function etagsOf(ifNoneMatch: string): string[] {
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).map((etag) => etag.replace(/^W\//, ''));
}

/** The weak validators that a header lists: a client that sent one of them has the content. */
export function weakEtagsOf(ifNoneMatch: string | undefined): string[] {
  return ifNoneMatch === undefined ? [] : etagsOf(ifNoneMatch).map((etag) => `W/${etag}`);
}

/** A state that answers are computed from: while its tick is the same, so is every answer. */
export interface AnswerState {
  readonly tick: string;
  /** Sent with the answer, also where it is 304. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Content {
  /** What the ETag is made of: all of the body that is not the moment of its making. */
  readonly content: readonly string[];
  readonly json: string;
}

export interface ComputedAnswer extends AnswerState, Content {}

export interface ConditionalRequest {
  readonly ifNoneMatch: string | undefined;
  /** Which answer is asked for. */
  readonly key: string;
  /** The state as it is; asked for only where the client has the latest answer that is known. */
  readonly state: () => Promise<AnswerState>;
  readonly compute: () => Promise<ComputedAnswer>;
}

const knownMax = 1000;

/**
 * Answers GETs with `If-None-Match`. It remembers which ETag an answer had in which state, so that a client that has the
 * answer gets its 304 for one look at the state. This is no cache of answers: an instance that remembers nothing
 * computes the answer and comes to the same ETag.
 */
export class ConditionalGet {
  readonly #known = new Map<string, { readonly tick: string; readonly etag: string }>();

  async answer({ ifNoneMatch, key, state, compute }: ConditionalRequest): Promise<Answer> {
    const known = this.#known.get(key);
    if (known && etagMatches(ifNoneMatch, known.etag)) {
      const { tick, headers } = await state();
      if (tick === known.tick) return { status: 304, headers: cacheHeaders(known.etag, headers) };
    }
    const { tick, headers, ...content } = await compute();
    const { etag, answer } = conditional(ifNoneMatch, content, headers);
    this.#remember(key, { tick, etag });
    return answer;
  }

  /** The answer that was computed longest ago is forgotten first. */
  #remember(key: string, known: { readonly tick: string; readonly etag: string }): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownMax && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Answers one GET with `If-None-Match`, from an answer that is there already. */
export function conditionalAnswer(ifNoneMatch: string | undefined, content: Content): Answer {
  return conditional(ifNoneMatch, content).answer;
}

/** The same where the validator is known; `json` is `null` where it is known, too, that the client has the answer. */
export function validatedAnswer(
  ifNoneMatch: string | undefined,
  { etag, json }: { readonly etag: string; readonly json: string | null },
): Answer {
  const isKnown = json === null || etagMatches(ifNoneMatch, etag);
  return { headers: cacheHeaders(etag), ...(isKnown ? { status: 304 } : { status: 200, json }) };
}

function conditional(ifNoneMatch: string | undefined, { content, json }: Content, headers?: AnswerState['headers']) {
  const etag = weakEtag(...content);
  const answer = { headers: cacheHeaders(etag, headers) };
  const isKnown = etagMatches(ifNoneMatch, etag);
  return { etag, answer: isKnown ? { ...answer, status: 304 } : { ...answer, status: 200, json } };
}

function cacheHeaders(etag: string, headers: AnswerState['headers'] = {}): Readonly<Record<string, string>> {
  return { [headerNames.etag]: etag, 'Cache-Control': 'no-cache', ...headers };
}
