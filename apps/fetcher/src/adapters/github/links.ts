import type { DeploymentStatus } from './api.ts';

/** What the addresses of a status tell of the run of Actions that set it (fetcher §9.2). */
export interface Links {
  /** Empty where the status has none. */
  readonly url: string;
  /** The id of the run as it is written; empty without one. */
  readonly runId: string;
  readonly jobId: number | undefined;
}

/** Ids that a number does not hold exactly could be those of others. */
const digitsMax = 15;

export function linksOf({ logUrl, targetUrl }: Pick<DeploymentStatus, 'logUrl' | 'targetUrl'>): Links {
  const url = logUrl || targetUrl;
  const runId = /\/actions\/runs\/(\d+)/.exec(url)?.[1] ?? '';
  const job = /\/job\/(\d+)/.exec(logUrl)?.[1] ?? /\/job\/(\d+)/.exec(targetUrl)?.[1] ?? '';
  const hasJob = runId !== '' && job !== '' && job.length <= digitsMax;
  return { url, runId, jobId: hasJob ? Number(job) : undefined };
}

/** Whether a run with this id can be asked for. */
export function isRunId(runId: string): boolean {
  return runId !== '' && runId.length <= digitsMax;
}
