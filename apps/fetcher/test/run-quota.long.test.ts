import { expect, test } from 'vitest';
import { expectQuietHour, expectQuotaKept } from './support/run-quota-trials.ts';

test('of 500 repositories every one is seen in the first window, the budget is kept, and the board is soon right', async () => {
  await expectQuotaKept({ repos: 500, quota: 5000, intervalSeconds: 30, hours: 2 });
});

test('in a quiet hour of 100 repositories at most two requests are charged, however often they are asked', async () => {
  const charged = await expectQuietHour({ repos: 100, projects: 100, intervalSeconds: 30 });
  // One list of each project a cycle, within the share of the quota that GitLab tells by the minute.
  expect(charged.gitlab).toBeLessThanOrEqual(60 * 300);
});
