import { type Static, Type } from 'typebox';
import { type Status, statuses } from '../status.ts';
import { AnalyticsScope } from './analytics.ts';
import { dateTime, nullable, StatusShape, uuid } from './text.ts';

const count = Type.Integer({ minimum: 0 });
const textOrNull = nullable(Type.String());

const ByState = Type.Object(
  Object.fromEntries(statuses.map((status) => [status, count])) as Record<Status, typeof count>,
  { description: 'Changes by state.' },
);

/** The release of a success, with the event. */
export const DeployedRelease = Type.Object({ version: textOrNull, sha: textOrNull, event_id: uuid() });
export type DeployedRelease = Static<typeof DeployedRelease>;

/** A deployment in one place (changes.md 1). */
export const Change = Type.Object({
  deployment_id: Type.String(),
  service: Type.String(),
  environment: Type.String(),
  state: StatusShape,
  version: nullable(
    Type.String({ description: 'Of its newest event that has one; the same for `sha`, `actor` and `run_url`.' }),
  ),
  sha: textOrNull,
  previous: nullable(DeployedRelease, { description: 'The last success in this place before the change.' }),
  rollback: Type.Boolean({ description: 'Whether one of its successes is a rollback.' }),
  actor: textOrNull,
  run_url: textOrNull,
  started_at: dateTime({ description: '`happened_at` of its first event.' }),
  ended_at: nullable(dateTime({ description: '`happened_at` of its last event; null while it has not ended.' })),
  minutes: nullable(Type.Number({ minimum: 0, description: 'Null if it has not ended or has a single event.' })),
  events: Type.Integer({ minimum: 1, description: 'The number of its events.' }),
  event_id: uuid({ description: 'Its last event.' }),
});
export type Change = Static<typeof Change>;

/** What a range changed in one place (changes.md 1.5). */
export const NetChange = Type.Object({
  service: Type.String(),
  environment: Type.String(),
  before: nullable(DeployedRelease, { description: 'The last success before `from`.' }),
  after: nullable(DeployedRelease, { description: 'The last success before `to`.' }),
  changed: Type.Boolean({ description: 'Whether their releases differ.' }),
  changes: Type.Integer({ minimum: 1 }),
  failed: Type.Integer({ minimum: 0, description: 'How many of the changes are in the state `failure`.' }),
});
export type NetChange = Static<typeof NetChange>;

const range = {
  from: dateTime({ description: 'Start of the range (inclusive).' }),
  to: dateTime({ description: 'End of the range (exclusive).' }),
  scope: nullable(AnalyticsScope, { description: 'Null if none was requested.' }),
};

export const ChangesPage = Type.Object({
  ...range,
  counts: Type.Object(
    {
      changes: count,
      services: count,
      by_state: ByState,
      elsewhere: Type.Integer({ minimum: 0, description: 'Changes of the range outside the scope.' }),
    },
    { description: 'Of the whole range and scope, whatever `state`, `net` and the page.' },
  ),
  ahead: Type.Array(Change, {
    description:
      'On the first page: changes with a last event more than 5 minutes in the future, newest first, at most 100. They are not in `items`.',
  }),
  items: Type.Union([Type.Array(Change), Type.Array(NetChange)], {
    description: 'Changes, newest first; with `net=true` one item for each place, those that changed first.',
  }),
  next_cursor: nullable(Type.String({ description: 'Opaque position of the next page; null on the final page.' })),
});
export type ChangesPage = Static<typeof ChangesPage>;

export const ChangesHistogram = Type.Object({
  ...range,
  buckets: Type.Array(Type.Object({ from: dateTime(), to: dateTime(), by_state: ByState }), {
    description: 'Changes by their last event, in equal half-open parts of the range.',
  }),
});
export type ChangesHistogram = Static<typeof ChangesHistogram>;
