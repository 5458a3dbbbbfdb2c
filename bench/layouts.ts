import { createClient } from '@shiplog/client';
import { largeDataset, largeStages } from '@shiplog/scenarios';
import { launchBrowser, type Page } from '@shiplog/testing/browser';
import { storeLargeDataset } from '@shiplog/testing/large-database';
import type { Figure } from './harness/figure.ts';
import type { Outcome } from './harness/outcome.ts';
import { requireProgram } from './harness/programs.ts';
import { keys, openStage } from './harness/stage.ts';

const rounds = 3;
const frameMs = 2000;
const eventsPerSecond = 20;
const goal = 'layouts';

interface Layout {
  readonly name: string;
  readonly search: string;
  /** An element that shows that the layout is complete. */
  readonly ready: string;
  readonly width?: number;
}

const layoutsOfPage: readonly Layout[] = [
  { name: 'grid', search: '', ready: '.cell' },
  { name: 'progress', search: '?layout=progress', ready: '.progress-row' },
  { name: 'wall', search: '?layout=wall', ready: '.wall-cell, .wall-narrow' },
  { name: 'phone', search: '', ready: '.phone-service', width: 390 },
  { name: 'changes', search: '?view=changes&environment=*', ready: '.changes > .changes-list .change' },
  { name: 'compare', search: '?view=compare&source=staging&target=prod-eu', ready: '.compare tbody tr' },
  { name: 'releases', search: '?view=releases', ready: '.releases tbody tr' },
  { name: 'analytics', search: '?view=analytics', ready: 'main svg' },
];

/** Each layout with the large dataset, while 20 events a second arrive. */
export async function layouts(): Promise<Outcome> {
  requireProgram('chromium');
  const stage = await openStage({ ANALYTICS_FUNNEL_ENVIRONMENTS: largeStages });
  const browser = await launchBrowser();
  const arrivals = new AbortController();
  try {
    await storeLargeDataset(stage.databaseUrl);
    const posting = postSteadily(stage.url, arrivals.signal);
    const figures: Figure[] = [];
    for (const layout of layoutsOfPage) {
      const viewport = { width: layout.width ?? 1440, height: 900 };
      const context = await browser.newContext({ viewport });
      figures.push(...(await measured(await context.newPage(), stage.url, layout)));
      await context.close();
    }
    arrivals.abort();
    await posting;
    return { figures };
  } finally {
    arrivals.abort();
    await browser.close();
    await stage.close();
  }
}

/** Posts deployments of the dataset's services that begin and end now, until the signal. */
async function postSteadily(url: string, signal: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl: url, keys: { api: keys.api } });
  const recent = largeDataset().slice(-2000);
  const startedAt = performance.now();
  for (let count = 0; !signal.aborted; count += 1) {
    const { service, environment, actor } = recent[(count * 7) % recent.length]?.event ?? {};
    if (service === undefined || environment === undefined) continue;
    const run = Math.floor(count / 2);
    await client.appendDeployment({
      body: {
        ...{ service, environment, ...(actor && { actor }), deployment_id: `steady-${run}`, version: `7.${run}.0` },
        status: count % 2 === 0 ? 'in-progress' : run % 5 === 0 ? 'failure' : 'success',
        happened_at: new Date().toISOString(),
      },
    });
    const dueMs = startedAt + (count * 1000) / eventsPerSecond - performance.now();
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
  }
}

interface Opened {
  /** Milliseconds from the start of the navigation. */
  readonly paintedMs: number;
  readonly stableMs: number;
  /** The layout shift later than a second after the first paint. */
  readonly lateShift: number;
}

async function measured(page: Page, url: string, { name, search, ready }: Layout): Promise<Figure[]> {
  await page.addInitScript(`window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ startTime, value }) => ({ startTime, value }))))
      .observe({ type: 'layout-shift', buffered: true });`);
  await page.goto(url + search);
  await page.locator(ready).first().waitFor();
  const still: number[] = [];
  const scrolled: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    still.push(await framesPerSecond(page, 0));
    scrolled.push(await framesPerSecond(page, 60));
  }
  const { paintedMs, stableMs, lateShift } = (await page.evaluate(`(() => {
    const paintedMs = performance.getEntriesByName('first-contentful-paint')[0].startTime;
    const stableMs = Math.max(paintedMs, ...window.shifts.map(({ startTime }) => startTime));
    const late = window.shifts.filter(({ startTime }) => startTime > paintedMs + 1000);
    return { paintedMs, stableMs, lateShift: late.reduce((sum, { value }) => sum + value, 0) };
  })()`)) as Opened;
  const one = (title: string, value: number, unit: string, atMost: number): Figure => ({
    ...{ goal, title: `${name}: ${title}`, measured: [value], unit, reach: { atMost } },
  });
  return [
    one('first paint', paintedMs, 'ms', 250),
    one('last layout shift', stableMs, 'ms', 2000),
    one('layout shift later than 1 s after the first paint', lateShift, '', 0),
    {
      ...{ goal, title: `${name}: frames a second while it scrolls`, measured: scrolled, unit: '/s' },
      yardstick: { title: 'the same layout, still', measured: still },
      reach: { atLeast: 0.95 },
    },
  ];
}

/** The frames per second while the largest part that scrolls moves by this many pixels per frame, down and up again. */
async function framesPerSecond(page: Page, pixels: number): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    const room = (element) => element.scrollHeight - element.clientHeight;
    const scrolls = (element) => element === document.scrollingElement
      || /auto|scroll/.test(getComputedStyle(element).overflowY);
    const part = [...document.querySelectorAll('*')].filter(scrolls)
      .reduce((one, other) => room(other) > room(one) ? other : one, document.scrollingElement);
    part.scrollTo(0, 0);
    let frames = 0;
    let down = 1;
    let startedAt;
    const step = (now) => {
      startedAt ??= now;
      if (now - startedAt >= ${frameMs}) return resolve(1000 * frames / (now - startedAt));
      frames += 1;
      if (part.scrollTop >= room(part) - 1) down = -1;
      else if (part.scrollTop <= 0) down = 1;
      part.scrollBy(0, down * ${pixels});
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`)) as number;
}
