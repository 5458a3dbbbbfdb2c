import type { DeploymentEvent, Status } from '@shiplog/contract';
import type { Output } from '../output.ts';

/** What is deployed, in few characters: the version, else the beginning of the sha, else nothing. */
export function releaseOf({ version, sha }: Pick<DeploymentEvent, 'version' | 'sha'>): string {
  return version || sha?.slice(0, 7) || '';
}

const styles: Readonly<Partial<Record<Status, Parameters<Output['styled']>[0]>>> = {
  success: 'green',
  failure: 'red',
  'in-progress': 'blue',
  rejected: 'red',
};

/** The colour of a status on a terminal. */
export function statusStyle(status: string): Parameters<Output['styled']>[0] {
  return styles[status as Status] ?? 'dim';
}

/** How long ago, in its greatest unit: `3h`. */
export function ageOf(instant: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** An event as one row of a listing: its instant, status, place, release, actor and id. */
export function eventCells(event: DeploymentEvent): string[] {
  const { happened_at, status, service, environment, actor = '', id } = event;
  return [happened_at, status, service, environment, releaseOf(event), actor, id];
}
