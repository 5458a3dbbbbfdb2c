import { type TSchema, Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits } from '../limits.ts';
import {
  analyticsWindows,
  ChangeFailureRateReport,
  DoraReport,
  DurationHistogramReport,
  evidenceFigures,
  FrequencyReport,
  HeatmapReport,
  IncidentsReport,
  PromotionFunnelReport,
  StabilityReport,
  StagesReport,
  StatusDistributionReport,
  TopDeployersReport,
} from '../shapes/analytics.ts';
import { BenchmarksReport } from '../shapes/benchmarks.ts';
import { EvidenceReport } from '../shapes/evidence.ts';
import { moment, PageLimit } from '../shapes/text.ts';
import { globs, ifNoneMatch, invalid, opaqueCursor, teams, tooMany, unavailable, unchanged } from './parts.ts';

function analytics<Path extends `/${string}`, Body extends TSchema>(path: Path, summary: string, body: Body) {
  return {
    method: 'GET',
    path,
    tag: 'analytics',
    summary,
    query: Type.Object(question),
    headers: ifNoneMatch,
    replies: {
      200: { description: summary, body, headers: ['ETag'] },
      304: unchanged,
    },
    problems: { ...invalid, ...tooMany, ...unavailable },
  } as const satisfies Endpoint;
}

const analyticsWindow = Type.Optional(
  Type.Unsafe<string | string[]>({
    description: `One of ${analyticsWindows.join(', ')}. Any other value counts as 7d.`,
    default: '7d',
  }),
);

/** The parameters of every figure (questions.md 2 and 3). */
const question = {
  window: analyticsWindow,
  from: Type.Optional(
    moment({ description: 'Start of the period (inclusive). Requires `to`. The period replaces `window`.' }),
  ),
  to: Type.Optional(
    moment({
      description: `End of the period (exclusive). It must be at most ${limits.periodDaysMax} days after \`from\`, and no later than the end of the current UTC day.`,
    }),
  ),
  services: globs('services'),
  teams,
  environments: globs('environments'),
};

function rankedAnalytics<Path extends `/${string}`, Body extends TSchema>(path: Path, summary: string, body: Body) {
  return {
    ...analytics(path, summary, body),
    query: Type.Object({
      ...question,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.analyticsLimitMax,
          default: limits.analyticsLimitDefault,
          description: 'The maximum number of entries.',
        }),
      ),
    }),
  } as const satisfies Endpoint;
}

/** The rows that a figure is computed from, page by page (questions.md 4). */
const getEvidence = {
  ...analytics('/api/analytics/evidence/{figure}', 'List the rows behind a figure', EvidenceReport),
  description: 'Everything except `items` and `next_cursor` is the same on every page, regardless of `counted`.',
  params: Type.Object({
    figure: Type.Enum([...evidenceFigures], { description: 'The figure. An unknown figure returns 404.' }),
  }),
  query: Type.Object({
    ...question,
    counted: Type.Optional(
      Type.Enum(['true', 'false'], { description: '`true` returns only counted items, `false` only items left out.' }),
    ),
    cursor: opaqueCursor,
    limit: Type.Optional(PageLimit),
  }),
  problems: { 404: ['not-found'], ...invalid, ...tooMany, ...unavailable },
} as const satisfies Endpoint;

/** Benchmarks for comparison with the figures. They don't depend on stored data. */
const getBenchmarks = {
  method: 'GET',
  path: '/api/analytics/benchmarks',
  tag: 'analytics',
  summary: 'List the DORA survey benchmarks by year',
  headers: ifNoneMatch,
  replies: {
    200: { description: 'The years.', body: BenchmarksReport, headers: ['ETag'] },
    304: unchanged,
  },
  problems: {},
} as const satisfies Endpoint;

/** Figures over a window of days (§4 Analytics). */
export const analyticsEndpoints = {
  getDora: {
    ...analytics('/api/analytics/dora', 'The four DORA metrics', DoraReport),
    query: Type.Object({
      ...question,
      compare: Type.Optional(
        Type.Enum(['previous'], {
          description:
            'Adds `previous` to each metric: its value over the preceding period of the same length, or null if rows of that period may have been pruned.',
        }),
      ),
    }),
  },
  getFrequency: analytics('/api/analytics/frequency', 'Terminal events per UTC day', FrequencyReport),
  getChangeFailureRate: analytics(
    '/api/analytics/change-failure-rate',
    'Failure rate per UTC day',
    ChangeFailureRateReport,
  ),
  getDurationHistogram: analytics('/api/analytics/duration-histogram', 'Deployment durations', DurationHistogramReport),
  getPromotionFunnel: analytics(
    '/api/analytics/promotion-funnel',
    'Deployments by promotion stage',
    PromotionFunnelReport,
  ),
  getStatusDistribution: analytics('/api/analytics/status-distribution', 'Events by status', StatusDistributionReport),
  getHeatmap: analytics('/api/analytics/heatmap', 'Events by day of week and hour', HeatmapReport),
  getTopDeployers: rankedAnalytics('/api/analytics/top-deployers', 'Actors with the most events', TopDeployersReport),
  getIncidents: rankedAnalytics(
    '/api/analytics/incidents',
    'Failures and when they were resolved, worst first',
    IncidentsReport,
  ),
  getStages: analytics('/api/analytics/stages', 'Minutes in each status before the final one', StagesReport),
  getStability: analytics('/api/analytics/stability', 'Rollbacks and rework', StabilityReport),
  getEvidence,
  getBenchmarks,
} as const satisfies Record<string, Endpoint>;
