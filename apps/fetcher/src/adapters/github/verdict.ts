import type { Status } from '@shiplog/contract';
import type { Deployment, DeploymentStatus, Job } from './api.ts';
import type { AskedRun, Jobs } from './asked-run.ts';

const heldMaxMs = 10 * 60_000;

export interface Case {
  readonly asked: AskedRun | undefined;
  readonly deployment: Deployment;
  readonly status: DeploymentStatus;
  readonly nowMs: number;
}

/**
 * How it failed: rejected, cancelled, or failure (fetcher §9.3). `undefined` while neither its job nor its run has
 * concluded, for at most 10 min.
 */
export async function verdictOn(found: Case, signal: AbortSignal): Promise<Status | undefined> {
  const { asked, status } = found;
  if (!asked) return endOf(status.jobConclusion ?? '');
  const known = asked.verdicts.get(status.id);
  if (known) return known;
  const verdict = await judged(found, asked, signal);
  if (verdict) asked.verdicts.set(status.id, verdict);
  return verdict;
}

export function endOf(conclusion: string): Status {
  return conclusion === 'cancelled' ? 'cancelled' : 'failure';
}

async function judged(
  { deployment, status, nowMs }: Case,
  asked: AskedRun,
  signal: AbortSignal,
): Promise<Status | undefined> {
  const environment = deployment.environment.toLowerCase();
  const isRejected = (await asked.approvals(signal)).some(
    ({ state, environments }) => state === 'rejected' && environments.some((one) => one.toLowerCase() === environment),
  );
  if (isRejected) return 'rejected';
  const conclusion = await conclusionOf(status, asked, signal);
  const isHeld = conclusion === '' && nowMs - Date.parse(status.createdAt) < heldMaxMs;
  return isHeld ? undefined : endOf(conclusion ?? '');
}

/** Of the job, else of the run; empty if neither has one yet, `undefined` if neither can be read. */
async function conclusionOf(
  status: DeploymentStatus,
  asked: AskedRun,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (status.jobConclusion) return status.jobConclusion;
  const { jobId } = status;
  const sinceMs = Date.parse(status.createdAt);
  const job = jobId === undefined ? undefined : await jobOf(jobId, { asked, sinceMs, signal });
  if (job?.conclusion) return job.conclusion;
  const run = await asked.run(signal, { sinceMs, is: ({ conclusion }) => conclusion !== '' });
  return run?.conclusion ?? job?.conclusion;
}

interface Since {
  readonly asked: AskedRun;
  readonly sinceMs: number;
  readonly signal: AbortSignal;
}

async function jobOf(id: number, { asked, sinceMs, signal }: Since): Promise<Job | undefined> {
  const is = (jobs: Jobs) => Boolean(jobs.get(id)?.conclusion);
  await asked.patience.bear('jobs', () => asked.jobs(signal, { sinceMs, is }));
  return asked.job(id);
}
