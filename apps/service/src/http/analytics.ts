import { type AnswerOf, type EndpointName, type endpoints, headerNames, limits } from '@shiplog/contract';
import { ConditionalGet } from '@shiplog/server';
import { countByActor, countByHourOfWeek, countByStatus, countTerminal } from '../db/analytics/counts.ts';
import { readDurations } from '../db/analytics/durations.ts';
import { countByStage } from '../db/analytics/funnel.ts';
import { listIncidents, readRestoreMedians } from '../db/analytics/incidents.ts';
import { readLeadTimeMedians } from '../db/analytics/lead-times.ts';
import type { Queries, Sessions } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { logMark } from '../db/log-mark.ts';
import {
  doraAnswer,
  durationsAnswer,
  failureRateAnswer,
  frequencyAnswer,
  incidentsAnswer,
  statusesAnswer,
} from '../domain/analytics-answers.ts';
import { type AnalyticsSettings, analyticsWindow, type Window, windowShape } from '../domain/analytics-window.ts';
import { funnel, stagesOf } from '../domain/promotion-ladder.ts';
import type { CoreApi } from './api.ts';

export interface AnalyticsParts {
  /** Quick reads: what the log's state is. */
  readonly queries: Queries;
  /** For what aggregates, which may take its time. */
  readonly analytics: Sessions;
  readonly settings: AnalyticsSettings;
  readonly retentionDays: number;
}

type AnalyticsName = Extract<
  EndpointName,
  `get${'Dora' | 'Frequency' | 'ChangeFailureRate' | 'DurationHistogram' | 'PromotionFunnel' | 'StatusDistribution' | 'Heatmap' | 'TopDeployers' | 'Incidents'}`
>;

/** What one endpoint answers beside the window. */
type Compute<Name extends AnalyticsName> = (
  queries: Queries,
  window: Window,
  limit: number,
) => Promise<Omit<AnswerOf<(typeof endpoints)[Name]>, 'window'>>;

type Computations = { readonly [Name in AnalyticsName]: Compute<Name> };

/** Each endpoint: what the database counts, and the answer that is made of it. */
function computations(ladder: readonly string[]): Computations {
  const stages = async (queries: Queries, wanted: readonly string[]) =>
    stagesOf(await listEnvironments(queries), wanted);
  return {
    getDora: async (queries, window) => {
      const terminal = await countTerminal(queries, window);
      const production = (await stages(queries, ladder.slice(-1))).map(({ environment }) => environment);
      const lead = await readLeadTimeMedians(queries, window, production);
      const restore = await readRestoreMedians(queries, window);
      return doraAnswer({ terminal, lead, restore }, window);
    },
    getFrequency: async (queries, window) => frequencyAnswer(await countTerminal(queries, window), window),
    getChangeFailureRate: async (queries, window) => failureRateAnswer(await countTerminal(queries, window), window),
    getDurationHistogram: async (queries, window) => durationsAnswer(await readDurations(queries, window)),
    getPromotionFunnel: async (queries, window) => ({
      stages: funnel(ladder, await countByStage(queries, window, await stages(queries, ladder))),
    }),
    getStatusDistribution: async (queries, window) => statusesAnswer(await countByStatus(queries, window)),
    getHeatmap: async (queries, window) => ({ cells: await countByHourOfWeek(queries, window) }),
    getTopDeployers: async (queries, window, limit) => ({ deployers: await countByActor(queries, window, limit) }),
    getIncidents: async (queries, window, limit) => incidentsAnswer(await listIncidents(queries, window, limit)),
  };
}

/** `GET /api/analytics/*` (§4 Analytics, readings 5). */
export function addAnalytics(api: CoreApi, { queries, analytics, settings, retentionDays }: AnalyticsParts): void {
  const answers = new ConditionalGet();
  const { granularity, ladder } = settings;
  const serve = (name: AnalyticsName, compute: Compute<AnalyticsName>) =>
    api.serve(name, async ({ query, headers }) => {
      const limit = 'limit' in query ? (query.limit ?? limits.analyticsLimitDefault) : limits.analyticsLimitDefault;
      const { tick, now } = await logMark(queries);
      const window = analyticsWindow(query.window, { now, granularity, retentionDays });
      return answers.answer({
        ifNoneMatch: headers[headerNames.ifNoneMatch],
        // The log and the window say all that the answer depends on.
        key: `${name} ${window.days} ${window.to} ${limit}`,
        state: async () => ({ tick }),
        compute: async () => {
          const answer = await analytics.session((session) =>
            session.snapshot((reads) => compute(reads, window, limit)),
          );
          const json = JSON.stringify({ window: windowShape(window), ...answer });
          return { tick, content: [json], json };
        },
      });
    });
  for (const [name, compute] of Object.entries(computations(ladder)) as [AnalyticsName, Compute<AnalyticsName>][]) {
    serve(name, compute);
  }
}
