import { createHash } from 'node:crypto';
import { type Answer, type Stoppable, validatedAnswer, weakEtag, weakEtagsOf } from '@shiplog/server';
import type { Logger } from 'pino';
import type { Dependence } from '../db/analytics/touched.ts';
import {
  type CachedQuestion,
  findAnswer,
  type Lookup,
  noteTrue,
  storeAnswer,
  tryQuestion,
  unlockQuestion,
  waitForQuestion,
} from '../db/cached-answers.ts';
import type { Queries, Session, Sessions } from '../db/database.ts';
import type { LogReads } from '../db/log-reads.ts';
import type { LogRead } from '../db/standby.ts';
import type { Scope } from '../domain/scope.ts';
import { type Flight, Flights } from './flights.ts';

/** What a question means at one moment. */
export interface Resolved {
  /** Everything that depends on the moment. */
  readonly text: string;
  /** The time span of the answer, RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** Computes the answer, in one snapshot. */
  compute(queries: Queries): Promise<Computed>;
}

export interface Computed {
  readonly json: string;
  /** See `kept_answers.loose_ends`; absent if nothing depends on ancestors. */
  readonly looseEnds?: readonly string[] | null;
}

export interface Question {
  /** The name and all parameters as JSON, from which the question can be rebuilt. */
  readonly text: string;
  readonly dependence: Dependence;
  readonly scope: Scope | undefined;
  /** A connection is reserved for the standard windows. */
  readonly isStandard: boolean;
  /**
   * @param moment the time in milliseconds since 1970, and when the oldest row of the log happened.
   * @throws Problem for a question that makes no sense at this moment.
   */
  resolve(moment: Pick<Lookup, 'now' | 'begin'>): Resolved;
}

interface AnswersOptions {
  /** For quick reads: whether a cached answer is current. */
  readonly queries: Queries;
  /** For computations, which may be slow. */
  readonly analytics: Sessions;
  /** The share of `slow` for questions outside the standard windows. */
  readonly questions: Sessions;
  /** Standbys that may compute instead of the primary. */
  readonly reads: Pick<LogReads, 'hasStandbys' | 'onStandby'>;
  /** The settings that answers depend on, and the product version. */
  readonly settings: unknown;
  /** How long to wait for another instance's computation. */
  readonly waitMs: number;
  readonly logger: Logger;
}

interface Made {
  readonly etag: string;
  readonly json: string | null;
}

/** Larger answers are not cached. */
const answerCharactersMax = 262_144;

