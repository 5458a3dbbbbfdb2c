import { type Static, Type } from 'typebox';
import { Anything, absentOr, Count, Instant, listReader, reader, textOrEmpty } from '../../tool/shape.ts';

/**
 * The parts of GitLab's responses that the fetcher reads (fetcher §10). Every `pick` throws `ShapeFault` if the shape
 * differs.
 */

export interface Project {
  readonly id: number;
  /** With its namespace, as GitLab spells it. */
  readonly path: string;
}

/** Instants are in RFC 3339 with milliseconds and any offset, as GitLab wrote them. */
export interface Deployment {
  readonly id: number;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ref: string;
  readonly sha: string;
  /** Empty if the account was deleted. */
  readonly actor: string;
  readonly environment: string;
  /** Absent for a deployment created with the API. */
  readonly job?: DeployJob;
}

export interface DeployJob {
  readonly id: number;
  readonly name: string;
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

const readProject = reader(
  'project',
  Type.Object({ id: Count, path_with_namespace: Type.String(), archived: Anything }),
);

export function pickProject(body: unknown): Project & { readonly isArchived: boolean } {
  const { id, path_with_namespace, archived } = readProject(body);
  return { id, path: path_with_namespace, isArchived: archived === true };
}

export const pickProjects = listReader('list of projects', pickProject);

const JobShape = Type.Object({
  id: Count,
  name: Anything,
  tag: Anything,
  started_at: absentOr(Instant),
  finished_at: absentOr(Instant),
  web_url: Anything,
  pipeline: absentOr(Type.Object({ id: Count, iid: Type.Optional(Count), created_at: absentOr(Instant) })),
});

const readDeployment = reader(
  'deployment',
  Type.Object({
    id: Count,
    status: Type.String(),
    created_at: Instant,
    updated_at: Instant,
    ref: Anything,
    sha: Anything,
    user: absentOr(Type.Object({ username: Anything })),
    environment: absentOr(Type.Object({ name: Anything })),
    deployable: absentOr(JobShape),
  }),
);

function pickDeployment(body: unknown): Deployment {
  const { id, status, ...deployment } = readDeployment(body);
  return {
    ...{ id, status },
    createdAt: deployment.created_at,
    updatedAt: deployment.updated_at,
    ref: textOrEmpty(deployment.ref),
    sha: textOrEmpty(deployment.sha),
    actor: textOrEmpty(deployment.user?.username),
    environment: textOrEmpty(deployment.environment?.name),
    ...(deployment.deployable && { job: jobOf(deployment.deployable) }),
  };
}

export const pickDeployments = listReader('list of deployments', pickDeployment);

function jobOf({ id, name, tag, started_at, finished_at, web_url, pipeline }: Static<typeof JobShape>): DeployJob {
  return {
    id,
    name: textOrEmpty(name),
    isTag: tag === true,
    ...(started_at && { startedAt: started_at }),
    ...(finished_at && { finishedAt: finished_at }),
    webUrl: textOrEmpty(web_url),
    ...(pipeline && {
      pipeline: { id: pipeline.id, iid: pipeline.iid, createdAt: pipeline.created_at ?? undefined },
    }),
  };
}

const readFailedJob = reader('job', Type.Object({ failure_reason: Anything }));

/** Why a job failed; empty if GitLab doesn't say. */
export function pickFailureReason(body: unknown): string {
  return textOrEmpty(readFailedJob(body).failure_reason);
}
