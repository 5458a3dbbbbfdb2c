import { type Static, Type } from 'typebox';
import { type Status, statuses } from '../status.ts';
import { AnalyticsScope } from './analytics.ts';
import { dateTime, nullable, StatusShape, uuid } from './text.ts';

const count = Type.Integer({ minimum: 0 });
const textOrNull = nullable(Type.String());

const ByState = Type.Object(
  Object.fromEntries(statuses.map((status) => [status, count])) as Record<Status, typeof count>,
  { description: 'The number of changes in each state.' },
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
    Type.String({
      description:
        'The version of the newest event that has one. `sha`, `actor` and `run_url` are chosen in the same way.',
    }),
  ),
  sha: textOrNull,
  previous: nullable(DeployedRelease, { description: 'The last success in this place before the change.' }),
  rollback: Type.Boolean({ description: 'Whether one of its successes is a rollback.' }),
  actor: textOrNull,
  run_url: textOrNull,
  started_at: dateTime({ description: 'The `happened_at` of its first event.' }),
  ended_at: nullable(
    dateTime({ description: 'The `happened_at` of its last event. Null while the deployment has not ended.' }),
  ),
  minutes: nullable(
    Type.Number({
      minimum: 0,
      description: 'The duration in minutes. Null if the deployment has not ended or has only one event.',
    }),
  ),
  events: Type.Integer({ minimum: 1, description: 'The number of its events.' }),
  event_id: uuid({ description: 'The id of its last event.' }),
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
  failed: Type.Integer({ minimum: 0, description: 'The number of changes in the state `failure`.' }),
});
export type NetChange = Static<typeof NetChange>;

const range = {
  from: dateTime({ description: 'Start of the range (inclusive).' }),
  to: dateTime({ description: 'End of the range (exclusive).' }),
  scope: nullable(AnalyticsScope, { description: 'The requested scope. Null if none was requested.' }),
};

export const ChangesPage = Type.Object({
  ...range,
  counts: Type.Object(
    {
      changes: count,
      services: count,
      by_state: ByState,
      elsewhere: Type.Integer({
        minimum: 0,
        description: 'The number of changes in the range that are outside the scope.',
      }),
    },
    {
      description:
        'Counts for the whole range and scope. They are the same on every page and for any `state` and `net`.',
    },
  ),
  ahead: Type.Array(Change, {
    description:
      'The changes whose last event is more than 5 minutes in the future, newest first. Only the first page lists them, and at most 100. They are not in `items`.',
  }),
  items: Type.Union([Type.Array(Change), Type.Array(NetChange)], {
    description:
      'The changes, newest first. With `net=true`, there is one item for each place, and places that changed come first.',
  }),
  next_cursor: nullable(Type.String({ description: 'An opaque cursor for the next page. Null on the last page.' })),
});
export type ChangesPage = Static<typeof ChangesPage>;

export const ChangesHistogram = Type.Object({
  ...range,
  buckets: Type.Array(Type.Object({ from: dateTime(), to: dateTime(), by_state: ByState }), {
    description:
      'Equal parts of the range. Each counts the changes whose last event it contains, and excludes its end.',
  }),
});
export type ChangesHistogram = Static<typeof ChangesHistogram>;
