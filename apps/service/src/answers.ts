import { AnalyticsQuestions } from './answers/analytics.ts';
import { type Figures, figuresOf } from './answers/figures.ts';
import { KnownOutagesReader } from './answers/known-outages.ts';
import { OutageFactsReader } from './answers/outage-facts.ts';
import { LogReads } from './db/log-reads.ts';
import type { ServiceLog } from './log.ts';
import type { PartOptions } from './times.ts';

export interface ServiceAnswers {
  /** For responses that depend on one state of the log. */
  readonly reads: LogReads;
  readonly questions: AnalyticsQuestions;
  readonly figures: Figures;
  readonly outageFacts: OutageFactsReader;
  readonly knownOutages: KnownOutagesReader;
}

export function openAnswers(
  { config, metrics }: PartOptions,
  { database, standbys, folding }: Pick<ServiceLog, 'database' | 'standbys' | 'folding'>,
): ServiceAnswers {
  const { analytics, outageLinkHours: linkHours, historyRetentionDays } = config;
  const knownOutages = new KnownOutagesReader(linkHours);
  const figures = figuresOf({ promotionOrder: analytics.promotionOrder, knownOutages });
  return {
    figures,
    knownOutages,
    outageFacts: new OutageFactsReader(database.reads),
    reads: new LogReads({ database, standbys, folding, metrics }),
    questions: new AnalyticsQuestions(analytics, figures, historyRetentionDays),
  };
}
