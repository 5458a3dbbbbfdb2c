import type { Status } from '@shiplog/contract';
import type { DeploymentStatus } from './api.ts';

/** Rules on the statuses of one deployment (fetcher §9.1, §9.3). */

const terminal: ReadonlySet<string> = new Set(['success', 'failure', 'error', 'inactive']);
const open: Readonly<Record<string, Status>> = {
  pending: 'pending',
  queued: 'queued',
  waiting: 'waiting',
  in_progress: 'in-progress',
};

/** Whether a state of GitHub ends a deployment; one that is not known does not. */
export function isTerminal(state: string): boolean {
  return terminal.has(state);
}

/** Oldest first, by instant and id, whatever the order of the answer was. */
export function inOrder(statuses: readonly DeploymentStatus[]): DeploymentStatus[] {
  return statuses.toSorted(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt) || one.id - other.id,
  );
}

export function newestOf(statuses: readonly DeploymentStatus[]): DeploymentStatus | undefined {
  return inOrder(statuses).at(-1);
}

/** What a state means: a status, that only its run can tell how it ended, nothing, or that it is not known. */
export type Meaning = Status | 'failed' | 'nothing' | 'unknown';

/** The meanings of statuses that are in order. */
export function meaningsOf(statuses: readonly DeploymentStatus[]): { status: DeploymentStatus; meaning: Meaning }[] {
  let isOpen = false;
  return statuses.map((status) => {
    const meaning = meaningOf(status.state, isOpen);
    if (meaning !== 'unknown') isOpen = !isTerminal(status.state);
    return { status, meaning };
  });
}

function meaningOf(state: string, isOpen: boolean): Meaning {
  switch (state) {
    case 'success':
      return 'success';
    case 'failure':
    case 'error':
      return 'failed';
    case 'inactive':
      // Superseded while it was open, without which it would run for ever; after its end it says nothing.
      return isOpen ? 'cancelled' : 'nothing';
    default:
      return (Object.hasOwn(open, state) && open[state]) || 'unknown';
  }
}
