import { type AnswerOf, type EndpointName, type endpoints, headerNames, limits } from '@shiplog/contract';
import { ConditionalGet, conditionalAnswer, invalid } from '@shiplog/server';
import { countByActor, countByHourOfWeek, countByStatus, countTerminal } from '../db/analytics/counts.ts';
import { readDurations } from '../db/analytics/durations.ts';
import { countByStage, stagesWithin } from '../db/analytics/funnel.ts';
import { listIncidents, readRestoreMedians } from '../db/analytics/incidents.ts';
import { readLeadTimeMedians } from '../db/analytics/lead-times.ts';
import { countStability } from '../db/analytics/stability.ts';
import { readStages } from '../db/analytics/stages.ts';
import type { Queries, Sessions } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { logMark } from '../db/log-mark.ts';
import {
  comparedAnswer,
  doraAnswer,
  durationsAnswer,
  failureRateAnswer,
  frequencyAnswer,
  incidentsAnswer,
  stagesAnswer,
  statusesAnswer,
} from '../domain/analytics-answers.ts';
import { type AnalyticsSettings, type AskedAt, type Window, windowShape } from '../domain/analytics-window.ts';
import { benchmarks } from '../domain/benchmarks.ts';
import { askedWindow, type PeriodQuestion, previousWindow } from '../domain/period.ts';
import { funnel, stagesOf } from '../domain/promotion-ladder.ts';
import { type Scope, type Selection, scopeShape } from '../domain/scope.ts';
import { stabilityAnswer } from '../domain/stability.ts';
import type { CoreApi } from './api.ts';
import { askedScope, type ScopeSources } from './scope.ts';

export interface AnalyticsParts extends ScopeSources {
  /** For what aggregates, which may take its time. */
  readonly analytics: Sessions;
  readonly settings: AnalyticsSettings;
  readonly retentionDays: number;
}

type AnalyticsName = Extract<
  EndpointName,
  `get${'Dora' | 'Frequency' | 'ChangeFailureRate' | 'DurationHistogram' | 'PromotionFunnel' | 'StatusDistribution' | 'Heatmap' | 'TopDeployers' | 'Incidents' | 'Stages' | 'Stability'}`
>;

interface Asked extends Selection {
  readonly limit: number;
  /** The window before, where the request compares with it: `null` where rows of it may have been pruned. */
  readonly previous: Window | null | undefined;
}

/** What one endpoint answers beside the window and the scope. */
type Compute<Name extends AnalyticsName> = (
  queries: Queries,
  asked: Asked,
) => Promise<Omit<AnswerOf<(typeof endpoints)[Name]>, 'window' | 'scope'>>;

type Computations = { readonly [Name in AnalyticsName]: Compute<Name> };

/** Each endpoint: what the database counts, and the answer that is made of it. */
function computations(ladder: readonly string[]): Computations {
  const stages = async (queries: Queries, wanted: readonly string[]) =>
    stagesOf(await listEnvironments(queries), wanted);
  const dora = async (queries: Queries, selection: Selection) => {
    const terminal = await countTerminal(queries, selection);
    const production = (await stages(queries, ladder.slice(-1))).map(({ environment }) => environment);
    const lead = await readLeadTimeMedians(queries, selection, production);
    const restore = await readRestoreMedians(queries, selection);
    return doraAnswer({ terminal, lead, restore }, selection.window);
  };
  return {
    getDora: async (queries, { previous, ...asked }) => {
      const answer = await dora(queries, asked);
      if (previous === undefined) return answer;
      return comparedAnswer(answer, previous && (await dora(queries, { ...asked, window: previous })));
    },
    getFrequency: async (queries, asked) => frequencyAnswer(await countTerminal(queries, asked), asked.window),
    getChangeFailureRate: async (queries, asked) =>
      failureRateAnswer(await countTerminal(queries, asked), asked.window),
    getDurationHistogram: async (queries, asked) => durationsAnswer(await readDurations(queries, asked)),
    getPromotionFunnel: async (queries, asked) => {
      const wanted = await stagesWithin(queries, ladder, asked.scope);
      return { stages: funnel(wanted, await countByStage(queries, asked, await stages(queries, wanted))) };
    },
    getStatusDistribution: async (queries, asked) => statusesAnswer(await countByStatus(queries, asked)),
    getHeatmap: async (queries, asked) => ({ cells: await countByHourOfWeek(queries, asked) }),
    getTopDeployers: async (queries, asked) => ({ deployers: await countByActor(queries, asked, asked.limit) }),
    getStages: async (queries, asked) => stagesAnswer(await readStages(queries, asked)),
    getStability: async (queries, asked) => stabilityAnswer(await countStability(queries, asked)),
    getIncidents: async (queries, asked) => incidentsAnswer(await listIncidents(queries, asked, asked.limit)),
  };
}

/** `GET /api/analytics/*` (§4 Analytics, readings 5; scope and periods: questions.md 2 and 3). */
export function addAnalytics(api: CoreApi, parts: AnalyticsParts): void {
  const answers = new ConditionalGet();
  const { queries, analytics, settings, retentionDays } = parts;
  const { granularity, ladder } = settings;
  const serve = (name: AnalyticsName, compute: Compute<AnalyticsName>) =>
    api.serve(name, async ({ query, headers }) => {
      const { tick, now } = await logMark(queries);
      const asked = askedOf(query, { now, granularity, retentionDays }, await askedScope(parts, query));
      const { window, scope, limit, previous } = asked;
      return answers.answer({
        ifNoneMatch: headers[headerNames.ifNoneMatch],
        // The log and what is asked for say all that the answer depends on.
        key: JSON.stringify([name, window.days, window.fromInstant, window.toInstant, limit, scope, previous]),
        state: async () => ({ tick }),
        compute: async () => {
          const answer = await analytics.session((session) => session.snapshot((reads) => compute(reads, asked)));
          const json = JSON.stringify({
            window: windowShape(window),
            ...(scope && { scope: scopeShape(scope) }),
            ...answer,
          });
          return { tick, content: [json], json };
        },
      });
    });
  const benchmarksJson = JSON.stringify(benchmarks);
  api.serve('getBenchmarks', async ({ headers }) =>
    conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [benchmarksJson], json: benchmarksJson }),
  );
  for (const [name, compute] of Object.entries(computations(ladder)) as [AnalyticsName, Compute<AnalyticsName>][]) {
    serve(name, compute);
  }
}

interface AnalyticsQuery extends PeriodQuestion {
  readonly limit?: number;
  readonly compare?: 'previous';
}

/** @throws Problem for a period that makes no sense. */
function askedOf(query: AnalyticsQuery, at: AskedAt, scope: Scope | undefined): Asked {
  const read = askedWindow(query, at);
  if ('faults' in read) throw invalid(read.faults);
  const { window } = read;
  return {
    window,
    scope,
    limit: query.limit ?? limits.analyticsLimitDefault,
    previous: query.compare && (previousWindow(window, query, at) ?? null),
  };
}
