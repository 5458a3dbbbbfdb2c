import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { testDashboard } from './support/dashboard.ts';
import { heldByViews } from './support/memory.ts';

/** The short form of `memory.long.test.ts`; counts nodes and listeners. */
inBrowser('the memory of a view', (open) => {
  test('the memory of a view grows by less than the size of the events', { timeout: 300_000 }, async () => {
    const events = 600;
    const held = await heldByViews(open, await testDashboard(), { shares: 2, shareEvents: events });
    for (const [name, [before, after]] of held) {
      if (!before || !after) throw new Error(`no sample of ${name}`);
      // The row of an event has forty nodes. The heap size is only meaningful for many events.
      expect.soft(after.nodes - before.nodes, `nodes of ${name}`).toBeLessThan(6 * events);
      expect.soft(after.listeners - before.listeners, `listeners of ${name}`).toBeLessThan(events);
    }
  });
});
