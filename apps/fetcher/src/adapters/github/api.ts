import { type Static, Type } from 'typebox';
import type { Json } from '../../change.ts';
import {
  Anything,
  absentOr,
  Count,
  Instant,
  listReader,
  type Reader,
  reader,
  ShapeFault,
  textOrEmpty,
} from '../../tool/shape.ts';

/**
 * The parts of GitHub's responses that the fetcher reads (fetcher §9). Every `pick` throws `ShapeFault` if the shape
 * differs.
 */

export interface Actor {
  readonly login: string;
  readonly isBot: boolean;
}

export interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly task: string;
  /** An object, or text that may be JSON. */
  readonly payload: Json;
  readonly environment: string;
  /** `undefined` if the account was deleted. */
  readonly creator: Actor | undefined;
  /** Instants are in RFC 3339, as GitHub wrote them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly transient: boolean;
}

export interface DeploymentStatus extends RunLinks {
  readonly id: number;
  readonly state: string;
  readonly creator: Actor | undefined;
  readonly createdAt: string;
  /** The conclusion of its job, if a delivery contained it. */
  readonly jobConclusion?: string;
}

/** The GitHub Actions run and job that the URLs of a status name (fetcher §9.2). */
export interface RunLinks {
  readonly url: string;
  /** The run id as in the URL; may be empty. */
  readonly runId: string;
  readonly jobId: number | undefined;
}

/** The newest attempt of a run of Actions. */
export interface Run {
  readonly id: number;
  readonly name: string;
  readonly attempt: number;
  readonly headSha: string;
  readonly createdAt: string;
  /** The path of its workflow file, sometimes followed by `@` and a ref. */
  readonly path: string;
  readonly conclusion: string;
  readonly actor: Actor | undefined;
}

/** A job in an attempt of a run; each leg of a matrix is one job. */
export interface Job {
  readonly id: number;
  readonly name: string;
  readonly attempt: number;
  readonly conclusion: string;
  readonly isCompleted: boolean;
}

export interface Approval {
  readonly state: string;
  readonly environments: readonly string[];
}

export interface ListedArtifact {
  readonly id: number;
  readonly name: string;
  readonly expired: boolean;
}

export interface ListedRepository {
  /** `owner/name` as GitHub spells it. */
  readonly fullName: string;
  readonly archived: boolean;
}

const AccountShape = Type.Object({ login: Type.String(), type: Anything });

const readDeployment = reader(
  'deployment',
  Type.Object({
    id: Count,
    sha: Type.String(),
    ref: Type.String(),
    task: Anything,
    payload: Anything,
    environment: Type.String(),
    creator: absentOr(AccountShape),
    created_at: Instant,
    updated_at: Instant,
    transient_environment: Anything,
  }),
);

export function pickDeployment(body: unknown): Deployment {
  const { id, sha, ref, environment, ...deployment } = readDeployment(body);
  return {
    ...{ id, sha, ref, environment },
    task: textOrEmpty(deployment.task),
    payload: (deployment.payload ?? null) as Json,
    creator: actorOf(deployment.creator),
    createdAt: deployment.created_at,
    updatedAt: deployment.updated_at,
    transient: deployment.transient_environment === true,
  };
}

export const pickDeployments = listReader('list of deployments', pickDeployment);

const readStatus = reader(
  'deployment status',
  Type.Object({
    id: Count,
    state: Type.String(),
    creator: absentOr(AccountShape),
    log_url: Anything,
    target_url: Anything,
    created_at: Instant,
  }),
);

export function pickStatus(body: unknown): DeploymentStatus {
  const { id, state, ...status } = readStatus(body);
  return {
    ...{ id, state },
    creator: actorOf(status.creator),
    ...linksOf({ logUrl: textOrEmpty(status.log_url), targetUrl: textOrEmpty(status.target_url) }),
    createdAt: status.created_at,
  };
}

/** A number can't represent longer ids exactly. */
const idDigitsMax = 15;

export function linksOf({ logUrl, targetUrl }: { readonly logUrl: string; readonly targetUrl: string }): RunLinks {
  const url = logUrl || targetUrl;
  const runId = /\/actions\/runs\/(\d+)/.exec(url)?.[1] ?? '';
  const job = /\/job\/(\d+)/.exec(logUrl)?.[1] ?? /\/job\/(\d+)/.exec(targetUrl)?.[1] ?? '';
  return { url, runId, jobId: runId !== '' && isExact(job) ? Number(job) : undefined };
}

