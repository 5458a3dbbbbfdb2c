import type { DeploymentEvent } from '@shiplog/contract';

/** An event with default values for all fields that the test doesn't set. */
export function anEvent(interesting: Partial<DeploymentEvent> = {}): DeploymentEvent {
  return {
    id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
    deployment_id: 'gha-1',
    service: 'payments-api',
    environment: 'staging',
    version: '1.4.2',
    status: 'success',
    happened_at: '2026-05-04T09:12:02Z',
    ...interesting,
  };
}
