import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { largeDashboard, testDashboard } from './support/dashboard.ts';
import { heldByViews, meanOf } from './support/memory.ts';

/** The events of an hour at twenty per second, posted as fast as the service accepts them. */
const hour = { shares: 24, shareEvents: 3000 };
/** For the 24,000 events of the last third. Per event: 1/8 kB, 1/3 of a node and 1/30 of a listener. */
const most = { heapBytes: 3_000_000, nodes: 8000, listeners: 800 };

inBrowser('an hour of twenty events a second', (open) => {
  test.each([
    ['small', testDashboard],
    ['large', largeDashboard],
  ] as const)('no view of a %s log retains more memory after an hour of events', async (_, started) => {
    const held = await heldByViews(open, await started(), hour, (line) => process.stdout.write(`${line}\n`));
    for (const [name, samples] of held) {
      const [before, after] = [meanOf(samples, 1 / 3, 2 / 3), meanOf(samples, 2 / 3, 1)];
      expect.soft(after.heapBytes - before.heapBytes, `bytes of ${name}`).toBeLessThan(most.heapBytes);
      expect.soft(after.nodes - before.nodes, `nodes of ${name}`).toBeLessThan(most.nodes);
      expect.soft(after.listeners - before.listeners, `listeners of ${name}`).toBeLessThan(most.listeners);
    }
  });
});
