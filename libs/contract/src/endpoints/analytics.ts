import { type TSchema, Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits } from '../limits.ts';
import {
  analyticsWindows,
  ChangeFailureRateReport,
  DoraReport,
  DurationHistogramReport,
  FrequencyReport,
  HeatmapReport,
  IncidentsReport,
  PromotionFunnelReport,
  StatusDistributionReport,
  TopDeployersReport,
} from '../shapes/analytics.ts';
import { ifNoneMatch, invalid, unavailable } from './parts.ts';

function analytics<Path extends `/${string}`, Body extends TSchema>(path: Path, summary: string, body: Body) {
  return {
    method: 'GET',
    path,
    tag: 'analytics',
    summary,
    query: Type.Object({ window: analyticsWindow }),
    headers: ifNoneMatch,
    replies: {
      200: { description: summary, body, headers: ['ETag'] },
      304: { description: 'Unchanged since `If-None-Match`.', headers: ['ETag'] },
    },
    problems: { ...unavailable },
  } as const satisfies Endpoint;
}

const analyticsWindow = Type.Optional(
  Type.Unsafe<string | string[]>({
    description: `${analyticsWindows.join(', ')}; anything else counts as 7d.`,
    default: '7d',
  }),
);

function rankedAnalytics<Path extends `/${string}`, Body extends TSchema>(path: Path, summary: string, body: Body) {
  const plain = analytics(path, summary, body);
  return {
    ...plain,
    query: Type.Object({
      window: analyticsWindow,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.analyticsLimitMax,
          default: limits.analyticsLimitDefault,
          description: 'Entries at most.',
        }),
      ),
    }),
    problems: { ...plain.problems, ...invalid },
  } as const satisfies Endpoint;
}

/** Figures over a window of days (§4 Analytics). */
export const analyticsEndpoints = {
  getDora: analytics('/api/analytics/dora', 'The four keys', DoraReport),
  getFrequency: analytics('/api/analytics/frequency', 'Terminal events per UTC day', FrequencyReport),
  getChangeFailureRate: analytics(
    '/api/analytics/change-failure-rate',
    'Failure rate per UTC day',
    ChangeFailureRateReport,
  ),
  getDurationHistogram: analytics(
    '/api/analytics/duration-histogram',
    'Durations of deployments',
    DurationHistogramReport,
  ),
  getPromotionFunnel: analytics(
    '/api/analytics/promotion-funnel',
    'Deployments by stage of the ladder',
    PromotionFunnelReport,
  ),
  getStatusDistribution: analytics('/api/analytics/status-distribution', 'Events by status', StatusDistributionReport),
  getHeatmap: analytics('/api/analytics/heatmap', 'Events by day of week and hour', HeatmapReport),
  getTopDeployers: rankedAnalytics('/api/analytics/top-deployers', 'Events by actor, most first', TopDeployersReport),
  getIncidents: rankedAnalytics(
    '/api/analytics/incidents',
    'Failures and their restores, worst first',
    IncidentsReport,
  ),
} as const satisfies Record<string, Endpoint>;
