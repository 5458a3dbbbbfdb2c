import { expect, test } from 'vitest';
import { expectQuietHour, expectQuotaKept } from './support/run-quota.ts';

test('500 repositories are all polled in the first window within the budget, and the board is soon correct', async () => {
  await expectQuotaKept({ repos: 500, quota: 5000, intervalSeconds: 30, hours: 2 });
});

test('in an hour without changes, polling 100 repositories uses at most two requests of the quota', async () => {
  const charged = await expectQuietHour({ repos: 100, projects: 100, intervalSeconds: 30 });
  // One list per project and cycle, within the share of the quota that GitLab reports per minute.
  expect(charged.gitlab).toBeLessThanOrEqual(60 * 300);
});
