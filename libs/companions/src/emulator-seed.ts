import { dateTime } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { githubStates, gitlabStatuses, outageTools } from './emulator.ts';
import { closed } from './schema.ts';

/** A hundred years, the same limit as in scenario files. */
const elapsedMinutesMax = 100 * 365 * 24 * 60;
/** Job ids are derived from run ids and must stay exact JavaScript numbers. */
const idMax = 1_000_000_000_000;

const id = Type.Integer({ minimum: 1, maximum: idMax });
const name = Type.String({ minLength: 1, maxLength: 255 });
const segment = Type.String({ pattern: '^[A-Za-z0-9._-]{1,100}$' });
const instant = Type.Optional(
  dateTime({ description: "A time. Seeding shifts all times so that the file's newest time falls on the anchor." }),
);
const elapsed = Type.Optional(
  Type.Number({ minimum: 0, maximum: elapsedMinutesMax, description: 'The number of minutes before the anchor.' }),
);
/** One of the two is required. The emulator checks that when it reads the seed. */
const created = { created_at: instant, elapsed_minutes: elapsed };
const moment = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  format: 'date-time',
  minimum: 0,
  maximum: elapsedMinutesMax,
  description: 'A time, or the number of minutes before the anchor.',
});

const SeedWorkflow = Type.Object(
  {
    id,
    name,
    path: Type.String({ pattern: '^\\.github/workflows/[^/]+\\.ya?ml$', examples: ['.github/workflows/deploy.yml'] }),
    yaml: Type.String({ maxLength: 65_536 }),
    state: Type.Optional(Type.String()),
  },
  closed,
);

const SeedStatus = Type.Object(
  {
    id,
    state: Type.Enum([...githubStates]),
    ...created,
    creator: Type.Optional(name),
    log_url: Type.Optional(Type.String()),
  },
  closed,
);

const SeedReview = Type.Object(
  { state: Type.Enum(['approved', 'rejected']), user: name, submitted_at: moment },
  closed,
);

export const SeedDeployment = Type.Object(
  {
    id,
    sha: name,
    ref: name,
    environment: name,
    payload: Type.Optional(
      Type.Unsafe<object | string>({
        type: ['object', 'string'],
        description: 'An object, or a string as older tools send it.',
      }),
    ),
    creator: name,
    ...created,
    run_id: Type.Optional(id),
    workflow: Type.Optional(id),
    job: Type.Optional(
      Type.String({
        description: 'The key of the job in the workflow file, or `caller / callee` for a job of a reusable workflow.',
      }),
    ),
    task: Type.Optional(name),
    transient: Type.Optional(Type.Boolean()),
    statuses: Type.Array(SeedStatus),
    run_conclusion: Type.Optional(Type.Enum(['success', 'failure', 'cancelled'])),
    run_attempt: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    artifact: Type.Optional(Type.Object({ id, name, content: Type.String({ maxLength: 65_536 }) }, closed)),
    reviews: Type.Optional(Type.Array(SeedReview)),
  },
  closed,
);
export type SeedDeployment = Static<typeof SeedDeployment>;

export const SeedRepo = Type.Object(
  {
    owner: segment,
    owner_type: Type.Optional(Type.Enum(['Organization', 'User'])),
    repo: segment,
    workflows: Type.Array(SeedWorkflow),
    environments: Type.Array(name),
    deployments: Type.Array(SeedDeployment),
    deleted_branches: Type.Optional(Type.Array(name)),
    forbidden: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type SeedRepo = Static<typeof SeedRepo>;

const SeedPipeline = Type.Object(
  {
    id,
    stages: Type.Array(name),
    jobs: Type.Array(Type.Object({ name, stage: name, needs: Type.Optional(Type.Array(name)) }, closed)),
  },
  closed,
);

export const SeedProjectDeployment = Type.Object(
  {
    id,
    iid: id,
    environment: name,
    status: Type.Enum([...gitlabStatuses]),
    sha: name,
    ref: name,
    user: name,
    pipeline: Type.Optional(id),
    job: Type.Optional(name),
    ...created,
    started_at: Type.Optional(moment),
    finished_at: Type.Optional(moment),
    failure_reason: Type.Optional(Type.String()),
    approvals: Type.Optional(
      Type.Array(
        Type.Object(
          {
            user: name,
            status: Type.Enum(['approved', 'rejected']),
            created_at: moment,
            comment: Type.Optional(Type.String()),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);
export type SeedProjectDeployment = Static<typeof SeedProjectDeployment>;

export const SeedProject = Type.Object(
  {
    id,
    path: Type.String({ pattern: '^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+$', examples: ['demo-group/web'] }),
    utc_offset: Type.Optional(Type.String({ pattern: '^[+-]([01]\\d|2[0-3]):[0-5]\\d$', examples: ['+02:00'] })),
    environments: Type.Array(name),
    pipelines: Type.Array(SeedPipeline),
    deployments: Type.Array(SeedProjectDeployment),
  },
  closed,
);
export type SeedProject = Static<typeof SeedProject>;

/** An outage. For GitHub and GitLab it is an issue in `repository`. */
export const SeedOutage = Type.Object(
  {
    id: name,
    tool: Type.Enum([...outageTools]),
    title: name,
    repository: Type.Optional(name),
    service: Type.Optional(name),
    environment: Type.Optional(name),
    severity: Type.Optional(name),
    opened_at: moment,
    resolved_at: Type.Optional(moment),
  },
  closed,
);
export type SeedOutage = Static<typeof SeedOutage>;

/** A dataset from a file or from the `data` member of a call (CI emulator §6). */
export const SeedData = Type.Object(
  {
    _doc: Type.Optional(Type.Unsafe<unknown>({})),
    anchor: Type.Optional(dateTime({ description: 'The newest time after seeding, unless the call sets an anchor.' })),
    repos: Type.Array(SeedRepo),
    projects: Type.Array(SeedProject),
    outages: Type.Optional(Type.Array(SeedOutage)),
  },
  closed,
);
export type SeedData = Static<typeof SeedData>;
