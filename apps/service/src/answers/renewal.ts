import type { Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';
import type { Logger } from 'pino';
import { listRequested, type RequestedAnswer, renewLockKey } from '../db/cached-answers.ts';
import type { Sessions } from '../db/database.ts';
import { asOnlyOne } from '../db/only-one.ts';
import type { CachedAnswers, Question } from './cached-answers.ts';

interface RenewalOptions {
  readonly writes: Sessions;
  readonly answers: CachedAnswers;
  /** Rebuilds a question from its text; `undefined` if this version does not know it. */
  readonly questionOf: (text: string) => Question | undefined;
  /** How often to check whether a window has moved on. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** The pause after a computation is this multiple of its duration. */
const pauseFactor = 2;

/**
 * Recomputes answers that were requested in the last day when their window moves on, so that the first request after
 * midnight does not wait. One answer at a time, on one instance, with pauses.
 */
export class Renewal implements Stoppable {
  readonly #options: RenewalOptions;
  readonly #stopping = new AbortController();
  #working: Promise<void> | undefined;
  /** Failed computations. They are not retried, because a request for the answer reports the error. */
  readonly #failed = new Set<string>();

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  start(): void {
    this.#working = this.#repeat();
  }

  /** Resolves when the running computation has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #repeat(): Promise<void> {
    const { everyMs, logger } = this.#options;
    const { signal } = this.#stopping;
    for (await pause(everyMs, signal); !signal.aborted; await pause(everyMs, signal)) {
      await this.#work().catch((error) => logger.debug({ err: error }, 'answers could not be computed in advance'));
    }
  }

  async #work(): Promise<void> {
    const { writes } = this.#options;
    await writes.session((session) =>
      asOnlyOne(session, renewLockKey, async () => {
        const all = await listRequested(session);
        if (this.#failed.size > all.length) this.#failed.clear();
        for (const requested of all) {
          if (this.#stopping.signal.aborted) return;
          await this.#renew(requested);
        }
      }),
    );
  }

  async #renew({ digest, question: text, resolved, ...moment }: RequestedAnswer): Promise<void> {
    const { answers, questionOf, logger } = this.#options;
    const question = questionOf(text);
    if (!question || answers.cachedQuestion(question).digest !== digest) return;
    const current = resolvedAt(question, moment);
    const attempt = `${digest} ${current?.text}`;
    if (!current || current.text === resolved || this.#failed.has(attempt)) return;
    const startedAt = performance.now();
    await answers.renew(question, current).catch((error) => {
      this.#failed.add(attempt);
      logger.debug({ err: error }, 'an answer could not be computed in advance');
    });
    await pause((performance.now() - startedAt) * pauseFactor, this.#stopping.signal);
  }
}

/** `undefined` for a period that is entirely older than the retention. */
function resolvedAt(question: Question, moment: Pick<RequestedAnswer, 'now' | 'begin'>) {
  try {
    return question.resolve(moment);
  } catch {
    return undefined;
  }
}
