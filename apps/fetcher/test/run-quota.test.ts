import { test } from 'vitest';
import { expectQuietHour, expectQuotaKept } from './support/run-quota-trials.ts';

test('every repository is seen in the first window, the budget is kept, and the board is soon right', async () => {
  await expectQuotaKept({ repos: 10, quota: 100, intervalSeconds: 600, hours: 2 });
});

test('in a quiet hour of 30 repositories at most two requests are charged', async () => {
  await expectQuietHour({ repos: 30, intervalSeconds: 1200 });
});
