import { expect, test } from 'vitest';
import { Budget, type BudgetSettings } from '../src/domain/budget.ts';

const hourMs = 3_600_000;
const learn: BudgetSettings = { percent: 30, quota: 0 };

/** A budget after this many counted requests in a window that ends in an hour. */
function used(charged: number, over: { settings?: BudgetSettings; limit?: number; remaining?: number } = {}): Budget {
  const { settings = learn, limit = 100, remaining = limit } = over;
  const budget = new Budget(settings);
  budget.answered(false, { limit, remaining, resetMs: hourMs }, 0);
  for (let n = 0; n < charged; n += 1) budget.answered(true, { limit, remaining, resetMs: hourMs }, n);
  return budget;
}

test.each([
  { what: 'nothing used', budget: used(0), spare: true, rests: false },
  { what: 'just below 80 %', budget: used(23), spare: true, rests: false },
  { what: '80 %', budget: used(24), spare: false, rests: false },
  { what: 'one less than all', budget: used(29), spare: false, rests: false },
  { what: 'all', budget: used(30), spare: false, rests: true },
  { what: 'a share that is rounded down', budget: used(29, { limit: 99 }), spare: false, rests: true },
  { what: '5 % remaining for all clients', budget: used(0, { remaining: 5 }), spare: true, rests: false },
  { what: 'less than 5 % remaining for all clients', budget: used(0, { remaining: 4 }), spare: false, rests: true },
  {
    what: 'a configured quota larger than that of the tool',
    budget: used(30, { settings: { percent: 30, quota: 200 } }),
    spare: true,
    rests: false,
  },
  {
    what: 'a configured quota smaller than that of the tool',
    budget: used(15, { settings: { percent: 30, quota: 50 } }),
    spare: false,
    rests: true,
  },
])('computes the spare requests and the pause of a budget: $what', ({ budget, spare, rests }) => {
  expect([budget.hasSpare(1), budget.pausedUntil(1)]).toEqual([spare, rests ? hourMs + 1000 : undefined]);
});

test('a used-up budget stays used up until a second after the reset', () => {
  const budget = used(30);
  expect(budget.pausedUntil(hourMs + 999)).toBe(hourMs + 1000);
  expect([budget.pausedUntil(hourMs + 1000), budget.hasSpare(hourMs + 1000)]).toEqual([undefined, true]);
});

test('a later reset begins a new window unless it is later by only a few seconds', () => {
  const budget = used(29);
  const rate = { limit: 100, remaining: 50 };
  budget.answered(false, { ...rate, resetMs: hourMs + 2000 }, 1);
  budget.answered(true, { ...rate, resetMs: hourMs - 2000 }, 2);
  expect([budget.memory, budget.pausedUntil(3)]).toEqual([[3602, 30], hourMs + 3000]);
  budget.answered(true, { ...rate, resetMs: 2 * hourMs }, hourMs);
  expect([budget.memory, budget.pausedUntil(hourMs)]).toEqual([[7200, 1], undefined]);
});

test('if the tool reports an earlier reset, the window ends earlier and keeps its usage', () => {
  const budget = used(30);
  budget.answered(false, { limit: 100, remaining: 50, resetMs: 60_000 }, 1);
  expect([budget.pausedUntil(1), budget.pausedUntil(61_000)]).toEqual([61_000, undefined]);
});

test('usage after the end of a window counts in the next one', () => {
  const budget = used(30);
  for (let n = 0; n < 29; n += 1) budget.answered(true, undefined, hourMs + 1000);
  budget.answered(true, { limit: 100, remaining: 50, resetMs: 2 * hourMs }, hourMs + 1000);
  expect([budget.memory, budget.pausedUntil(hourMs + 1000)]).toEqual([[7200, 30], 2 * hourMs + 1000]);
});

test('after a restart the usage is kept, with a quota of 5000 until the tool reports its own', () => {
  const budget = new Budget(learn);
  budget.restore([3600, 1499], 0);
  expect([budget.hasSpare(0), budget.pausedUntil(0), budget.snapshot]).toEqual([false, undefined, null]);
  budget.answered(true, undefined, 0);
  expect(budget.pausedUntil(0)).toBe(hourMs + 1000);
  budget.answered(false, { limit: 15_000, remaining: 9000, resetMs: hourMs }, 0);
  expect([budget.pausedUntil(0), budget.hasSpare(0)]).toEqual([undefined, true]);
});

test('after a restart after the end of the window, the one request that may belong to the next window counts', () => {
  const budget = new Budget(learn);
  budget.restore([3600, 1500], hourMs + 1000);
  expect(budget.pausedUntil(hourMs + 1000)).toBeUndefined();
  budget.answered(true, { limit: 5000, remaining: 4999, resetMs: 2 * hourMs }, hourMs + 1000);
  expect(budget.memory).toEqual([7200, 2]);
});

test('a tool that reports no limits has no budget and no snapshot', () => {
  const budget = new Budget({ percent: 1, quota: 10 });
  for (let n = 0; n < 1000; n += 1) budget.answered(true, undefined, n);
  expect([budget.pausedUntil(5), budget.hasSpare(5), budget.snapshot, budget.memory]).toEqual([
    undefined,
    true,
    null,
    undefined,
  ]);
});

test('a window lasts at most an hour, even with a later reset', () => {
  const budget = new Budget(learn);
  for (let n = 0; n < 1500; n += 1) budget.answered(true, { limit: 5000, remaining: 3000, resetMs: 1e18 }, n);
  expect(budget.pausedUntil(1)).toBe(hourMs + 61_000);
});

test('the snapshot has usage, budget, limit and remaining requests', () => {
  const told = { used: 7, budget: 30, reset_at: '1970-01-01T01:00:00.000Z', ci_limit: 100, ci_remaining: 60 };
  expect(used(7, { remaining: 60 }).snapshot).toEqual(told);
});

test('a reset that moves along with the time keeps the number of requests counted so far', () => {
  const told = (resetMs: number) => ({ limit: 100, remaining: 100, resetMs });
  const budget = new Budget(learn);
  budget.answered(false, told(hourMs), 0);
  budget.answered(true, undefined, 6000);
  const restarted = new Budget(learn);
  restarted.restore(budget.memory ?? [0, 0], 6000);
  restarted.answered(true, told(hourMs + 6000), 6000);
  expect(restarted.memory).toEqual([3606, 2]);
});
