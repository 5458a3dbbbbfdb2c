import type { Job } from './api.ts';
import { jobsNamed, neededBy, type WorkflowJob } from './workflow.ts';

export interface Relative {
  readonly id: number;
  readonly environment: string;
  /** The ids of the jobs that set its statuses, if known. */
  readonly jobs: ReadonlySet<number>;
}

export interface Family {
  readonly workflow: readonly WorkflowJob[];
  readonly jobs: ReadonlyMap<number, Job>;
  relatives(): readonly Relative[];
  /** Reads all deployments of the run to an environment, or to any. */
  ask(environment: string | undefined): Promise<void>;
}

export interface Own {
  readonly id: number;
  readonly environment: string;
  readonly jobId: number | undefined;
}

/**
 * The ids of the changes that a deployment was promoted from, sorted by code point. Follows `needs` from its job
 * through jobs without a deployment to those with one (fetcher §9.4). The result doesn't depend on the time: later
 * attempts of the run are ignored, and cached deployments count only if every leg has one.
 */
export async function parentsOf(own: Own, family: Family): Promise<string[]> {
  const view = viewOf(own, family);
  const job = ownJob(own, view);
  if (!job) return [];
  const parents = new Set<number>();
  const visited = new Set([job]);
  const waiting = neededBy(job, family.workflow);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const made = await madeBy(next, own, view);
    for (const id of made) parents.add(id);
    if (made.length === 0) waiting.push(...neededBy(next, family.workflow));
  }
  parents.delete(own.id);
  return [...parents].map(changeId).sort();
}

interface View {
  readonly family: Family;
  /** The jobs of this and earlier attempts. */
  readonly jobs: ReadonlyMap<number, Job>;
  /** The jobs of the file that each job name from the API may belong to. */
  readonly named: ReadonlyMap<string, readonly WorkflowJob[]>;
}

function viewOf({ jobId }: Own, family: Family): View {
  const attempt = jobId === undefined ? Number.POSITIVE_INFINITY : (family.jobs.get(jobId)?.attempt ?? 0);
  const jobs = new Map([...family.jobs].filter(([, job]) => job.attempt <= attempt));
  const names = new Set([...jobs.values()].map(({ name }) => name));
  return { family, jobs, named: new Map([...names].map((name) => [name, jobsNamed(name, family.workflow)])) };
}

export function changeId(deploymentId: number): string {
  return `gh-deploy-${deploymentId}`;
}

/** `undefined` if several jobs match. */
function ownJob({ jobId, environment }: Own, { family, jobs, named }: View): WorkflowJob | undefined {
  const deploying = family.workflow.filter((job) => isSame(job.environment, environment));
  if (jobId === undefined) return deploying.length === 1 ? deploying[0] : undefined;
  const candidates = named.get(jobs.get(jobId)?.name ?? '') ?? [];
  const there = candidates.length === 1 ? candidates : candidates.filter((job) => deploying.includes(job));
  return there.length === 1 ? there[0] : undefined;
}

/** Environment names ignore case. */
function isSame(one: string | null | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** The deployments of a job: for every leg, the deployments of its newest attempt. */
async function madeBy(job: WorkflowJob, own: Own, view: View): Promise<number[]> {
  if (job.environment === undefined) return [];
  const legs = newestByName([...view.jobs.values()].filter(({ name }) => view.named.get(name)?.includes(job)));
  const run = legs.filter(({ conclusion }) => conclusion !== 'skipped');
  if (run.length === 0 && legs.length > 0) return [];
  const isKnown = (leg: Job) => view.family.relatives().some(({ jobs }) => jobs.has(leg.id));
  if (run.length === 0 || !run.every(isKnown)) await view.family.ask(job.environment ?? undefined);
  const made = madeByLegs(job, own, view);
  return made.length > 0 ? made : madeThere(job, own, view);
}

function newestByName(jobs: readonly Job[]): Job[] {
  const newest = new Map<string, number>();
  for (const { name, attempt } of jobs) newest.set(name, Math.max(attempt, newest.get(name) ?? 0));
  return jobs.filter(({ name, attempt }) => attempt === newest.get(name));
}

function madeByLegs(job: WorkflowJob, own: Own, { family, jobs, named }: View): number[] {
  const byLeg = new Map<string, { attempt: number; ids: Set<number> }>();
  for (const relative of candidatesOf(own, family)) {
    for (const jobId of relative.jobs) {
      const leg = jobs.get(jobId);
      const candidates = leg ? (named.get(leg.name) ?? []) : [];
      const isOf = candidates.length === 1 || isSame(job.environment, relative.environment);
      if (!leg || !isOf || !candidates.includes(job)) continue;
      const found = byLeg.get(leg.name);
      if (found && found.attempt > leg.attempt) continue;
      if (found?.attempt === leg.attempt) found.ids.add(relative.id);
      else byLeg.set(leg.name, { attempt: leg.attempt, ids: new Set([relative.id]) });
    }
  }
  return [...byLeg.values()].flatMap(({ ids }) => [...ids]);
}

/** The newest earlier deployment to the job's environment whose statuses name no job. */
function madeThere(job: WorkflowJob, own: Own, { family }: View): number[] {
  const there = family
    .relatives()
    .filter(({ id, jobs, environment }) => id < own.id && jobs.size === 0 && isSame(job.environment, environment));
  return there.length === 0 ? [] : [Math.max(...there.map(({ id }) => id))];
}

/** Without a known attempt only earlier deployments count. */
function candidatesOf({ id, jobId }: Own, family: Family): readonly Relative[] {
  return family.relatives().filter((one) => jobId !== undefined || one.id < id);
}
