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
  status: Type.Optional(Type.Enum([...stageStatuses], { description: 'Of stages only.' })),
  at: dateTime({ description: '`happened_at` of the row that the item is about.' }),
  value: nullable(Type.Number({ description: 'What the item adds to the figure; null where it has nothing to add.' })),
  counted: Type.Boolean(),
  reason: nullable(reason),
  event_ids: Type.Array(uuid(), {
    minItems: 1,
    description: 'The rows that the item is made of; the first is the one that it is about.',
  }),
});
export type EvidenceItem = Static<typeof EvidenceItem>;

/** A figure with a page of the rows that it is made of, newest first (questions.md 4). */
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
    { description: 'What the figure’s own call answers; by stage or by status where it has those.' },
  ),
  unit: Type.Enum(['per_day', 'hours', 'ratio', 'minutes', 'count']),
  formula: Type.String({ examples: ['51 failures ÷ (382 successes + 51 failures) = 0.118'] }),
  counted: Type.Integer({ minimum: 0, description: 'Items that are counted, on all pages.' }),
  left_out: Type.Array(Type.Object({ reason, count }), { description: 'Items that are not counted, on all pages.' }),
  items: Type.Array(EvidenceItem),
  next_cursor: nullable(Type.String({ description: 'Opaque position of the next page; null on the final page.' })),
});
export type EvidenceReport = Static<typeof EvidenceReport>;
