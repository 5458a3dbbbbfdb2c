import type { DeploymentEvent, MatrixSlot } from '@shiplog/contract';

/** How one cell of the board stands (§3 Matrix box states). */
export interface Box {
  readonly tone: 'ok' | 'run' | 'bad';
  /** The attempt before the running one failed. */
  readonly warned: boolean;
  /** Shown under what failed or runs. */
  readonly lastSuccess: DeploymentEvent | undefined;
  readonly next: DeploymentEvent | undefined;
}

const tones = { success: 'ok', 'in-progress': 'run', failure: 'bad' } as const;

/** The six states of a box, and `failed` without a success before it, which the table of the specification leaves out. */
export function boxOf({ current, last_successful, prev_failed, next }: MatrixSlot): Box {
  return {
    tone: tones[current.status as keyof typeof tones] ?? 'run',
    warned: current.status === 'in-progress' && prev_failed === true,
    lastSuccess: current.status === 'success' ? undefined : last_successful,
    next,
  };
}

/** Lines of text that a box needs, beside its first. */
export function linesUnder({ warned, lastSuccess, next }: Box): number {
  return Number(warned) + Number(lastSuccess !== undefined) + Number(next !== undefined);
}

/** What to call what was deployed: its version, or what else names it. */
export function versionOf({ version, sha, ref, run_number, deployment_id }: DeploymentEvent): string {
  return version || (sha && shortSha(sha)) || (ref && shortRef(ref)) || run_number || deployment_id;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 12);
}

/** The branch or the tag. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, '');
}
