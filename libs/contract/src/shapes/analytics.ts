import { type Static, type TProperties, Type } from 'typebox';
import { limits } from '../limits.ts';
import type { Status } from '../status.ts';
import { dateTime, nullable, StatusShape } from './text.ts';

/** The values of `window`; anything else means the default (§4 Analytics). */
export const analyticsWindows = ['7d', '14d', '30d'] as const;
export type AnalyticsWindowName = (typeof analyticsWindows)[number];

/** The name under which the ranking of deployers counts events without an actor (aggregation rule 5). */
export const unknownActor = 'unknown';

/** The default promotion order; the last stage is production (§8). */
export const promotionOrder = ['dev', 'staging', 'qa', 'preprod', 'prod'] as const;

const count = Type.Integer({ minimum: 0 });
const day = Type.String({ format: 'date', description: 'UTC day.', examples: ['2026-05-03'] });

export const AnalyticsWindow = Type.Object({
  days: Type.Integer({ description: 'The number of days after clamping.', examples: [7] }),
  from: dateTime(),
  to: dateTime({
    description: 'The end (exclusive): the start of the current UTC day (or hour), or the end of the period.',
  }),
  retention_days: Type.Integer({ examples: [limits.historyRetentionDaysDefault] }),
  clamped: Type.Boolean({ description: 'Whether the requested span was shortened to the retention period.' }),
  covered_from: Type.Optional(
    dateTime({ description: 'When the log begins, or `from` if the log begins earlier. Present only for a period.' }),
  ),
  covered_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The number of UTC days in the period, counted from `covered_from`. Present only for a period.',
    }),
  ),
});
export type AnalyticsWindow = Static<typeof AnalyticsWindow>;

/** The scope of an answer (questions.md 2.2): the globs as sent, and the teams if any. */
export const AnalyticsScope = Type.Object({
  services: Type.Array(Type.String()),
  environments: Type.Array(Type.String()),
  teams: Type.Optional(Type.Array(Type.String())),
});
export type AnalyticsScope = Static<typeof AnalyticsScope>;

/** One of the four keys (§2 Analytics shapes, readings 5.5 to 5.7). */
export const AnalyticsKpi = Type.Object({
  value: nullable(Type.Number()),
  unit: Type.Enum(['per_day', 'hours', 'ratio', 'minutes']),
  classification: Type.Enum(['elite', 'high', 'medium', 'low']),
  trend_delta: nullable(
    Type.Number({
      description: 'The relative change from the first half of the window to the second: (current − prior) ÷ prior.',
    }),
  ),
  sparkline: Type.Array(nullable(Type.Number()), { description: 'One entry per day.' }),
  approximated: Type.Boolean(),
  previous: Type.Optional(
    nullable(Type.Number({ description: 'The value over the previous period. Present only with `compare=previous`.' })),
  ),
  per_covered_day: Type.Optional(
    nullable(
      Type.Number({
        description:
          'The number of deployments divided by `covered_days`. Null if no day is covered. Present only for the deployment frequency over a period.',
      }),
    ),
  ),
});
export type AnalyticsKpi = Static<typeof AnalyticsKpi>;

const answer = <Members extends TProperties>(members: Members) =>
  Type.Object({ window: AnalyticsWindow, scope: Type.Optional(AnalyticsScope), ...members });

export const DoraReport = answer({
  deployment_frequency: AnalyticsKpi,
  lead_time: AnalyticsKpi,
  change_failure_rate: AnalyticsKpi,
  time_to_restore: AnalyticsKpi,
});
export type DoraReport = Static<typeof DoraReport>;

export const FrequencyReport = answer({
  buckets: Type.Array(Type.Object({ date: day, success: count, failure: count })),
});
export type FrequencyReport = Static<typeof FrequencyReport>;

export const ChangeFailureRateReport = answer({
  buckets: Type.Array(Type.Object({ date: day, rate: Type.Number() })),
  elite_threshold: Type.Literal(limits.eliteChangeFailureRate),
});
export type ChangeFailureRateReport = Static<typeof ChangeFailureRateReport>;

const minutes = nullable(Type.Number({ description: 'Minutes.' }));

export const DurationHistogramReport = answer({
  bins: Type.Array(
    Type.Object({
      label: Type.String({ examples: ['0-10'] }),
      lower_minutes: Type.Number(),
      upper_minutes: nullable(Type.Number()),
      count,
    }),
  ),
  p50: minutes,
  p95: minutes,
  p50_minutes: nullable(Type.Number({ description: 'The same value as `p50`.' })),
  p95_minutes: nullable(Type.Number({ description: 'The same value as `p95`.' })),
});
export type DurationHistogramReport = Static<typeof DurationHistogramReport>;

