import { DeploymentEventIngest, dateTime, nullable } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { ciTools, emissionOutcomes, emulatorLimits, githubStates, gitlabStatuses, outageTools } from './emulator.ts';
import { SeedData } from './emulator-seed.ts';
import { closed, count, timeOrNull } from './schema.ts';

const name = Type.String({ minLength: 1, maxLength: 255 });
const seedNumber = Type.Integer({ minimum: 0, maximum: emulatorLimits.seedMax });
const tool = Type.Enum([...ciTools]);

export const CiRateLimit = Type.Object({
  limit: count('The limit of the window.'),
  remaining: count('Left.'),
  used: count('Charged.'),
  reset: count('Epoch seconds.'),
});

/** The first eight members are those of the driver's card, in the same order (CI emulator §5.1). */
export const CiStatus = Type.Object({
  dataset: Type.String({ description: 'The last seeded dataset. Empty after a clear.', examples: ['demo'] }),
  repos: count('Repositories and projects.'),
  deployments: count('Deployments of both tools.'),
  statuses: count('Statuses of deployments.'),
  workflows: count('Workflows and pipelines.'),
  environments: count('Environments of every repository and project.'),
  emitting: Type.Boolean(),
  seeded_at: timeOrNull('Time of the last seeding.'),
  seed: seedNumber,
  now: dateTime({ description: "The emulator's time." }),
  rate_limit: nullable(CiRateLimit, { description: 'The rate limit of the last token used.' }),
  faults: count('Fault rules that can still apply.'),
  webhooks: count('Webhook targets.'),
  requests: Type.Object({
    total: count('Requests to the tools.'),
    not_modified: count('Responses with 304.'),
    charged: count('Requests counted against a limit.'),
    refused: count('Responses with 400 or above.'),
  }),
});
export type CiStatus = Static<typeof CiStatus>;

export const CiSeedRequest = Type.Object(
  {
    dataset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        default: 'demo',
        description: '`demo`, `random`, `empty`, a file in `SCENARIOS_DIR/ci`, or a name for the dataset in `data`.',
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: emulatorLimits.randomServicesMax,
        default: emulatorLimits.randomServices,
        description: 'The number of services in the `random` dataset.',
      }),
    ),
    reset: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to clear the store first. Otherwise, items with a known id are skipped.',
      }),
    ),
    seed: Type.Optional(seedNumber),
    anchor: Type.Optional(dateTime({ description: 'The newest time after seeding. Defaults to now.' })),
    data: Type.Optional(SeedData),
  },
  closed,
);
export type CiSeedRequest = Static<typeof CiSeedRequest>;

export const CiEmission = Type.Object({
  emitting: Type.Boolean(),
  interval_ms: Type.Integer(),
  emitted: count('Deployments emitted since the last clear.'),
});
export type CiEmission = Static<typeof CiEmission>;

export const CiEmitRequest = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: 'Whether to turn emission on. If absent, the call toggles it.' }),
    ),
    once: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: emulatorLimits.onceMax,
        description: 'Emits this many deployments at once, without toggling emission.',
      }),
    ),
    interval_ms: Type.Optional(
      Type.Integer({ minimum: emulatorLimits.emitIntervalMsMin, maximum: emulatorLimits.pauseMsMax }),
    ),
    outcome: Type.Optional(Type.Enum([...emissionOutcomes])),
    repository: Type.Optional(Type.String({ description: '`owner/repo`, or the path of a project.' })),
    environment: Type.Optional(name),
  },
  closed,
);
export type CiEmitRequest = Static<typeof CiEmitRequest>;

