import { AnalyticsQuestions } from './answers/analytics.ts';
import { LogReads } from './db/log-reads.ts';
import type { ServiceLog } from './log.ts';
import type { PartOptions } from './times.ts';

export interface ServiceAnswers {
  /** For answers that depend on one state of the log. */
  readonly reads: LogReads;
  readonly questions: AnalyticsQuestions;
}

export function openAnswers(
  { config, metrics }: PartOptions,
  { database, standbys, folding }: Pick<ServiceLog, 'database' | 'standbys' | 'folding'>,
): ServiceAnswers {
  return {
    reads: new LogReads({ database, standbys, folding, metrics }),
    questions: new AnalyticsQuestions(config.analytics, config.historyRetentionDays),
  };
}