/** Answers that are computed once for all instances and cached in the database while they are current. */
export class CachedAnswers implements Stoppable {
  readonly #options: AnswersOptions;
  readonly #flights = new Flights<Made>();
  readonly #noting = new Map<string, Promise<void>>();
  /** New rows had arrived since the last cached answer, so the next check is likely to find new rows too. */
  #isLogMoving = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /**
   * Answers one GET with `If-None-Match`.
   * @param admit lets a computation start, or rejects; called only if no current answer is cached.
   */
  async answer(
    question: Question,
    ifNoneMatch: string | undefined,
    admit: <Result>(compute: () => Promise<Result>) => Promise<Result> = (compute) => compute(),
  ): Promise<Answer> {
    const cacheKey = this.cachedQuestion(question);
    const lookup = await findAnswer(this.#options.queries, cacheKey, weakEtagsOf(ifNoneMatch), this.#isLogMoving);
    if (lookup.found) this.#isLogMoving = lookup.found.isPassed;
    const resolved = question.resolve(lookup);
    const found = trueAnswer(lookup, resolved);
    if (found && lookup.found?.isBehind) this.#note(cacheKey, lookup);
    const compute = () => this.#compute(question, cacheKey, resolved, true);
    return validatedAnswer(ifNoneMatch, found ?? (await admit(compute)));
  }

  /** Recomputes a question that was requested before, unless its answer is still current. */
  async renew(question: Question, resolved: Resolved): Promise<void> {
    await this.#compute(question, this.cachedQuestion(question), resolved, false);
  }

  cachedQuestion({ text, dependence, scope }: Question): CachedQuestion {
    const hash = createHash('sha256').update(JSON.stringify([this.#options.settings, text]));
    return { digest: hash.digest('base64url'), text, dependence, scope };
  }

  /** Resolves when all running computations are stored. */
  async stop(): Promise<void> {
    await this.#flights.settled();
    await Promise.all(this.#noting.values());
  }

  #compute(question: Question, cacheKey: CachedQuestion, resolved: Resolved, isAsked: boolean): Promise<Made> {
    return this.#flights.run(cacheKey.digest, (isFirst) =>
      this.#fly({ question, cacheKey, resolved, isAsked, isFirst: isFirst && isAsked }),
    );
  }

  /** The result is available once computed; the flight is over once it is stored. */
  #fly(flight: Computation): Flight<Made> {
    let over: Promise<void> = Promise.resolve();
    const result = new Promise<Made>((resolve, reject) => {
      const { analytics, questions } = this.#options;
      const sessions = flight.question.isStandard ? analytics : questions;
      over = sessions.session((session) => this.#computeIn(session, flight, resolve)).catch(reject);
    });
    return { result, over };
  }

  async #computeIn(session: Session, computation: Computation, made: (made: Made) => void): Promise<void> {
    const { question, cacheKey, isFirst } = computation;
    const atOnce = isFirst && (await this.#snapshot(session, { ...computation, isPatient: false }, made));
    if (!atOnce) {
      await waitForQuestion(session, cacheKey.digest, this.#options.waitMs);
      const lookup = await findAnswer(session, cacheKey, [], true);
      const now = question.resolve(lookup);
      const found = trueAnswer(lookup, now);
      if (found) made(found);
      else await this.#snapshot(session, { ...computation, resolved: now, isPatient: true }, made);
    }
    await unlockQuestion(session);
  }

  /** Computes and stores an answer; returns false if another instance is computing it and was not waited for. */
  async #snapshot(session: Session, computation: Attempt, made: (made: Made) => void): Promise<boolean> {
    const read = await this.#read(session, computation);
    if (!read) return false;
    const { cacheKey, resolved, isAsked } = computation;
    const { json, looseEnds = null } = read.result;
    const etag = weakEtag(json);
    made({ etag, json });
    const computed = { state: read.state, looseEnds, etag, answer: json };
    if (computed.answer.length <= answerCharactersMax) {
      const { text, from, to } = resolved;
      await storeAnswer(session, { question: cacheKey, resolved: text, from, to, isAsked, ...computed }).catch(
        (error) => this.#options.logger.debug({ err: error }, 'an answer could not be cached'),
      );
    }
    return true;
  }

  /** The lock is always taken on the primary, wherever the answer is computed. */
  async #read(session: Session, { cacheKey, resolved, isPatient }: Attempt): Promise<LogRead<Computed> | undefined> {
    const { reads } = this.#options;
    if (reads.hasStandbys) {
      const { isLocked, state } = await tryQuestion(session, cacheKey.digest);
      if (!isLocked && !isPatient) return undefined;
      const read = await reads.onStandby('long', state, (queries) => resolved.compute(queries));
      if (read) return read;
    }
    return session.snapshot(async (queries) => {
      const { isLocked, state } = await tryQuestion(queries, cacheKey.digest);
      if (!isLocked && !isPatient) return undefined;
      return { state, result: await resolved.compute(queries) };
    });
  }

  /** Not awaited, because losing this update only costs time. */
  #note({ digest }: CachedQuestion, lookup: Lookup): void {
    if (this.#noting.has(digest)) return;
    const noting = noteTrue(this.#options.queries, digest, lookup)
      .catch((error) => this.#options.logger.debug({ err: error }, 'a cached answer could not be marked as current'))
      .finally(() => this.#noting.delete(digest));
    this.#noting.set(digest, noting);
  }
}

interface Computation {
  readonly question: Question;
  readonly cacheKey: CachedQuestion;
  readonly resolved: Resolved;
  readonly isAsked: boolean;
  /** Whether this instance has not just computed the same question. */
  readonly isFirst: boolean;
}

interface Attempt extends Computation {
  /** The wait for other computations is over. */
  readonly isPatient: boolean;
}

function trueAnswer({ found }: Lookup, resolved: Resolved): Made | undefined {
  if (!found?.isTrue || found.resolved !== resolved.text) return undefined;
  return { etag: found.etag, json: found.answer };
}
