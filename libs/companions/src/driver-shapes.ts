import { dateTime, nullable, StatusShape } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { closed, count, timeOrNull } from './schema.ts';

/** The default settings of the driver, and the limits in its rules (companion services §8). */
export const driverLimits = {
  port: 3001,
  emitDelayMs: 0,
  emitIntervalMs: 8000,
  /** The longest delay that a timer in Node supports. */
  pauseMsMax: 2 ** 31 - 1,
  resetGateMaxTtlMs: 90_000,
  randomScenariosMax: 10,
  /** The ages in hours of the two historical events of each environment in a random scenario. */
  historyHours: [4, 2],
  attempts: 3,
  retryWaitsMs: [100, 200, 400],
  attemptTimeoutMs: 10_000,
  ackDrainMs: 3000,
  healthProbeMs: 2000,
  proxyTimeoutMs: 10_000,
  forwardedBodyBytes: 5 * 1024 * 1024,
  /** If no byte arrives from upstream for this time, the passthrough sends its own ping. */
  upstreamSilentMs: 20_000,
} as const;

/** The component id of the driver. A reset waits for its ack (§8). */
export const driverComponentId = 'demo-driver';
export const driverReporterPrefix = 'demo-driver/';
/** The built-in scenario, and the number of its events. */
export const demoSet = { name: 'demo-set', events: 47 } as const;

/** The states of the driver's scenario run (companion services §3). */
export const runStates = ['idle', 'running', 'done', 'failed', 'blocked'] as const;
export type RunState = (typeof runStates)[number];
/** The states of the driver during a reset (companion services §3). */
export const resetParticipations = ['idle', 'blocked'] as const;
export type ResetParticipation = (typeof resetParticipations)[number];

export const DemoStatus = Type.Object({
  scenario: Type.String({ description: 'The running scenario, or the last one.', examples: [demoSet.name] }),
  state: Type.Enum([...runStates], { description: 'The state of the run. It is `blocked` during a reset.' }),
  events_total: count('Events of the scenario.'),
  events_sent: count('Events for which the response was 201.'),
  errors: count('Events with any other outcome.'),
  started_at: timeOrNull('Start of the run.'),
  finished_at: timeOrNull('End of the run.'),
  reset_state: Type.Enum([...resetParticipations], { description: "The driver's state in a reset." }),
  correlation_id: nullable(Type.String(), {
    description: "The id of the current reset's `reset-initiated` frame. Null if no reset is in progress.",
  }),
});
export type DemoStatus = Static<typeof DemoStatus>;

const delayMs = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: driverLimits.pauseMsMax,
    description: 'The pause between events in milliseconds. 0 means no pause. Defaults to `EMIT_DELAY_MS`.',
    examples: [200],
  }),
);

export const IngestRequest = Type.Object(
  {
    dataset: Type.Optional(
      Type.Enum(['demo', 'random'], { default: 'demo', description: 'The built-in scenario, or random events.' }),
    ),
    // The rule in `then` is checked only if `random` is present (reading 9.1).
    count: Type.Optional(
      Type.Unsafe<number>({
        default: driverLimits.randomScenariosMax,
        description: `The number of random scenarios, from 1 to ${driverLimits.randomScenariosMax}. Each has its own service. Used only for \`random\`.`,
      }),
    ),
    delay_ms: delayMs,
  },
  {
    additionalProperties: false,
    if: { required: ['dataset'], properties: { dataset: { const: 'random' } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: {
      properties: { count: { type: 'integer', minimum: 1, maximum: driverLimits.randomScenariosMax } },
    },
  },
);
export type IngestRequest = Static<typeof IngestRequest>;

export const RunRequest = Type.Object({ delay_ms: delayMs }, closed);
export type RunRequest = Static<typeof RunRequest>;

export const Switch = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: 'Whether to turn emission on. If absent, the call toggles it.' }),
    ),
  },
  closed,
);
export type Switch = Static<typeof Switch>;

export const Emission = Type.Object({ emitting: Type.Boolean() });
export type Emission = Static<typeof Emission>;

export const ScenarioList = Type.Object({ items: Type.Array(Type.String(), { examples: [[demoSet.name]] }) });

export const ScenarioOutlook = Type.Object({
  name: Type.String({ examples: [demoSet.name] }),
  events_total: count('Events of the scenario.'),
  events_refused: count('Events that the target will refuse, according to its OpenAPI document.'),
  statuses_refused: Type.Array(StatusShape, { description: 'The statuses that the target does not accept.' }),
});
export type ScenarioOutlook = Static<typeof ScenarioOutlook>;

export const ApiReset = Type.Object({
  ok: Type.Boolean(),
  http_status: Type.Integer({
    description: "204 on success, 0 on a network error, otherwise the status of the service's response.",
  }),
});
export type ApiReset = Static<typeof ApiReset>;

export const healthNames = ['driver', 'api', 'emulator', 'fetcher'] as const;
const upOrDown = Type.Enum(['up', 'down']);
export const HealthStatus = Type.Object(
  Object.fromEntries(healthNames.map((name) => [name, upOrDown])) as Record<
    (typeof healthNames)[number],
    typeof upOrDown
  >,
);
export type HealthStatus = Static<typeof HealthStatus>;

const reporter = Type.String({ examples: [`${driverReporterPrefix}demo`] });

export const PostedFrame = Type.Object({
  deployment_id: Type.String(),
  service: Type.String(),
  environment: Type.String(),
  status: StatusShape,
  happened_at: dateTime(),
  posted_at: dateTime(),
  reporter,
});
export type PostedFrame = Static<typeof PostedFrame>;

export const ErrorFrame = Type.Object({
  deployment_id: Type.String(),
  http_status: Type.Integer({ description: 'The HTTP status of the response, or 0 on a network error.' }),
  attempt: Type.Integer({ minimum: 1, description: 'The number of attempts so far.' }),
  posted_at: dateTime(),
  reporter,
});
export type ErrorFrame = Static<typeof ErrorFrame>;
