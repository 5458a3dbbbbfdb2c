import type { DeploymentEventIngest } from '@shiplog/contract';

let made = 0;

/** A valid event of a new deployment. A test sets only the fields that matter to it. */
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

/** The UTC time this many minutes after a fixed time, so that tests only state the time between events. */
export function minute(minutes: number): string {
  return new Date(Date.UTC(2026, 4, 4, 9, 0) + minutes * 60_000).toISOString();
}
