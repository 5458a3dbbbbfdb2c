import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { DeploymentEvent } from './deployment.ts';
import { dateTime, nullable, orNull, text, uuid } from './text.ts';

/** States of a component (§2 ComponentEvent, reading 7.1). */
export const componentStates = ['running', 'idle', 'paused', 'error'] as const;
export type ComponentState = (typeof componentStates)[number];
export const ComponentStateShape = Type.Enum([...componentStates], { examples: ['running'] });

/** States of the service's reset (§3 Reset lifecycle). */
export const resetStates = ['idle', 'draining', 'resetting'] as const;
export type ResetState = (typeof resetStates)[number];
export const ResetStateShape = Type.Enum([...resetStates], { examples: ['draining'] });

/** The known `event_type` values; others are accepted (§2). */
export const knownEventTypes = ['status', 'heartbeat', 'error', 'reset-ack', 'rate-limit'] as const;

/** The service reports a removed event with this component event. The payload is `{ id }` (reading 8.7). */
export const removalReport = { componentId: 'shiplog', eventType: 'event-removed', state: 'running' } as const;

/** Frame names of the control stream (§6); `reset-aborted` is from reading 7.5. */
export const controlFrameTypes = ['reset-initiated', 'reset-started', 'reset-completed', 'reset-aborted'] as const;
export type ControlFrameType = (typeof controlFrameTypes)[number];

/** The `component` of a control frame for all components (§2). */
export const everyComponent = '*';

/** By default, a reset waits for acks from these components (§3). */
export const resetExpectedComponents = ['dashboard-fetcher', 'demo-driver'] as const;

/** A component report as posted (§2 ComponentEvent, reading 7.1). */
export const ComponentEvent = Type.Object(
  {
    event_type: text(1, limits.eventType, {
      description: `The known values are ${knownEventTypes.join(', ')}. Other values are accepted.`,
      examples: ['status'],
    }),
    state: ComponentStateShape,
    detail: orNull(text(0, limits.componentDetail, { examples: ['polling every 60 s'] })),
    occurred_at: dateTime({
      description: "When the event happened, according to the component's clock.",
      examples: ['2026-05-04T09:12:02Z'],
    }),
    payload: orNull(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: `An opaque object of at most ${limits.payloadBytes} UTF-8 bytes. It is stored verbatim.`,
          examples: [{ adapter: 'github-actions' }],
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'A component report. A `detail` or `payload` of `null` counts as absent.',
  },
);
export type ComponentEvent = Static<typeof ComponentEvent>;

const whole = (description: string) => nullable(Type.Integer(), { description });

/** The payload of a `rate-limit` report, by convention (§2 Rate-limit payload); the service does not check it. */
export const RateLimit = Type.Object({
  adapter: Type.String({ description: 'The adapter that took the snapshot.', examples: ['github-actions'] }),
  ci_limit: whole('The total hourly quota of the CI/CD API.'),
  ci_remaining: whole('The remaining quota, shared by all consumers.'),
  own_budget: whole("The fetcher's own limit: a percentage of `ci_limit`, rounded down."),
  own_used: whole("The fetcher's own requests in this window."),
  reset_at: nullable(dateTime(), { description: 'When the next window begins.' }),
});
export type RateLimit = Static<typeof RateLimit>;

/** A stored component report, and the data of a `component` frame (§2 ComponentEventRecord). */
export const ComponentEventRecord = Type.Object({
  id: uuid(),
  component_id: Type.String({ examples: ['demo-driver'] }),
  correlation_id: nullable(Type.String()),
  event_type: Type.String({ examples: ['heartbeat'] }),
  state: ComponentStateShape,
  detail: Type.Optional(Type.String()),
  occurred_at: Type.String({ description: 'The time as posted by the component.' }),
  received_at: dateTime(),
  payload: Type.Optional(
    Type.Union([RateLimit, Type.Object({}, { additionalProperties: true })], {
      description: 'The payload as posted. By convention, a `rate-limit` report has a `RateLimit`.',
    }),
  ),
});
export type ComponentEventRecord = Static<typeof ComponentEventRecord>;

/** Newest first (reading 7.8). */
export const ComponentEventPage = Type.Object({
  items: Type.Array(ComponentEventRecord),
  next_cursor: nullable(Type.String()),
});
export type ComponentEventPage = Static<typeof ComponentEventPage>;

/** Data of a control frame (§2 Control stream frame). */
export const ControlStreamEvent = Type.Object({
  id: uuid(),
  type: Type.String({ description: `The known values are ${controlFrameTypes.join(', ')}. Ignore others.` }),
  component: Type.String({
    description: 'The component that the frame is for. `*` means all components.',
    examples: ['*'],
  }),
  correlation_id: uuid({ description: 'The id of the `reset-initiated` frame that started the reset.' }),
  occurred_at: dateTime(),
});
export type ControlStreamEvent = Static<typeof ControlStreamEvent>;

/** Reading 7.3. */
export const ResetAccepted = Type.Object({
  correlation_id: uuid(),
  state: ResetStateShape,
  accepted_at: dateTime(),
});
export type ResetAccepted = Static<typeof ResetAccepted>;

/** Reading 8.7. */
export const RemovalRequest = Type.Object(
  {
    reason: text(1, limits.removalReason, {
      description: 'Why the event is removed. The reason is stored with the event.',
      examples: ['posted by a test run against production'],
    }),
  },
  { additionalProperties: false },
);

export const Removal = Type.Object({
  event: DeploymentEvent,
  reason: Type.String({ examples: ['posted by a test run against production'] }),
  removed_at: dateTime(),
});

/** Latest removal first. */
export const RemovalPage = Type.Object({
  items: Type.Array(Removal),
  next_cursor: nullable(Type.String()),
});
export type RemovalPage = Static<typeof RemovalPage>;

const foldRow = nullable(Type.Object({}, { additionalProperties: true }));

/** Reading 8.10. */
export const FoldComparison = Type.Object({
  fold: Type.String({ examples: ['status_runs'] }),
  compared: Type.Integer({ description: 'How many rows were compared.' }),
  differences: Type.Array(
    Type.Object({
      kind: Type.Enum(['missing', 'unexpected', 'wrong'], {
        description: 'The row is not stored, does not follow from the log, or has values that differ from the log.',
      }),
      rows: Type.Integer(),
      example: Type.Object({ expected: foldRow, stored: foldRow }),
    }),
  ),
  next: nullable(Type.Object({ fold: Type.String(), after: Type.String() }), {
    description: 'The parameters of the next call; `null` after the last one.',
  }),
  repair: Type.String({ description: 'The SQL statement that makes the service rebuild all folds.' }),
});
export type FoldComparison = Static<typeof FoldComparison>;
