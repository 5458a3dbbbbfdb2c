import {
  instantIfAny,
  instantOf,
  integerOf,
  itemsOf,
  type Members,
  membersIfAny,
  membersOf,
  textIfAny,
  textOf,
} from '../../tool/shape.ts';

/** What is picked of GitLab's answers (fetcher §10). Every `pick` throws `ShapeFault` on another shape. */

export interface Project {
  readonly id: number;
  /** With its namespace, as GitLab spells it. */
  readonly path: string;
}

/** Instants are RFC 3339 with milliseconds and any offset, as GitLab wrote them. */
export interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ref: string;
  readonly sha: string;
  /** Empty where the account is gone. */
  readonly actor: string;
  readonly environment: string;
  /** Missing for one that was made by the API. */
  readonly job?: DeployJob;
}

/** The job that deploys. */
export interface DeployJob {
  readonly id: number;
  readonly name: string;
  /** Whether it runs for a tag. */
  readonly isTag: boolean;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly webUrl: string;
  readonly pipeline?: Pipeline;
}

export interface Pipeline {
  readonly id: number;
  /** Its number within the project. */
  readonly iid: number | undefined;
  readonly createdAt: string | undefined;
}

/** A project, and whether it is archived. */
export function pickProject(body: unknown): Project & { readonly isArchived: boolean } {
  const members = membersOf(body, 'project');
  return {
    id: integerOf(members, 'id'),
    path: textOf(members, 'path_with_namespace'),
    isArchived: members.archived === true,
  };
}

export function pickProjects(body: unknown): ReturnType<typeof pickProject>[] {
  return itemsOf(body, 'list of projects').map(pickProject);
}

export function pickDeployments(body: unknown): Deployment[] {
  return itemsOf(body, 'list of deployments').map(pickDeployment);
}

function pickDeployment(body: unknown): Deployment {
  const members = membersOf(body, 'deployment');
  const job = membersIfAny(members.deployable, 'deployable');
  return {
    id: integerOf(members, 'id'),
    status: textOf(members, 'status'),
    createdAt: instantOf(members, 'created_at'),
    updatedAt: instantOf(members, 'updated_at'),
    ref: textIfAny(members, 'ref'),
    sha: textIfAny(members, 'sha'),
    actor: textIfAny(membersIfAny(members.user, 'user'), 'username'),
    environment: textIfAny(membersIfAny(members.environment, 'environment'), 'name'),
    ...(job && { job: pickJob(job) }),
  };
}

function pickJob(members: Members): DeployJob {
  const startedAt = instantIfAny(members, 'started_at');
  const finishedAt = instantIfAny(members, 'finished_at');
  const pipeline = membersIfAny(members.pipeline, 'pipeline');
  return {
    id: integerOf(members, 'id'),
    name: textIfAny(members, 'name'),
    isTag: members.tag === true,
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    webUrl: textIfAny(members, 'web_url'),
    ...(pipeline && {
      pipeline: {
        id: integerOf(pipeline, 'id'),
        iid: pipeline.iid === undefined ? undefined : integerOf(pipeline, 'iid'),
        createdAt: instantIfAny(pipeline, 'created_at'),
      },
    }),
  };
}

/** Why a job failed; empty where GitLab does not say. */
export function pickFailureReason(body: unknown): string {
  return textIfAny(membersOf(body, 'job'), 'failure_reason');
}
