import type { DeploymentEventIngest } from '@shiplog/contract';

let made = 0;

/** A valid event of a separate deployment; a test sets only the fields that it is about. */
export function anEvent(fields: Partial<DeploymentEventIngest> = {}): DeploymentEventIngest {
  made += 1;
  return {
    deployment_id: `deployment-${made}`,
    service: 'payments-api',
    environment: 'staging',
    status: 'success',
    happened_at: '2026-05-04T09:12:02Z',
    ...fields,
  };
}

/** The UTC time this many minutes after a fixed one, so that tests state only the distances between events. */
export function minute(minutes: number): string {
  return new Date(Date.UTC(2026, 4, 4, 9, 0) + minutes * 60_000).toISOString();
}
