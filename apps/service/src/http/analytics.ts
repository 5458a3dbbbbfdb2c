import { type AnswerOf, type EndpointName, type endpoints, headerNames, limits, statuses } from '@shiplog/contract';
import { etagMatches, weakEtag } from '@shiplog/server';
import { countByActor, countByHourOfWeek, countByStatus, countTerminal } from '../db/analytics/counts.ts';
import { readDurations } from '../db/analytics/durations.ts';
import { countByStage } from '../db/analytics/funnel.ts';
import { listIncidents, readRestoreMedians } from '../db/analytics/incidents.ts';
import { readLeadTimeMedians } from '../db/analytics/lead-times.ts';
import type { Queries, Sessions } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { logMark } from '../db/matrix.ts';
import {
  type AnalyticsSettings,
  analyticsWindow,
  dateOf,
  daysOf,
  type Window,
  windowShape,
} from '../domain/analytics-window.ts';
import { durationBins } from '../domain/duration-bins.ts';
import { severity } from '../domain/incident.ts';
import { failureRate, failureRateFigure, frequencyFigure, kpi, medianFigure, ofDay } from '../domain/kpi.ts';
import { funnel, stagesOf } from '../domain/promotion-ladder.ts';
import type { CoreApi } from './api.ts';
import { EtagMemo } from './etag-memo.ts';

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

/** `GET /api/analytics/*` (§4 Analytics, readings 5). */
export function addAnalytics(api: CoreApi, parts: AnalyticsParts): void {
  const { ladder } = parts.settings;
  const production = ladder.slice(-1);
  const stages = async (queries: Queries, wanted: readonly string[]) =>
    stagesOf(await listEnvironments(queries), wanted);

  const computations: { readonly [Name in AnalyticsName]: Compute<Name> } = {
    getDora: async (queries, window) => {
      const days = daysOf(window);
      const terminal = await countTerminal(queries, window);
      const lead = await readLeadTimeMedians(
        queries,
        window,
        (await stages(queries, production)).map(({ environment }) => environment),
      );
      const restore = await readRestoreMedians(queries, window);
      return {
        deployment_frequency: kpi('deployment_frequency', frequencyFigure(terminal, days, window)),
        lead_time: kpi('lead_time', medianFigure(lead, days)),
        change_failure_rate: kpi('change_failure_rate', failureRateFigure(terminal, days)),
        // Nothing repaired is the best there is, unless something is broken still (reading 5.5).
        time_to_restore: kpi('time_to_restore', medianFigure(restore, days), restore.isOpen ? 'low' : 'elite'),
      };
    },
    getFrequency: async (queries, window) => {
      const terminal = await countTerminal(queries, window);
      const total = (day: number, status: 'success' | 'failure') =>
        ofDay(terminal, day).reduce((sum, count) => sum + count[status], 0);
      return {
        buckets: daysOf(window).map((day) => ({
          date: dateOf(day),
          success: total(day, 'success'),
          failure: total(day, 'failure'),
        })),
      };
    },
    getChangeFailureRate: async (queries, window) => {
      const terminal = await countTerminal(queries, window);
      return {
        buckets: daysOf(window).map((day) => ({ date: dateOf(day), rate: failureRate(ofDay(terminal, day)) ?? 0 })),
        elite_threshold: limits.eliteChangeFailureRate,
      };
    },
    getDurationHistogram: async (queries, window) => {
      const { counts, p50, p95 } = await readDurations(queries, window);
      const bins = durationBins.map((bin, index) => ({ ...bin, count: counts[index] ?? 0 }));
      return { bins, p50, p95, p50_minutes: p50, p95_minutes: p95 };
    },
    getPromotionFunnel: async (queries, window) => ({
      stages: funnel(ladder, await countByStage(queries, window, await stages(queries, ladder))),
    }),
    getStatusDistribution: async (queries, window) => {
      const counts = await countByStatus(queries, window);
      return {
        statuses: statuses.map((status) => ({
          status,
          count: counts.find((counted) => counted.status === status)?.count ?? 0,
        })),
      };
    },
    getHeatmap: async (queries, window) => ({ cells: await countByHourOfWeek(queries, window) }),
    getTopDeployers: async (queries, window, limit) => ({ deployers: await countByActor(queries, window, limit) }),
    getIncidents: async (queries, window, limit) => {
      const incidents = await listIncidents(queries, window, limit);
      return {
        incidents: incidents.map((incident) => ({ ...incident, severity: severity(incident.duration_minutes) })),
      };
    },
  };

  const memo = new EtagMemo();
  for (const [name, compute] of Object.entries(computations) as [AnalyticsName, Compute<AnalyticsName>][]) {
    serve(name, compute);
  }

  function serve(name: AnalyticsName, compute: Compute<AnalyticsName>): void {
    api.serve(name, async ({ query, headers }) => {
      const limit = 'limit' in query ? (query.limit ?? limits.analyticsLimitDefault) : limits.analyticsLimitDefault;
      const ifNoneMatch = headers[headerNames.ifNoneMatch];
      const { tick, now } = await logMark(parts.queries);
      const { granularity } = parts.settings;
      const window = analyticsWindow(query.window, { now, granularity, retentionDays: parts.retentionDays });
      // The log and the window say all that the answer depends on.
      const key = `${name} ${window.days} ${window.to} ${limit}`;
      const known = memo.get(key);
      if (known?.tick === tick && etagMatches(ifNoneMatch, known.etag))
        return { status: 304, headers: cached(known.etag) };
      const answer = await parts.analytics.session((session) =>
        session.snapshot((queries) => compute(queries, window, limit)),
      );
      const json = JSON.stringify({ window: windowShape(window), ...answer });
      const etag = weakEtag(json);
      memo.set(key, { tick, etag });
      if (etagMatches(ifNoneMatch, etag)) return { status: 304, headers: cached(etag) };
      return { status: 200, headers: cached(etag), json };
    });
  }
}

function cached(etag: string): Record<string, string> {
  return { [headerNames.etag]: etag, 'Cache-Control': 'no-cache' };
}
