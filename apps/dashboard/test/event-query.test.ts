import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { logQueryOfChange, logQueryOfSlot } from '../src/log/log-query.ts';

const event: DeploymentEvent = {
  id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
  deployment_id: 'gha-7421',
  service: 'payments-api',
  environment: 'staging',
  version: '1.4.2',
  status: 'success',
  happened_at: '2026-05-04T09:12:02Z',
  actor: 'alice',
};

test('the slot history is requested by exact names', () => {
  const logQuery = logQueryOfSlot({ service: 'payments-*', environment: 'staging' });
  expect(logQuery.listing).toEqual({ service: 'payments-*', environment: 'staging' });
  expect(logQuery.wants(event)).toBe(false);
  expect(logQueryOfSlot({ service: 'payments-api', environment: 'staging' }).wants(event)).toBe(true);
});

test('the events of a change are those of its deployment in its place', () => {
  const { deployment_id, service, environment } = event;
  const query = logQueryOfChange({ deployment_id, service, environment });
  expect(query.listing).toEqual({ deployment_id, service, environment });
  const others = [{ deployment_id: 'gha-742' }, { service: 'payments' }, { environment: 'prod' }];
  expect([event, ...others.map((other) => ({ ...event, ...other }))].map(query.wants)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
