import { test } from 'vitest';
import { expectQuietHour, expectQuotaKept } from './support/run-quota.ts';

test('every repository is polled in the first window within the budget, and the board is soon correct', async () => {
  await expectQuotaKept({ repos: 10, quota: 100, intervalSeconds: 600, hours: 2 });
});

test('in an hour without changes, polling 30 repositories uses at most two requests of the quota', async () => {
  await expectQuietHour({ repos: 30, intervalSeconds: 1200 });
});