export const PromotionFunnelReport = answer({
  stages: Type.Array(
    Type.Object({
      environment: Type.String(),
      count,
      conversion: nullable(
        Type.Number({ description: 'The count of the next stage divided by this count. It can exceed 1.' }),
      ),
    }),
  ),
});
export type PromotionFunnelReport = Static<typeof PromotionFunnelReport>;

export const StatusDistributionReport = answer({
  statuses: Type.Array(Type.Object({ status: StatusShape, count })),
});
export type StatusDistributionReport = Static<typeof StatusDistributionReport>;

export const HeatmapReport = answer({
  cells: Type.Array(
    Type.Object({
      day_of_week: Type.Integer({ minimum: 0, maximum: 6, description: 'The day of the week. 0 is Sunday.' }),
      hour: Type.Integer({ minimum: 0, maximum: 23, description: 'The hour in UTC.' }),
      count,
    }),
    { description: 'Cells without events are omitted.' },
  ),
});
export type HeatmapReport = Static<typeof HeatmapReport>;

export const TopDeployersReport = answer({
  deployers: Type.Array(Type.Object({ actor: Type.String(), count })),
});
export type TopDeployersReport = Static<typeof TopDeployersReport>;

export const incidentSeverities = ['low', 'medium', 'high', 'critical'] as const;

export const IncidentsReport = answer({
  incidents: Type.Array(
    Type.Object({
      service: Type.String(),
      environment: Type.String(),
      failed_at: dateTime(),
      restored_at: nullable(dateTime()),
      duration_minutes: minutes,
      severity: Type.Enum([...incidentSeverities]),
    }),
  ),
});
export type IncidentsReport = Static<typeof IncidentsReport>;

/** The non-final statuses, in order. */
export const stageStatuses = ['pending', 'queued', 'waiting', 'in-progress'] as const satisfies readonly Status[];

const stageFigures = {
  status: Type.Enum([...stageStatuses]),
  count: Type.Integer({ minimum: 0, description: 'The number of completed runs of this status.' }),
  p50: minutes,
  p95: minutes,
};

/** Time that deployments spend in each status (questions.md 5). */
export const StagesReport = answer({
  stages: Type.Array(Type.Object({ ...stageFigures, total_minutes: Type.Number() })),
  slowest: Type.Array(Type.Object({ service: Type.String(), environment: Type.String(), ...stageFigures }), {
    description: 'The slots with the largest `p95`. Lists at most ten slots, each with at least three samples.',
  }),
});
export type StagesReport = Static<typeof StagesReport>;

const stabilityCount = Type.Object({
  count,
  rate: nullable(
    Type.Number({ description: 'The count divided by the number of success rows. Null without success rows.' }),
  ),
});

/** Rollbacks and rework (questions.md 6). */
export const StabilityReport = answer({
  rollbacks: stabilityCount,
  rework: stabilityCount,
  slots: Type.Array(
    Type.Object({
      service: Type.String(),
      environment: Type.String(),
      rollbacks: count,
      rework: count,
      successes: count,
    }),
    { description: 'The slots with the most rework. Lists at most ten.' },
  ),
  approximated: Type.Literal(true, {
    description:
      'Always true. Shiplog derives rollbacks and rework from releases and times, because the log does not record intent.',
  }),
});
export type StabilityReport = Static<typeof StabilityReport>;

/** The figures with evidence (questions.md 4). */
export const evidenceFigures = [
  'deployment_frequency',
  'lead_time',
  'change_failure_rate',
  'time_to_restore',
  'durations',
  'promotion_funnel',
  'incidents',
  'stages',
  'rollbacks',
  'rework',
] as const;
export type EvidenceFigure = (typeof evidenceFigures)[number];

/** The figures about outages, which have evidence too (outages.md 3.4). */
export const outageFigures = ['change_failure_rate_observed', 'time_to_restore_observed', 'time_to_detect'] as const;
export type OutageFigure = (typeof outageFigures)[number];

/** All figures with evidence. */
export const provableFigures = [...evidenceFigures, ...outageFigures] as const;
export type ProvableFigure = (typeof provableFigures)[number];

/**
 * Why a row is excluded from a figure or counted in a special way. `open` incidents are counted (questions.md 12.4).
 */
export const evidenceReasons = [
  'not-terminal',
  'not-production',
  'no-parents',
  'unknown-parent',
  'not-positive',
  'single-row',
  'open',
  'repeated-failure',
  'outside-ladder',
  'no-release',
  'no-rollback',
  'no-rework',
] as const;
export type EvidenceReason = (typeof evidenceReasons)[number];
