import type { DeploymentEventIngest } from '@shiplog/contract';

let made = 0;

/** A valid event; only what a test is about needs to be spelled out. Each has a deployment of its own. */
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

/** The UTC instant some minutes after a fixed moment, so that tests say only how events lie to one another. */
export function minute(minutes: number): string {
  return new Date(Date.UTC(2026, 4, 4, 9, 0) + minutes * 60_000).toISOString();
}
