import type { DeploymentEvent, MatrixRow, ReleaseDetail } from '@shiplog/contract';
import { anEvent } from './an-event.ts';

export const nowMs = Date.parse('2026-05-04T12:00:00Z');
let ids = 0;

/** An event from this many minutes ago. */
export function row(status: DeploymentEvent['status'], minutesAgo: number, of: Partial<DeploymentEvent> = {}) {
  const happened_at = new Date(nowMs - minutesAgo * 60_000).toISOString();
  ids += 1;
  return anEvent({ id: `id-${9000 - minutesAgo}-${ids}`, version: '4.18.0', status, happened_at, ...of });
}

/** A release with these rows in staging, newest first. */
export function release(events: DeploymentEvent[], since: string | null, until: string | null = null): ReleaseDetail {
  const effective = events.find(({ status }) => ['in-progress', 'success', 'failure'].includes(status));
  return {
    service: 'checkout-api',
    version: '4.18.0',
    sha: '26d88eb0c1d2e3f4',
    ref: null,
    actor: null,
    first_at: '',
    last_at: '',
    runs_in: since === null ? [] : ['staging'],
    places: effective ? { staging: { event: effective, since, until } } : {},
    events,
    replaced: {},
  };
}

/** The row of its service, with this state in staging. */
export function slot(slotState: MatrixRow['slots'][string]): MatrixRow {
  return { service: 'checkout-api', slots: { staging: slotState } };
}
