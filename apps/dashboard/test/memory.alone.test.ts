import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { heldByViews } from './support/memory.ts';

/** The short form of `memory.long.test.ts`: counts nodes and listeners. */
inBrowser('the memory of a view', (open) => {
  test('grows by less than the size of the events', { timeout: 300_000 }, async () => {
    const events = 600;
    const held = await heldByViews(open, { shares: 2, shareEvents: events });
    for (const [name, [before, after]] of held) {
      if (!before || !after) throw new Error(`nothing was measured of ${name}`);
      // The row of an event has forty nodes. The heap size only means something for many events.
      expect.soft(after.nodes - before.nodes, `nodes of ${name}`).toBeLessThan(6 * events);
      expect.soft(after.listeners - before.listeners, `listeners of ${name}`).toBeLessThan(events);
    }
  });
});
