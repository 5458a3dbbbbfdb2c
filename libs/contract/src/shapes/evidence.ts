import { type Static, Type } from 'typebox';
import {
  AnalyticsScope,
  AnalyticsWindow,
  type EvidenceFigure,
  type EvidenceReason,
  evidenceReasons,
  provableFigures,
  stageStatuses,
} from './analytics.ts';
import { failureRules, unlinkedReasons } from './outages.ts';
import { dateTime, nullable, uuid } from './text.ts';

const count = Type.Integer({ minimum: 0 });
const percentiles = Type.Object({ p50: nullable(Type.Number()), p95: nullable(Type.Number()) });

/** Why an outage is excluded from a figure (outages.md 7.17). */
export const outageReasons = [...unlinkedReasons, 'not-opened', 'suspected'] as const;
export type OutageReason = (typeof outageReasons)[number] | 'open' | 'not-positive' | 'not-production';

const reason = Type.Enum([...evidenceReasons, ...outageReasons]);
const outageKey = Type.Object({ source: Type.String(), outage_id: Type.String() });

/** Members of the items of figures about outages (outages.md 7.16 and 7.17). */
const outageMembers = {
  rule: Type.Optional(
    nullable(
      Type.Enum([...failureRules], {
        description:
          'Why the deployment failed. `suspected` deployments count only with `suspected=count`. Present only for `change_failure_rate_observed`.',
      }),
    ),
  ),
  outages: Type.Optional(
    Type.Array(outageKey, {
      description: 'The outages that are linked to the row. Present only for `change_failure_rate_observed`.',
    }),
  ),
  holds: Type.Optional(
    Type.Array(uuid(), {
      description:
        'The holds that mark the version of the row as bad. Present only for `change_failure_rate_observed`.',
    }),
  ),
  undone: Type.Optional(
    Type.Array(Type.Object({ version: nullable(Type.String()), sha: nullable(Type.String()) }), {
      description:
        'The releases that the rollback undid, newest first. Present only for `change_failure_rate_observed`.',
    }),
  ),
  outage: Type.Optional(
    Type.Object(outageKey.properties, {
      description:
        'The outage. Present only for `time_to_restore_observed` and `time_to_detect`. `service`, `environment`, `deployment_id` and `event_ids` are those of its newest link.',
    }),
  ),
};

const place = nullable(Type.String({ description: 'Null only for an outage without links.' }));

export const EvidenceItem = Type.Object({
  service: place,
  environment: place,
  deployment_id: place,
  status: Type.Optional(
    Type.Enum([...stageStatuses], { description: 'The status that the item measures. Present only for `stages`.' }),
  ),
  at: dateTime({ description: "The `happened_at` of the item's main row." }),
  value: nullable(
    Type.Number({ description: 'What the item contributes to the figure. Null if it contributes nothing.' }),
  ),
  counted: Type.Boolean(),
  reason: nullable(reason),
  event_ids: Type.Array(uuid(), {
    description: 'The rows behind the item, the main row first. Empty only for an outage without links.',
  }),
  ...outageMembers,
});
export type AnyEvidenceItem = Static<typeof EvidenceItem>;
/** An item of a figure of the log. */
export type EvidenceItem = Omit<AnyEvidenceItem, 'service' | 'environment' | 'deployment_id' | 'reason'> & {
  service: string;
  environment: string;
  deployment_id: string;
  reason: EvidenceReason | null;
};

/** A figure with a page of the rows behind it, newest first (questions.md 4). */
export const EvidenceReport = Type.Object({
  window: AnalyticsWindow,
  scope: nullable(AnalyticsScope),
  figure: Type.Enum([...provableFigures]),
  value: Type.Union(
    [
      Type.Number(),
      Type.Null(),
      percentiles,
      Type.Record(Type.String(), count),
      Type.Record(Type.String(), percentiles),
    ],
    {
      description:
        "The same value as in the figure's own response. If the figure has stages or statuses, this is an object with one value for each.",
    },
  ),
  unit: Type.Enum(['per_day', 'hours', 'ratio', 'minutes', 'count']),
  formula: Type.String({ examples: ['51 failures ÷ (382 successes + 51 failures) = 0.118'] }),
  counted: Type.Integer({ minimum: 0, description: 'The number of counted items on all pages.' }),
  left_out: Type.Array(Type.Object({ reason, count }), {
    description: 'The number of excluded items on all pages, by reason.',
  }),
  items: Type.Array(EvidenceItem),
  next_cursor: nullable(Type.String({ description: 'An opaque cursor for the next page. Null on the last page.' })),
});
export type AnyEvidenceReport = Static<typeof EvidenceReport>;
/** The evidence of a figure of the log. */
export type EvidenceReport = Omit<AnyEvidenceReport, 'figure' | 'left_out' | 'items'> & {
  figure: EvidenceFigure;
  left_out: { reason: EvidenceReason; count: number }[];
  items: EvidenceItem[];
};
