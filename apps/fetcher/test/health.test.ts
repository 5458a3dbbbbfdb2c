import type { SourceHealth } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { healthOf, warningOf } from '../src/health.ts';

const well: SourceHealth = {
  ...{ id: 'github-actions', reachable: true, last_outcome: 'ok', last_success_at: null, last_error: null },
  ...{ backfill: null, lag_seconds: null, open: 0, forbidden: [], failing: [], rate_limit: null },
};
const failing = [
  { name: 'acme/shop', since: '2026-05-04T09:00:00.000Z', why: 'GET /repos/acme/shop/deployments: 500' },
];
const bad: SourceHealth = { ...well, last_outcome: 'error', last_error: 'away' };

function statusOf(...sources: readonly SourceHealth[]): string {
  const component = { version: '1', component_id: 'fetcher', started_at: '', paused_for_reset: false };
  return healthOf(component, { queue: 0, sources: [...sources] }).status;
}

test.each([
  ['ok', [well, { ...well, last_outcome: null }]],
  ['degraded', [{ ...well, failing }]],
  ['degraded', [{ ...well, last_error: 'No access to acme/shop.' }]],
  ['degraded', [well, bad]],
  ['error', [bad, { ...bad, last_outcome: 'rate_limited' as const }]],
])('the status is %s', (status, sources) => {
  expect(statusOf(...sources)).toBe(status);
});

test('a warning names only the first ten refused places', () => {
  const names = Array.from({ length: 12 }, (_, index) => `acme/r${String(index).padStart(2, '0')}`);
  expect(warningOf({ forbidden: ['acme/a', 'acme/b'], warnings: ['acme/* is empty.'] })).toBe(
    "No access to acme/a, acme/b. Check the names and the token's permissions, or remove them. acme/* is empty.",
  );
  expect(warningOf({ forbidden: names, warnings: [] })).toContain('acme/r09 and 2 more. Check');
  expect(warningOf({ forbidden: [], warnings: [] })).toBeNull();
});

test('a failing calendar counts as a failing source, and health has no calendars if none is configured', () => {
  const component = { version: '1', component_id: 'fetcher', started_at: '', paused_for_reset: false };
  const calendar = { name: 'a', reachable: true, last_success_at: null, freezes: 1 };
  const failing = { ...calendar, last_outcome: 'error' as const, last_error: 'away' };
  const works = { ...calendar, last_outcome: 'ok' as const, last_error: null };
  const healthWith = (calendars: (typeof failing | typeof works)[]) =>
    healthOf(component, { queue: 0, sources: [], calendars });
  expect(healthWith([works]).status).toBe('ok');
  expect(healthWith([works, failing]).status).toBe('degraded');
  expect(healthWith([failing]).status).toBe('error');
  expect(healthWith([])).not.toHaveProperty('calendars');
});
