import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { noOwnership } from '../src/board/ownership.ts';
import { logQueryOf, logQueryOfSlot } from '../src/log/log-query.ts';
import { addressOf } from '../src/state/address.ts';

const known = { services: ['payments-api', 'order-svc', 'Twin', 'twin'], environments: ['dev', 'staging'] };
const asked = (search: string) => logQueryOf(addressOf(search), known, noOwnership);

test.each([
  ['?view=feed', {}, false],
  ['?service=payments-api', { service: 'payments-api' }, false],
  ['?service=Payments-API&environment=DEV', { service: 'payments-api', environment: 'dev' }, false],
  ['?service=unheard-of', { service: 'unheard-of' }, false],
  ['?service=twin', {}, true],
  ['?service=payments-*', {}, true],
  ['?service=payments-ap?', {}, true],
  ['?service=payments-api&service=order-svc', {}, true],
  ['?environment=dev&environment=staging', {}, true],
  ['?status=rejected', { status: 'rejected' }, false],
  ['?only=failed', { status: 'failure' }, false],
  ['?only=running', { status: 'in-progress' }, false],
  ['?deployment=gha-7421', { deployment_id: 'gha-7421' }, false],
  ['?actor=alice', {}, true],
  ['?q=1.4', {}, true],
  [
    '?since=2026-05-03T00:00:00%2B02:00&until=2026-05-04',
    { since: '2026-05-03T00:00:00+02:00', until: '2026-05-04T00:00:00.000Z' },
    false,
  ],
] as const)('the filter %s sets its part of the listing request', (search, listing, isFilteredHere) => {
  expect(asked(search)).toMatchObject({ listing, isFilteredHere, isImpossible: false });
  expect(Object.keys(asked(search).listing)).toEqual(Object.keys(listing));
});

test.each([
  ['?status=success&only=failed', true],
  ['?status=failure&only=failed', false],
  ['?since=2026-05-04&until=2026-05-04', true],
  ['?since=2026-05-04&until=2026-05-03', true],
])('the filter %s contradicts itself: %s', (search, isImpossible) => {
  expect(asked(search).isImpossible).toBe(isImpossible);
});

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

test.each([
  ['?', true],
  ['?service=PAY*', true],
  ['?environment=dev', false],
  ['?q=1.4', true],
  ['?status=success', true],
  ['?status=failure', false],
  ['?only=failed', false],
  ['?actor=alice', true],
  ['?actor=Alice', false],
  ['?deployment=gha-7421', true],
  ['?deployment=gha-742', false],
  ['?since=2026-05-04T09:12:02Z', true],
  ['?until=2026-05-04T09:12:02Z', false],
  ['?since=2026-05-04T11:12:02.0000001%2B02:00', true],
  ['?since=2026-05-04T09:12:02.000001Z', false],
  ['?until=2026-05-04T09:12:02.000001Z', true],
])('an arriving event matches the filter %s: %s', (search, isWanted) => {
  expect(asked(search).wants(event)).toBe(isWanted);
});

test("equal addresses have equal queries, different ones don't", () => {
  expect(asked('?q=a&view=feed').key).toBe(asked('?q=a').key);
  expect(asked('?q=a').key).not.toBe(asked('?q=b').key);
  expect(asked('?actor=a').key).not.toBe(asked('?').key);
});

test('the slot history is requested by exact names', () => {
  const logQuery = logQueryOfSlot({ service: 'payments-*', environment: 'staging' });
  expect(logQuery.listing).toEqual({ service: 'payments-*', environment: 'staging' });
  expect(logQuery.wants(event)).toBe(false);
  expect(logQueryOfSlot({ service: 'payments-api', environment: 'staging' }).wants(event)).toBe(true);
});
