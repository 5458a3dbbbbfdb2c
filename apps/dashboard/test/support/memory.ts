import { inGroups } from '@shiplog/testing';
import type { OpenPage, Page } from '@shiplog/testing/browser';
import { postBoard, type TestDashboard } from './dashboard.ts';
import { openAlone, viewCases } from './views.ts';

/** The memory of a page after garbage collection. */
export interface Held {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** An overloaded service may refuse expensive requests. */
const refusals = /404|503/;

/** The memory of each view by name, measured after each share of the posted events. */
export type HeldByView = ReadonlyMap<string, readonly Held[]>;

/**
 * Opens every view and posts events as fast as the service accepts them. A list grows by a thousand rows, and then a
 * thousand are cut: with `shareEvents` in thousands, each measurement is at the same point of that cycle.
 */
export async function heldByViews(
  open: OpenPage,
  dashboard: TestDashboard,
  { shares, shareEvents }: { readonly shares: number; readonly shareEvents: number },
  told: (line: string) => void = () => undefined,
): Promise<HeldByView> {
  await postBoard(dashboard);
  const all: { name: string; page: Page; hold: () => Promise<Held>; held: Held[] }[] = [];
  for (const [name, view] of Object.entries(viewCases)) {
    const page = await openAlone(open, dashboard.url, view, { expectedLines: refusals });
    all.push({ name, page, hold: await holder(page), held: [] });
  }
  for (let share = 0; share < shares; share += 1) {
    await postStream(dashboard, share * shareEvents, (share + 1) * shareEvents);
    for (const { page, hold, held } of all) held.push(await settled(page, hold));
    told(
      `${(share + 1) * shareEvents} events: ${all.map(({ name, held }) => `${name} ${text(held.at(-1))}`).join(', ')}`,
    );
  }
  return new Map(all.map(({ name, held }) => [name, held]));
}

function text(held: Held | undefined): string {
  return held ? `${(held.heapBytes / 1e6).toFixed(2)} MB ${held.nodes} ${held.listeners}` : '';
}

/**
 * The memory of a page once it stops shrinking: the parts outside the window are rendered first and emptied afterwards.
 */
async function settled(page: Page, hold: () => Promise<Held>): Promise<Held> {
  for (let before: Held | undefined; ; ) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    const held = await hold();
    if (before && held.nodes >= before.nodes) return before;
    before = held;
  }
}

/** Returns a function that measures the memory of a page. */
export async function holder(page: Page): Promise<() => Promise<Held>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  return async () => {
    // The second collection frees what the first one finalizes.
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { metrics } = await session.send('Performance.getMetrics');
    const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    return { heapBytes: usedSize, nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
  };
}

const services = 40;
const environments = ['dev', 'staging', 'prod'];

/** Posts the events `from` to `until` of a stream that deploys each service repeatedly, one service most often. */
async function postStream({ post }: TestDashboard, from: number, until: number): Promise<void> {
  const numbers = Array.from({ length: until - from }, (_, index) => from + index);
  await inGroups(numbers, async (number) => {
    const run = Math.floor(number / 2);
    const place = run % 4 === 0 ? 2 * services : run % (services * environments.length);
    await post({
      service: place % services === 0 ? 'payments-api' : `service-${place % services}`,
      environment: environments[Math.floor(place / services)] ?? 'prod',
      version: `2.${run}.0`,
      status: number % 2 === 0 ? 'in-progress' : run % 5 === 0 ? 'failure' : 'success',
      deployment_id: `run-${run}`,
      actor: `actor-${run % 7}`,
    });
  });
}

/** The mean of a range of samples. */
export function meanOf(held: readonly Held[], from: number, until: number): Held {
  const part = held.slice(Math.round(held.length * from), Math.round(held.length * until));
  const mean = (read: (each: Held) => number) => part.reduce((sum, each) => sum + read(each), 0) / part.length;
  return {
    heapBytes: mean(({ heapBytes }) => heapBytes),
    nodes: mean(({ nodes }) => nodes),
    listeners: mean(({ listeners }) => listeners),
  };
}
