import { runs } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from '../src/domain/budget.ts';

const windowMs = 3_600_000;

/**
 * The next step: time passes, then a request is sent. The request may be free, and its response may lack quota headers.
 */
const step = fc.record({
  afterMs: fc.oneof(
    { weight: 30, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: windowMs }) },
  ),
  isFree: fc.boolean(),
  /** Whether its response lacks quota headers. */
  isMute: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
  byOthers: fc.integer({ min: 0, max: 3 }),
  jitterMs: fc.constantFrom(0, 0, 1000, -1000),
  restarts: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
});

test('no quota window counts more requests than the budget allows', () => {
  const worlds = fc.record({
    percent: fc.integer({ min: 5, max: 100 }),
    limit: fc.integer({ min: 60, max: 120 }),
    steps: fc.array(step, { minLength: 100, maxLength: 400 }),
  });
  fc.assert(
    fc.property(worlds, ({ percent, limit, steps }) => {
      const settings = { percent, quota: limit };
      let budget = new Budget(settings);
      // As on GitHub, a window begins with the first counted request.
      let window = { resetMs: 0, own: 0, all: 0 };
      let nowMs = 1_000_000;
      let told = false;
      for (const { afterMs, isFree, isMute, byOthers, jitterMs, restarts } of steps) {
        nowMs += afterMs;
        if (restarts && budget.memory) {
          const { memory } = budget;
          budget = new Budget(settings);
          budget.restore(memory, nowMs);
        }
        if (budget.pausedUntil(nowMs) !== undefined) continue;
        if (nowMs >= window.resetMs) window = { resetMs: nowMs + windowMs, own: 0, all: 0 };
        const isCharged = !isFree && window.all < limit;
        window = { ...window, own: window.own + Number(isCharged), all: window.all + Number(isCharged) + byOthers };
        const resetMs = window.all === 0 ? nowMs + windowMs : window.resetMs;
        if (window.all === 0) window = { ...window, resetMs: nowMs };
        const rate = { limit, remaining: Math.max(0, limit - window.all), resetMs: resetMs + jitterMs };
        // A tool that has reported no quota for a long time has no budget.
        told = !(isMute && told);
        budget.answered(isCharged, told ? rate : undefined, nowMs);
        expect(window.own).toBeLessThanOrEqual(Math.floor((limit * percent) / 100));
      }
    }),
    { numRuns: runs(150) },
  );
});