/** Opens an outage, or resolves the one with this `id` and `tool`. */
export const CiOutageRequest = Type.Object(
  {
    tool: Type.Enum([...outageTools], { description: 'For `github` and `gitlab` the outage is an issue.' }),
    id: Type.Optional(name),
    title: Type.Optional(name),
    repository: Type.Optional(Type.String({ description: 'The repository or project of an issue.' })),
    service: Type.Optional(name),
    environment: Type.Optional(name),
    severity: Type.Optional(name),
    state: Type.Optional(Type.Enum(['open', 'resolved'], { default: 'open' })),
    at: Type.Optional(dateTime({ description: 'When it opened or was resolved. Defaults to now.' })),
  },
  closed,
);
export type CiOutageRequest = Static<typeof CiOutageRequest>;

export const CiOutage = Type.Object({
  id: Type.String(),
  tool: Type.Enum([...outageTools]),
  title: Type.String(),
  repository: nullable(Type.String()),
  opened_at: dateTime(),
  resolved_at: timeOrNull('Null while it is open.'),
});
export type CiOutage = Static<typeof CiOutage>;
export const CiOutages = Type.Object({ items: Type.Array(CiOutage) });

export const CiDeploymentRequest = Type.Object(
  {
    repository: Type.String({
      description: '`owner/repo`, or the path of a project.',
      examples: ['demo-org/payments-api'],
    }),
    environment: name,
    sha: Type.Optional(name),
    ref: Type.Optional(name),
    task: Type.Optional(name),
    payload: Type.Optional(Type.Unsafe<object | string>({ type: ['object', 'string'] })),
    creator: Type.Optional(name),
    run: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 })),
    job: Type.Optional(Type.String()),
    transient: Type.Optional(Type.Boolean()),
    state: Type.Optional(Type.Enum([...githubStates])),
    status: Type.Optional(Type.Enum([...gitlabStatuses])),
  },
  closed,
);
export type CiDeploymentRequest = Static<typeof CiDeploymentRequest>;

export const CiStatusRequest = Type.Object(
  {
    state: Type.Enum([...new Set([...githubStates, ...gitlabStatuses])]),
    at: Type.Optional(dateTime()),
    job_conclusion: Type.Optional(Type.Enum(['success', 'failure', 'cancelled', 'skipped'])),
    run_conclusion: Type.Optional(Type.Enum(['success', 'failure', 'cancelled'])),
    rejected_by: Type.Optional(name),
  },
  closed,
);
export type CiStatusRequest = Static<typeof CiStatusRequest>;

export const CiDeploymentCreated = Type.Object({
  id: Type.Integer(),
  deployment_id: Type.String({ examples: ['gh-deploy-4840006'] }),
});
export type CiDeploymentCreated = Static<typeof CiDeploymentCreated>;
export const CiStatusCreated = Type.Object({ id: Type.Integer() });

export const CiRepositoryRequest = Type.Object(
  {
    forbidden: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    renamed_to: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+$', description: 'The full path.' }),
    ),
  },
  closed,
);
export const CiRepository = Type.Object({
  id: Type.Integer(),
  full_name: Type.String(),
  forbidden: Type.Boolean(),
  archived: Type.Boolean(),
});
export type CiRepository = Static<typeof CiRepository>;

export const CiClockRequest = Type.Object(
  { now: Type.Optional(dateTime()), advance_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 31_536_000_000 })) },
  closed,
);
export const CiClock = Type.Object({ clock: Type.Enum(['real', 'virtual']), now: dateTime() });
export type CiClock = Static<typeof CiClock>;

export const CiRequest = Type.Object({
  at: dateTime(),
  tool,
  method: Type.String(),
  path: Type.String(),
  query: Type.String(),
  status: Type.Integer({ description: 'The status of the response, or 0 if a fault suppressed it.' }),
  charged: Type.Boolean(),
  conditional: Type.Boolean(),
  token_hash: Type.String(),
  fault: Type.Optional(Type.String({ description: 'The effect that was applied.' })),
});
export type CiRequest = Static<typeof CiRequest>;
export const CiRequests = Type.Object({ items: Type.Array(CiRequest) });

export const CiExport = Type.Object({ items: Type.Array(DeploymentEventIngest) });
export type CiExport = Static<typeof CiExport>;
