import { type Job, jobIndex, jobsOf } from './jobs.ts';
import {
  type GithubDeployment,
  type GithubStatus,
  inOrder,
  type JobConclusion,
  type Repository,
  type RunConclusion,
  seenAt,
  type Workflow,
} from './model.ts';

export type Phase = 'queued' | 'waiting' | 'in_progress' | 'completed';

export interface RunJob {
  readonly id: number;
  readonly attempt: number;
  readonly job: Job;
  readonly phase: Phase;
  readonly conclusion: JobConclusion | null;
  readonly startedAt: number;
  readonly completedAt: number | null;
  readonly deployments: readonly GithubDeployment[];
}

/** An Actions run, derived from its deployments. */
export interface Run {
  readonly id: number;
  readonly workflow: Workflow;
  readonly attempt: number;
  readonly sha: string;
  readonly ref: string;
  readonly actor: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly phase: Phase;
  readonly conclusion: RunConclusion | null;
  readonly deployments: readonly GithubDeployment[];
  /** The jobs of every attempt, in file order. */
  readonly jobs: readonly RunJob[];
}

const phases: Readonly<Record<GithubStatus['state'], Phase>> = {
  pending: 'queued',
  queued: 'queued',
  waiting: 'waiting',
  in_progress: 'in_progress',
  success: 'completed',
  failure: 'completed',
  error: 'completed',
  inactive: 'completed',
};

/** The run with this id at an instant; `undefined` if no deployment belongs to it. */
export function runOf(repository: Repository, id: number, instant: number): Run | undefined {
  const deployments = seenAt(repository.deployments.values(), instant).filter(({ run }) => run?.id === id);
  const [first] = deployments.toSorted((one, other) => one.at - other.at || one.id - other.id);
  if (!first?.run) return undefined;
  const { workflow } = first.run;
  const attempt = Math.max(...deployments.map(attemptOf));
  const statuses = inOrder(deployments.flatMap(({ statuses }) => seenAt(statuses, instant)));
  const endedAs = statuses.findLast(({ runConclusion }) => runConclusion)?.runConclusion;
  const newest = deployments.filter(({ run }) => run?.attempt === attempt).map((one) => lastState(one, instant));
  const phase = runPhase(newest, endedAs);
  const run = {
    id,
    workflow,
    attempt,
    sha: first.sha,
    ref: first.ref,
    actor: first.creator,
    createdAt: first.at,
    updatedAt: Math.max(first.at, ...statuses.map(({ at }) => at)),
    phase,
    conclusion: phase === 'completed' ? (endedAs ?? runConclusion(newest)) : null,
    deployments,
  };
  return { ...run, jobs: jobsOfRun(repository, run, { endedAs, instant }) };
}

/** A link to a deployment's job, with the job's id; `undefined` without Actions. */
export function jobIdOf(repository: Repository, deployment: GithubDeployment): number | undefined {
  const { run } = deployment;
  if (!run) return undefined;
  const index = indexOf(repository, deployment, jobsIn(repository, run.workflow));
  return index < 0 ? undefined : jobId(run.id, run.attempt, index);
}

/** A deployment's job in the workflow file of its run. */
export function jobOf(repository: Repository, deployment: GithubDeployment): Job | undefined {
  const jobs = deployment.run ? jobsIn(repository, deployment.run.workflow) : [];
  return jobs[indexOf(repository, deployment, jobs)];
}

function jobId(runId: number, attempt: number, index: number): number {
  return runId * 1000 + (attempt - 1) * 100 + index + 1;
}

function indexOf(repository: Repository, deployment: GithubDeployment, jobs: readonly Job[]): number {
  const { run, environment } = deployment;
  if (!run) return -1;
  const siblings = [...repository.deployments.values()].filter(
    (other) => other.run?.id === run.id && other.run.attempt === run.attempt && other.run.job === run.job,
  );
  return jobIndex(jobs, { key: run.job, environment, turn: siblings.indexOf(deployment) });
}

function jobsOfRun(
  repository: Repository,
  run: Omit<Run, 'jobs'>,
  { endedAs, instant }: { readonly endedAs: RunConclusion | undefined; readonly instant: number },
): RunJob[] {
  const { deployments, createdAt } = run;
  const jobs = jobsIn(repository, run.workflow);
  const indexes = new Map(deployments.map((deployment) => [deployment, indexOf(repository, deployment, jobs)]));
  const attempts = Array.from({ length: run.attempt }, (_, index) => index + 1);
  return attempts.flatMap((attempt) =>
    jobs.map((job, index): RunJob => {
      const own = deployments.filter((one) => indexes.get(one) === index && attemptOf(one) <= attempt);
      // A job that was not run again is shown unchanged.
      const shown = own.toSorted((one, other) => attemptOf(one) - attemptOf(other)).slice(-1);
      const statuses = inOrder(shown.flatMap((one) => seenAt(one.statuses, instant)));
      const last = statuses.findLast(({ state }) => state !== 'inactive');
      const phase = last ? phases[last.state] : phaseWithoutDeployment(job, run.phase === 'completed');
      return {
        id: jobId(run.id, attempt, index),
        attempt,
        job,
        phase,
        conclusion: phase === 'completed' ? jobConclusion(last, job, endedAs) : null,
        startedAt: statuses[0]?.at ?? createdAt,
        completedAt: phase === 'completed' ? (last?.at ?? createdAt) : null,
        deployments: shown,
      };
    }),
  );
}

function attemptOf({ run }: GithubDeployment): number {
  return run?.attempt ?? 1;
}

/** A job that does not deploy ends when its run has deployed. A job whose deployment was not reached is waiting. */
function phaseWithoutDeployment({ environment }: Job, over: boolean): Phase {
  return environment === undefined || over ? 'completed' : 'queued';
}

function jobConclusion(last: GithubStatus | undefined, job: Job, endedAs: RunConclusion | undefined): JobConclusion {
  if (last?.jobConclusion) return last.jobConclusion;
  if (!last) return job.environment === undefined ? 'success' : 'skipped';
  if (last.state === 'success') return 'success';
  return endedAs === 'cancelled' ? 'cancelled' : 'failure';
}

function lastState({ statuses }: GithubDeployment, instant: number): GithubStatus['state'] {
  const states = inOrder(seenAt(statuses, instant)).map(({ state }) => state);
  return states.findLast((state) => state !== 'inactive') ?? 'queued';
}

function runPhase(states: readonly GithubStatus['state'][], endedAs: RunConclusion | undefined): Phase {
  const open = states.map((state) => phases[state]).filter((phase) => phase !== 'completed');
  if (endedAs || open.length === 0) return 'completed';
  return (['in_progress', 'waiting'] as const).find((phase) => open.includes(phase)) ?? 'queued';
}

function runConclusion(states: readonly GithubStatus['state'][]): RunConclusion {
  return states.every((state) => state === 'success') ? 'success' : 'failure';
}

function jobsIn(repository: Repository, workflow: Workflow): readonly Job[] {
  const jobs = repository.jobs.get(workflow.id) ?? jobsOf(workflow, repository.workflows);
  repository.jobs.set(workflow.id, jobs);
  return jobs;
}
