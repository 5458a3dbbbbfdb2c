import { createClient } from '@shiplog/client';
import { largeDataset, largeStages } from '@shiplog/scenarios';
import { launchBrowser, type Page } from '@shiplog/testing/browser';
import { storeLargeDataset } from '@shiplog/testing/large-database';
import type { Figure } from './harness/figure.ts';
import { built } from './harness/fill.ts';
import type { Outcome } from './harness/outcome.ts';
import { requireProgram } from './harness/programs.ts';
import { keys, openStage } from './harness/stage.ts';

const rounds = 3;
const frameMs = 2000;
/** How long a page that isn't scrolled is watched for layout shifts. */
const settleMs = 5000;
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
    await built(stage);
    const posting = postSteadily(stage.url, arrivals.signal);
    const figures: Figure[] = [];
    // The first page of a browser takes longer.
    const warmUp = await browser.newPage();
    await warmUp.goto(stage.url);
    await warmUp.close();
    for (const layout of layoutsOfPage) {
      const viewport = { width: layout.width ?? 1440, height: 900 };
      const opened: Opened[] = [];
      let scrolling: Scrolling | undefined;
      for (let round = 0; round < rounds; round += 1) {
        // A new context has no cache.
        const context = await browser.newContext({ viewport });
        const page = await context.newPage();
        await open(page, stage.url, layout);
        if (round === 0) scrolling = await scroll(page);
        else await page.waitForTimeout(settleMs);
        opened.push(await openedOf(page));
        await context.close();
      }
      figures.push(...figuresOf(layout.name, opened, scrolling));
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

interface Scrolling {
  readonly still: readonly number[];
  readonly scrolled: readonly number[];
}

async function open(page: Page, url: string, { search, ready }: Layout): Promise<void> {
  await page.addInitScript(`window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ startTime, value }) => ({ startTime, value }))))
      .observe({ type: 'layout-shift', buffered: true });`);
  await page.goto(url + search);
  await page.locator(ready).first().waitFor();
}

async function scroll(page: Page): Promise<Scrolling> {
  const still: number[] = [];
  const scrolled: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    still.push(await framesPerSecond(page, 0));
    scrolled.push(await framesPerSecond(page, 60));
  }
  return { still, scrolled };
}

async function openedOf(page: Page): Promise<Opened> {
  return (await page.evaluate(`(() => {
    const paintedMs = performance.getEntriesByName('first-contentful-paint')[0].startTime;
    const stableMs = Math.max(paintedMs, ...window.shifts.map(({ startTime }) => startTime));
    const late = window.shifts.filter(({ startTime }) => startTime > paintedMs + 1000);
    return { paintedMs, stableMs, lateShift: late.reduce((sum, { value }) => sum + value, 0) };
  })()`)) as Opened;
}

function figuresOf(name: string, opened: readonly Opened[], scrolling: Scrolling | undefined): Figure[] {
  const one = (title: string, measured: readonly number[], unit: string, atMost: number): Figure => ({
    ...{ goal, title: `${name}: ${title}`, measured, unit, reach: { atMost } },
  });
  const { still = [], scrolled = [] } = scrolling ?? {};
  return [
    one(
      'first paint',
      opened.map(({ paintedMs }) => paintedMs),
      'ms',
      250,
    ),
    one(
      'last layout shift',
      opened.map(({ stableMs }) => stableMs),
      'ms',
      2000,
    ),
    one(
      'layout shift later than 1 s after the first paint',
      opened.map(({ lateShift }) => lateShift),
      '',
      0,
    ),
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
