import { type DeploymentEvent, instantKey } from '@shiplog/contract';
import { releaseName } from '@shiplog/text';

/** Compares rows of a slot: by `happened_at`, then by `id` (relay §9.7). */
export function isBefore(one: DeploymentEvent, other: DeploymentEvent): boolean {
  const [at, otherAt] = [instantKey(one.happened_at), instantKey(other.happened_at)];
  return at === otherAt ? one.id < other.id : at < otherAt;
}

/** Whether the last terminal row before the event failed; `undefined` if `rows`, newest first, contain none. */
export function recoveryIn(rows: readonly DeploymentEvent[], event: DeploymentEvent): boolean | undefined {
  const last = rows.find((row) => isBefore(row, event) && (row.status === 'success' || row.status === 'failure'));
  return last && last.status === 'failure';
}

/** Whether these rows of the event's slot contain an earlier success of its release. */
export function isKnownIn(rows: readonly DeploymentEvent[], event: DeploymentEvent): boolean {
  return rows.some((row) => row.status === 'success' && isBefore(row, event) && isSameRelease(row, event));
}

/** A version never equals a sha (questions §12.1); rows with neither have no release. */
function isSameRelease(row: DeploymentEvent, event: DeploymentEvent): boolean {
  if (event.version || row.version) return event.version === row.version;
  return event.sha !== undefined && event.sha !== '' && event.sha === row.sha;
}

/** A row with neither version nor sha has no release, so it can't be the arrival of one. */
export function hasRelease(event: DeploymentEvent): boolean {
  return releaseName(event) !== '';
}