/** Whether a run or job with this id can be requested. */
export function isExact(id: string): boolean {
  return id !== '' && id.length <= idDigitsMax;
}

export const pickStatuses = listReader('list of statuses', pickStatus);

const readRun = reader(
  'run',
  Type.Object({
    id: Count,
    name: Anything,
    run_attempt: absentOr(Count),
    head_sha: Type.String(),
    created_at: Instant,
    path: Anything,
    conclusion: Anything,
    triggering_actor: absentOr(AccountShape),
    actor: absentOr(AccountShape),
  }),
);

export function pickRun(body: unknown): Run {
  const run = readRun(body);
  return {
    id: run.id,
    name: textOrEmpty(run.name),
    attempt: run.run_attempt ?? attemptIfMissing,
    headSha: run.head_sha,
    createdAt: run.created_at,
    path: textOrEmpty(run.path),
    conclusion: textOrEmpty(run.conclusion),
    actor: actorOf(run.triggering_actor) ?? actorOf(run.actor),
  };
}

/** Some GitHub Enterprise servers omit attempts. */
const attemptIfMissing = 1;

const readJob = reader(
  'job',
  Type.Object({ id: Count, name: Type.String(), run_attempt: absentOr(Count), conclusion: Anything, status: Anything }),
);

/** A job, or the check run of a job in a delivery. */
export function pickJob(body: unknown): Job {
  const { id, name, run_attempt, conclusion, status } = readJob(body);
  return {
    ...{ id, name },
    attempt: run_attempt ?? attemptIfMissing,
    conclusion: textOrEmpty(conclusion),
    isCompleted: status === 'completed',
  };
}

export const pickJobs = memberReader('jobs', listReader('list of jobs', pickJob));

const readApproval = reader('approval', Type.Object({ state: Type.String(), environments: Anything }));
const readEnvironments = listReader(
  'list of environments',
  reader('environment', Type.Object({ name: Type.String() })),
);

export const pickApprovals = listReader('list of approvals', (body): Approval => {
  const { state, environments } = readApproval(body);
  return { state, environments: readEnvironments(environments ?? []).map(({ name }) => name) };
});

const fileBytesMax = 512 * 1024;

const readFile = reader(
  'file',
  Type.Object({ content: Type.String(), type: Type.Literal('file'), encoding: Type.Literal('base64') }),
);

/** The text of a file of at most 512 KiB (fetcher §14). */
export function pickContents(body: unknown): string {
  const bytes = Buffer.from(readFile(body).content, 'base64');
  if (bytes.length > fileBytesMax) throw new ShapeFault(`the workflow file has more than ${fileBytesMax} bytes`);
  return bytes.toString('utf8');
}

const readArtifact = reader('artifact', Type.Object({ id: Count, name: Type.String(), expired: Anything }));

export const pickArtifacts = memberReader(
  'artifacts',
  listReader('list of artifacts', (body): ListedArtifact => {
    const { id, name, expired } = readArtifact(body);
    return { id, name, expired: expired === true };
  }),
);

const readRepository = reader('repository', Type.Object({ full_name: Type.String(), archived: Anything }));

const pickRepositoryList = listReader('list of repositories', (body): ListedRepository => {
  const { full_name, archived } = readRepository(body);
  return { fullName: full_name, archived: archived === true };
});
const pickInstallation = memberReader('repositories', pickRepositoryList);

export function pickRepositories(body: unknown): ListedRepository[] {
  return Array.isArray(body) ? pickRepositoryList(body) : pickInstallation(body);
}

function memberReader<Body>(name: string, read: Reader<Body>): Reader<Body> {
  const readHolder = reader(`answer with ${name}`, Type.Object({ [name]: Type.Unknown() }));
  return (body) => read(readHolder(body)[name]);
}

function actorOf(account: Static<typeof AccountShape> | null | undefined): Actor | undefined {
  if (!account) return undefined;
  return { login: account.login, isBot: account.type === 'Bot' || account.login.endsWith('[bot]') };
}
