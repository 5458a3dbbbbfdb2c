import type { Json } from '../../change.ts';
import {
  instantOf,
  integerOf,
  itemsOf,
  type Members,
  membersOf,
  ShapeFault,
  textIfAny,
  textOf,
} from '../../tool/shape.ts';

/** What is picked of GitHub's answers (fetcher §9). Every `pick` throws `ShapeFault` on another shape. */

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
  /** `undefined` where the account is gone. */
  readonly creator: Actor | undefined;
  /** Instants are RFC 3339 as GitHub wrote them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly transient: boolean;
}

export interface DeploymentStatus {
  readonly id: number;
  readonly state: string;
  readonly creator: Actor | undefined;
  /** Empty where there is none, like `targetUrl`. */
  readonly logUrl: string;
  readonly targetUrl: string;
  readonly createdAt: string;
  /** How its job concluded, where a delivery told it beside the status. */
  readonly jobConclusion?: string;
}

/** A run of Actions, in its newest attempt. */
export interface Run {
  readonly id: number;
  /** The name of its workflow. */
  readonly name: string;
  readonly attempt: number;
  readonly headSha: string;
  /** Of its first attempt. */
  readonly createdAt: string;
  /** Of its workflow file, with `@` and a ref behind it at times. */
  readonly path: string;
  /** Empty while there is none. */
  readonly conclusion: string;
  readonly actor: Actor | undefined;
}

/** A job of an attempt of a run; legs of a matrix are one job each. */
export interface Job {
  readonly id: number;
  readonly name: string;
  readonly attempt: number;
  /** Empty while there is none. */
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

/** A page of deployments, newest first. */
export function pickDeployments(body: unknown): Deployment[] {
  return itemsOf(body, 'list of deployments').map(pickDeployment);
}

export function pickDeployment(body: unknown): Deployment {
  const members = membersOf(body, 'deployment');
  return {
    id: integerOf(members, 'id'),
    sha: textOf(members, 'sha'),
    ref: textOf(members, 'ref'),
    task: textIfAny(members, 'task'),
    payload: (members.payload ?? null) as Json,
    environment: textOf(members, 'environment'),
    creator: actorOf(members.creator),
    createdAt: instantOf(members, 'created_at'),
    updatedAt: instantOf(members, 'updated_at'),
    transient: members.transient_environment === true,
  };
}

/** A page of statuses, in the order of the answer. */
export function pickStatuses(body: unknown): DeploymentStatus[] {
  return itemsOf(body, 'list of statuses').map(pickStatus);
}

export function pickStatus(body: unknown): DeploymentStatus {
  const members = membersOf(body, 'deployment status');
  return {
    id: integerOf(members, 'id'),
    state: textOf(members, 'state'),
    creator: actorOf(members.creator),
    logUrl: textIfAny(members, 'log_url'),
    targetUrl: textIfAny(members, 'target_url'),
    createdAt: instantOf(members, 'created_at'),
  };
}

export function pickRun(body: unknown): Run {
  const members = membersOf(body, 'run');
  return {
    id: integerOf(members, 'id'),
    name: textIfAny(members, 'name'),
    attempt: attemptOf(members),
    headSha: textOf(members, 'head_sha'),
    createdAt: instantOf(members, 'created_at'),
    path: textIfAny(members, 'path'),
    conclusion: textIfAny(members, 'conclusion'),
    actor: actorOf(members.triggering_actor) ?? actorOf(members.actor),
  };
}

/** A page of the jobs of a run. */
export function pickJobs(body: unknown): Job[] {
  return itemsOf(membersOf(body, 'list of jobs').jobs, 'list of jobs').map(pickJob);
}

/** A job, or the check run of one in a delivery. */
export function pickJob(body: unknown): Job {
  const members = membersOf(body, 'job');
  return {
    id: integerOf(members, 'id'),
    name: textOf(members, 'name'),
    attempt: attemptOf(members),
    conclusion: textIfAny(members, 'conclusion'),
    isCompleted: members.status === 'completed',
  };
}

export function pickApprovals(body: unknown): Approval[] {
  return itemsOf(body, 'list of approvals').map((item) => {
    const members = membersOf(item, 'approval');
    const environments = itemsOf(members.environments ?? [], 'list of environments');
    return {
      state: textOf(members, 'state'),
      environments: environments.map((one) => textOf(membersOf(one, 'environment'), 'name')),
    };
  });
}

const fileBytesMax = 512 * 1024;

/** The text of a file of at most 512 KiB (fetcher §14). */
export function pickContents(body: unknown): string {
  const members = membersOf(body, 'file');
  const content = textOf(members, 'content');
  if (members.type !== 'file' || members.encoding !== 'base64') throw new ShapeFault('the file has no content');
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > fileBytesMax) throw new ShapeFault(`the workflow file has more than ${fileBytesMax} bytes`);
  return bytes.toString('utf8');
}

/** A page of the artifacts of a run. */
export function pickArtifacts(body: unknown): ListedArtifact[] {
  return itemsOf(membersOf(body, 'list of artifacts').artifacts, 'list of artifacts').map((item) => {
    const members = membersOf(item, 'artifact');
    return {
      id: integerOf(members, 'id'),
      name: textOf(members, 'name'),
      expired: members.expired === true,
    };
  });
}

/** A page of repositories: of an owner, or of the installation of an App. */
export function pickRepositories(body: unknown): ListedRepository[] {
  const list = Array.isArray(body) ? body : membersOf(body, 'list of repositories').repositories;
  return itemsOf(list, 'list of repositories').map((item) => {
    const members = membersOf(item, 'repository');
    return { fullName: textOf(members, 'full_name'), archived: members.archived === true };
  });
}

function actorOf(value: unknown): Actor | undefined {
  if (value === null || value === undefined) return undefined;
  const members = membersOf(value, 'account');
  const login = textOf(members, 'login');
  return { login, isBot: members.type === 'Bot' || login.endsWith('[bot]') };
}

/** Servers that know no attempts leave it out. */
function attemptOf(members: Members): number {
  return members.run_attempt === undefined || members.run_attempt === null ? 1 : integerOf(members, 'run_attempt');
}
