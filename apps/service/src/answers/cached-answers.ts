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

/** What a question means at a moment. */
export interface Resolved {
  /** All that the moment decides, as text: the same text, the same meaning. */
  readonly text: string;
  /** The span that the answer is about, RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** Computes the answer, in one snapshot. */
  compute(queries: Queries): Promise<Computed>;
}

export interface Computed {
  readonly json: string;
  /** See `kept_answers.loose_ends`; absent where nothing depends on ancestors. */
  readonly looseEnds?: readonly string[] | null;
}

/** A question as it was put: what its answer depends on, and what it means. */
export interface Question {
  /** With the name and all parameters; `text` is JSON, from which the same question can be put again. */
  readonly text: string;
  readonly dependence: Dependence;
  readonly scope: Scope | undefined;
  /** One of the windows that everyone looks at: a connection is kept free for it. */
  readonly isStandard: boolean;
  /**
   * @param moment the time in milliseconds since 1970, and when the oldest row of the log happened.
   * @throws Problem for a question that makes no sense at this moment.
   */
  resolve(moment: Pick<Lookup, 'now' | 'begin'>): Resolved;
}

export interface AnswersOptions {
  /** Quick reads: whether an answer is kept and true. */
  readonly queries: Queries;
  /** For what computes, which may take its time. */
  readonly analytics: Sessions;
  /** Those of them for questions that aren't standard. */
  readonly questions: Sessions;
  /** Where standbys may compute in the primary's place. */
  readonly reads: Pick<LogReads, 'hasStandbys' | 'onStandby'>;
  /** The settings that answers depend on, and the version of the product. */
  readonly settings: unknown;
  /** How long an instance waits for another one's computation. */
  readonly waitMs: number;
  readonly logger: Logger;
}

interface Made {
  readonly etag: string;
  readonly json: string | null;
}

/** A larger answer is computed each time. */
const answerCharactersMax = 262_144;

/**
 * Answers that are computed once for all instances and kept in the database for as long as they are true. Of those who
 * ask for the same, one computes; the others wait and look again.
 */
export class CachedAnswers implements Stoppable {
  readonly #options: AnswersOptions;
  readonly #flights = new Flights<Made>();
  readonly #noting = new Map<string, Promise<void>>();
  /** Rows had come since the answer that was found last: so it is likely for the next one. */
  #isLogMoving = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /**
   * Answers one GET with `If-None-Match`.
   * @param admit lets a computation begin, or rejects; asked only where nothing is kept.
   */
  async answer(
    question: Question,
    ifNoneMatch: string | undefined,
    admit: <Result>(compute: () => Promise<Result>) => Promise<Result> = (compute) => compute(),
  ): Promise<Answer> {
    const asked = this.cachedQuestion(question);
    const look = await findAnswer(this.#options.queries, asked, weakEtagsOf(ifNoneMatch), this.#isLogMoving);
    if (look.found) this.#isLogMoving = look.found.isPassed;
    const resolved = question.resolve(look);
    const found = trueAnswer(look, resolved);
    if (found && look.found?.isBehind) this.#note(asked, look);
    const compute = () => this.#compute(question, asked, resolved, true);
    return validatedAnswer(ifNoneMatch, found ?? (await admit(compute)));
  }

  /** Computes what was asked before, unless its answer is true still. */
  async renew(question: Question, resolved: Resolved): Promise<void> {
    await this.#compute(question, this.cachedQuestion(question), resolved, false);
  }

  cachedQuestion({ text, dependence, scope }: Question): CachedQuestion {
    const hash = createHash('sha256').update(JSON.stringify([this.#options.settings, text]));
    return { digest: hash.digest('base64url'), text, dependence, scope };
  }

  /** Resolves when all that was begun is kept. */
  async stop(): Promise<void> {
    await this.#flights.settled();
    await Promise.all(this.#noting.values());
  }

  #compute(question: Question, asked: CachedQuestion, resolved: Resolved, isAsked: boolean): Promise<Made> {
    return this.#flights.run(asked.digest, (isFirst) =>
      this.#fly({ question, asked, resolved, isAsked, isFirst: isFirst && isAsked }),
    );
  }

  /** The result is there when it is computed, the flight is over when it is kept. */
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
    const { question, asked, isFirst } = computation;
    const atOnce = isFirst && (await this.#snapshot(session, { ...computation, isPatient: false }, made));
    if (!atOnce) {
      await waitForQuestion(session, asked.digest, this.#options.waitMs);
      const look = await findAnswer(session, asked, [], true);
      const now = question.resolve(look);
      const found = trueAnswer(look, now);
      if (found) made(found);
      else await this.#snapshot(session, { ...computation, resolved: now, isPatient: true }, made);
    }
    await unlockQuestion(session);
  }

  /** Computes and keeps; does neither, and says so, where another instance computes and it has not been waited for. */
  async #snapshot(session: Session, computation: Attempt, made: (made: Made) => void): Promise<boolean> {
    const read = await this.#read(session, computation);
    if (!read) return false;
    const { asked, resolved, isAsked } = computation;
    const { json, looseEnds = null } = read.result;
    const etag = weakEtag(json);
    made({ etag, json });
    const computed = { state: read.state, looseEnds, etag, answer: json };
    if (computed.answer.length <= answerCharactersMax) {
      const { text, from, to } = resolved;
      await storeAnswer(session, { question: asked, resolved: text, from, to, isAsked, ...computed }).catch((error) =>
        this.#options.logger.debug({ err: error }, 'an answer could not be cached'),
      );
    }
    return true;
  }

  /** The lock of the question is on the primary, wherever is computed: that one all instances know. */
  async #read(session: Session, { asked, resolved, isPatient }: Attempt): Promise<LogRead<Computed> | undefined> {
    const { reads } = this.#options;
    if (reads.hasStandbys) {
      const { isLocked, state } = await tryQuestion(session, asked.digest);
      if (!isLocked && !isPatient) return undefined;
      const read = await reads.onStandby('long', state, (queries) => resolved.compute(queries));
      if (read) return read;
    }
    return session.snapshot(async (queries) => {
      const { isLocked, state } = await tryQuestion(queries, asked.digest);
      if (!isLocked && !isPatient) return undefined;
      return { state, result: await resolved.compute(queries) };
    });
  }

  /** Nobody waits for the note, and a lost one costs only time. */
  #note({ digest }: CachedQuestion, look: Lookup): void {
    if (this.#noting.has(digest)) return;
    const noting = noteTrue(this.#options.queries, digest, look)
      .catch((error) => this.#options.logger.debug({ err: error }, 'a cached answer could not be marked as current'))
      .finally(() => this.#noting.delete(digest));
    this.#noting.set(digest, noting);
  }
}

interface Computation {
  readonly question: Question;
  readonly asked: CachedQuestion;
  readonly resolved: Resolved;
  readonly isAsked: boolean;
  /** Nobody computed the same right before. */
  readonly isFirst: boolean;
}

interface Attempt extends Computation {
  /** It has been waited for whoever else computes. */
  readonly isPatient: boolean;
}

function trueAnswer({ found }: Lookup, resolved: Resolved): Made | undefined {
  if (!found?.isTrue || found.resolved !== resolved.text) return undefined;
  return { etag: found.etag, json: found.answer };
}
