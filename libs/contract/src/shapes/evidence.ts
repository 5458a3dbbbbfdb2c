import { type Static, Type } from 'typebox';
import { AnalyticsScope, AnalyticsWindow, evidenceFigures, evidenceReasons, stageStatuses } from './analytics.ts';
import { dateTime, nullable, uuid } from './text.ts';

const count = Type.Integer({ minimum: 0 });
const percentiles = Type.Object({ p50: nullable(Type.Number()), p95: nullable(Type.Number()) });
const reason = Type.Enum([...evidenceReasons]);

export const EvidenceItem = Type.Object({
  service: Type.String(),
  environment: Type.String(),
  deployment_id: Type.String(),
  status: Type.Optional(
    Type.Enum([...stageStatuses], { description: 'The status that the item measures. Present only for `stages`.' }),
  ),
  at: dateTime({ description: "The `happened_at` of the item's main row." }),
  value: nullable(
    Type.Number({ description: 'What the item contributes to the figure. Null if it contributes nothing.' }),
  ),
  counted: Type.Boolean(),
  reason: nullable(reason),
  event_ids: Type.Array(uuid(), { minItems: 1, description: 'The rows behind the item, the main row first.' }),
});
export type EvidenceItem = Static<typeof EvidenceItem>;

/** A figure with a page of the rows behind it, newest first (questions.md 4). */
export const EvidenceReport = Type.Object({
  window: AnalyticsWindow,
  scope: nullable(AnalyticsScope),
  figure: Type.Enum([...evidenceFigures]),
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
    description: 'The number of items left out on all pages, by reason.',
  }),
  items: Type.Array(EvidenceItem),
  next_cursor: nullable(Type.String({ description: 'The opaque position of the next page. Null on the last page.' })),
});
export type EvidenceReport = Static<typeof EvidenceReport>;
