import { productVersion } from '@shiplog/contract';
import type { Stoppable } from '@shiplog/server';
import { AnalyticsQuestions } from './answers/analytics.ts';
import { CachedAnswers } from './answers/cached-answers.ts';
import { Renewal } from './answers/renewal.ts';
import { LogReads } from './db/log-reads.ts';
import type { ServiceLog } from './log.ts';
import type { PartOptions } from './times.ts';

export interface ServiceAnswers {
  /** For answers that depend on one state of the log. */
  readonly reads: LogReads;
  readonly questions: AnalyticsQuestions;
  readonly cached: CachedAnswers;
  readonly renewal: Renewal;
}

export function openAnswers(
  { config, logger, metrics, times }: PartOptions,
  { database, standbys, folding }: Pick<ServiceLog, 'database' | 'standbys' | 'folding'>,
  parts: Stoppable[],
): ServiceAnswers {
  const reads = new LogReads({ database, standbys, folding, metrics });
  const questions = new AnalyticsQuestions(config.analytics, config.historyRetentionDays);
  const cached = new CachedAnswers({
    queries: database.reads,
    analytics: database.analytics,
    questions: database.questions,
    reads,
    settings: [productVersion, config.analytics, config.historyRetentionDays],
    waitMs: times.answerWaitMs,
    logger,
  });
  const renewal = new Renewal({
    writes: database.writes,
    answers: cached,
    questionOf: (text) => questions.read(text),
    everyMs: times.renewEveryMs,
    logger,
  });
  parts.push(cached, renewal);
  return { reads, questions, cached, renewal };
}
