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
  provableFigures,
  StabilityReport,
  StagesReport,
  StatusDistributionReport,
  TopDeployersReport,
} from '../shapes/analytics.ts';
import { BenchmarksReport } from '../shapes/benchmarks.ts';
import { EvidenceReport } from '../shapes/evidence.ts';
import { OutagesReport } from '../shapes/outages.ts';
import { moment, PageLimit } from '../shapes/text.ts';
import { globs, ifNoneMatch, invalid, opaqueCursor, teams, tooMany, unavailable, unchanged } from './parts.ts';

interface Answer<Path, Body> {
  readonly path: Path;
  readonly summary: string;
  readonly body: Body;
}

function analytics<Path extends `/${string}`, Body extends TSchema>({ path, summary, body }: Answer<Path, Body>) {
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

/** Whether suspected deployments count as failed (outages.md 2). */
const suspected = Type.Optional(
  Type.Enum(['count'], {
    description:
      '`count` also counts deployments that are only suspected of causing an outage. Only for figures about outages.',
  }),
);

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

const compare = Type.Optional(
  Type.Enum(['previous'], {
    description:
      'Adds `previous` to each metric: its value over the preceding period of the same length, or null if rows of that period may have been pruned.',
  }),
);

function rankedAnalytics<Path extends `/${string}`, Body extends TSchema>(answer: Answer<Path, Body>) {
  return {
    ...analytics(answer),
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
  ...analytics({
    path: '/api/analytics/evidence/{figure}',
    summary: 'List the rows behind a figure',
    body: EvidenceReport,
  }),
  description: 'Everything except `items` and `next_cursor` is the same on every page, regardless of `counted`.',
  params: Type.Object({
    figure: Type.Enum([...provableFigures], {
      description: 'The figure. An unknown figure returns 404.',
    }),
  }),
  query: Type.Object({
    ...question,
    counted: Type.Optional(
      Type.Enum(['true', 'false'], { description: '`true` returns only counted items, `false` only excluded items.' }),
    ),
    suspected,
    cursor: opaqueCursor,
    limit: Type.Optional(PageLimit),
  }),
  problems: { 404: ['not-found'], ...invalid, ...tooMany, ...unavailable },
} as const satisfies Endpoint;

/** Figures about outages, in addition to the core's (outages.md 3). */
const getOutageFigures = {
  ...analytics({
    path: '/api/analytics/outages',
    summary: 'Failed changes and time to restore, based on outages',
    body: OutagesReport,
  }),
  query: Type.Object({ ...question, compare, suspected }),
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
    ...analytics({ path: '/api/analytics/dora', summary: 'The four DORA metrics', body: DoraReport }),
    query: Type.Object({
      ...question,
      compare,
    }),
  },
  getFrequency: analytics({
    path: '/api/analytics/frequency',
    summary: 'Terminal events per UTC day',
    body: FrequencyReport,
  }),
  getChangeFailureRate: analytics({
    path: '/api/analytics/change-failure-rate',
    summary: 'Failure rate per UTC day',
    body: ChangeFailureRateReport,
  }),
  getDurationHistogram: analytics({
    path: '/api/analytics/duration-histogram',
    summary: 'Deployment durations',
    body: DurationHistogramReport,
  }),
  getPromotionFunnel: analytics({
    path: '/api/analytics/promotion-funnel',
    summary: 'Deployments by promotion stage',
    body: PromotionFunnelReport,
  }),
  getStatusDistribution: analytics({
    path: '/api/analytics/status-distribution',
    summary: 'Events by status',
    body: StatusDistributionReport,
  }),
  getHeatmap: analytics({
    path: '/api/analytics/heatmap',
    summary: 'Events by day of week and hour',
    body: HeatmapReport,
  }),
  getTopDeployers: rankedAnalytics({
    path: '/api/analytics/top-deployers',
    summary: 'Actors with the most events',
    body: TopDeployersReport,
  }),
  getIncidents: rankedAnalytics({
    path: '/api/analytics/incidents',
    summary: 'Failures and when they were resolved, worst first',
    body: IncidentsReport,
  }),
  getStages: analytics({
    path: '/api/analytics/stages',
    summary: 'Minutes in each status before the final one',
    body: StagesReport,
  }),
  getStability: analytics({ path: '/api/analytics/stability', summary: 'Rollbacks and rework', body: StabilityReport }),
  getOutageFigures,
  getEvidence,
  getBenchmarks,
} as const satisfies Record<string, Endpoint>;
