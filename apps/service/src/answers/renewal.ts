import type { Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import { listRequested, type RequestedAnswer, renewLockKey } from '../db/cached-answers.ts';
import type { Sessions } from '../db/database.ts';
import { asOnlyOne } from '../db/only-one.ts';
import type { CachedAnswers, Question } from './cached-answers.ts';

export interface RenewalOptions {
  readonly writes: Sessions;
  readonly answers: CachedAnswers;
  /** Rebuilds a question from its text; `undefined` if this version does not know it. */
  readonly questionOf: (text: string) => Question | undefined;
  /** How often to check whether a window has moved on. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** The pause after a computation is this many times as long. */
const pauseFactor = 2;

/**
 * Recomputes answers that were requested in the last day when their window moves on, so that the first request after
 * midnight does not wait. One answer at a time, on one instance, with pauses.
 */
export class Renewal implements Stoppable {
  readonly #options: RenewalOptions;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #endPause: (() => void) | undefined;
  #stopped = false;
  /** Attempts that failed and are not repeated; a request for the answer reports the error. */
  readonly #failed = new Set<string>();

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#working = this.#work()
        .catch((error) => this.#options.logger.debug({ err: error }, 'answers could not be computed in advance'))
        .finally(() => {
          if (!this.#stopped) this.start();
        });
    }, this.#options.everyMs);
  }

  /** Resolves when the running computation has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#endPause?.();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { writes } = this.#options;
    await writes.session((session) =>
      asOnlyOne(session, renewLockKey, async () => {
        const all = await listRequested(session);
        if (this.#failed.size > all.length) this.#failed.clear();
        for (const asked of all) {
          if (this.#stopped) return;
          await this.#renew(asked);
        }
      }),
    );
  }

  async #renew({ digest, question: text, resolved, ...moment }: RequestedAnswer): Promise<void> {
    const { answers, questionOf, logger } = this.#options;
    const question = questionOf(text);
    if (!question || answers.cachedQuestion(question).digest !== digest) return;
    const meant = meaningOf(question, moment);
    const attempt = `${digest} ${meant?.text}`;
    if (!meant || meant.text === resolved || this.#failed.has(attempt)) return;
    const startedAt = performance.now();
    await answers.renew(question, meant).catch((error) => {
      this.#failed.add(attempt);
      logger.debug({ err: error }, 'an answer could not be computed in advance');
    });
    await this.#pause((performance.now() - startedAt) * pauseFactor);
  }

  #pause(ms: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** `undefined` for a period that is entirely older than the retention. */
function meaningOf(question: Question, moment: Pick<RequestedAnswer, 'now' | 'begin'>) {
  try {
    return question.resolve(moment);
  } catch {
    return undefined;
  }
}
