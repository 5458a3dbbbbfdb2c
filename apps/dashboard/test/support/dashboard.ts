import type { DeploymentEventIngest } from '@shiplog/contract';
import { largeStages } from '@shiplog/scenarios';
import {
  anEvent,
  builtDashboard,
  clientOf,
  cloneLargeDatabase,
  inGroups,
  postStored,
  type RunningService,
  type TestServiceOptions,
  testDatabase,
  testService,
} from '@shiplog/testing';
import type { OpenPage, Page, PageOptions } from '@shiplog/testing/browser';
import { parseStages } from '@shiplog/text';
import { onTestFinished } from 'vitest';

export interface TestDashboard {
  /** The URL of the page, with a trailing slash. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly service: RunningService;
  /** Stores an event from this many minutes ago; returns its id. */
  post(event: Partial<DeploymentEventIngest>, minutesAgo?: number): Promise<string>;
  reset(): Promise<void>;
}

export interface DashboardOptions {
  /** A database with a log. The default is a new database. */
  readonly databaseUrl?: string;
  readonly port?: number;
  readonly catalogFile?: string;
  /** The promotion order as in ANALYTICS_FUNNEL_ENVIRONMENTS. */
  readonly stages?: string;
  /** Further settings of the service. */
  readonly config?: TestServiceOptions['config'];
  readonly times?: TestServiceOptions['times'];
}

/** Starts a service with the dashboard at `/`. */
export async function testDashboard(options: DashboardOptions = {}): Promise<TestDashboard> {
  const { port = 0, catalogFile, stages, config, times } = options;
  const url = options.databaseUrl ?? (await testDatabase()).url;
  const reset = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };
  const service = await testService({
    databaseUrl: url,
    config: {
      port,
      reset,
      catalogFile,
      dashboardDir: builtDashboard,
      ...(stages !== undefined && { analytics: { granularity: 'day' as const, promotionOrder: stagesIn(stages) } }),
      ...config,
    },
    ...(times && { times }),
  });
  return {
    url: `${service.url}/`,
    databaseUrl: url,
    service,
    post: async (event, minutesAgo = 0) => {
      const happened_at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      return (await postStored(service.url, anEvent({ happened_at, ...event }))).id;
    },
    reset: async () => {
      await clientOf(service.url).startReset();
    },
  };
}

/** Starts a service with the large dataset and the dashboard at `/`. The first one in a run takes longer. */
export async function largeDashboard(): Promise<TestDashboard> {
  const { url: databaseUrl, drop } = await cloneLargeDatabase();
  onTestFinished(drop);
  return testDashboard({ databaseUrl, stages: largeStages });
}

function stagesIn(text: string) {
  const parsed = parseStages(text);
  if ('mistake' in parsed) throw new Error(parsed.mistake);
  return parsed.stages;
}

/** Restarts a stopped service with the same log and port. */
export function restarted({ databaseUrl, url }: TestDashboard): Promise<TestDashboard> {
  return testDashboard({ databaseUrl, port: Number(new URL(url).port) });
}

/** Stores one event per version. The first is a minute old, and each is a second older than the previous one. */
export async function postBackwards({ post }: TestDashboard, versions: readonly string[]): Promise<void> {
  // Read the clock only once. Otherwise later posts would be newer than earlier ones in the list.
  const newest = Date.now() - 60_000;
  await inGroups(versions, (version, index) =>
    post({ version, happened_at: new Date(newest - 1000 * index).toISOString() }),
  );
}

/** Waits until a page is live. */
export async function isLive(page: Page): Promise<void> {
  await page.locator('.live.ok').waitFor();
  // The board is shown only after a short wait for the items that need attention.
  await page.getByText('Loading the board').waitFor({ state: 'detached' });
}

/** The sentence of a cell without its log findings, which are loaded later. */
export async function sentenceOf(box: ReturnType<typeof cell>): Promise<string> {
  return ((await box.locator('.unseen').textContent()) ?? '').replace(/; the log has a finding.*/, '');
}

/** The versions of all rows while scrolling from top to bottom, and the largest number of rows in the page. */
export async function readThrough(
  page: Page,
  scroller = 'main',
): Promise<{ readonly versions: string[]; readonly rowsMax: number }> {
  const read = `(async () => {
    const place = document.querySelector('${scroller}');
    const versions = new Set();
    let rowsMax = 0;
    place.scrollTo(0, 0);
    for (let before = -1; place.scrollTop !== before; ) {
      for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
      const rows = [...place.querySelectorAll('.event .version')];
      rowsMax = Math.max(rowsMax, rows.length);
      for (const row of rows) versions.add(row.textContent);
      before = place.scrollTop;
      place.scrollBy(0, place.clientHeight / 2);
    }
    return { versions: [...versions], rowsMax };
  })()`;
  return (await page.evaluate(read)) as { versions: string[]; rowsMax: number };
}

/** Opens a live page with its own service. */
export async function openBoard(
  open: OpenPage,
  search = '',
  options?: PageOptions,
): Promise<{ page: Page; dashboard: TestDashboard }> {
  const dashboard = await testDashboard();
  await postBoard(dashboard);
  const page = await open(`${dashboard.url}${search}`, options);
  await isLive(page);
  return { page, dashboard };
}

/** Options of a click on a cell that opens its history; a click on a text only places the selection. */
export const besideText = { position: { x: 4, y: 4 } };

export function cell(page: Page, service: string, environment: string) {
  return page.locator(`.cell[data-service="${service}"][data-environment="${environment}"]`);
}

/** The service names of the rows in the page, from top to bottom. */
export async function services(page: Page): Promise<string[]> {
  return page.locator('.board-row .name a').allTextContents();
}

/** Moves the pointer all the time, until the returned function is called. */
export async function movePointer(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(
    'self.moving = setInterval(() => document.dispatchEvent(new PointerEvent("pointermove", { bubbles: true })), 50)',
  );
  return async () => {
    await page.evaluate('clearInterval(self.moving)');
  };
}

/** Posts events so that every possible state occurs in a cell. */
export async function postBoard({ post }: TestDashboard): Promise<void> {
  const places: readonly (readonly [string, string, string, DeploymentEventIngest['status'], number])[] = [
    ['payments-api', 'dev', '1.4.2', 'success', 180],
    ['payments-api', 'prod', '1.4.2', 'success', 20],
    ['payments-api', 'prod', '1.4.3', 'queued', 2],
    ['order-svc', 'staging', '2.10.7', 'success', 2880],
    ['order-svc', 'staging', '2.11.0', 'failure', 31],
    ['ledger', 'qa', '0.9.1', 'failure', 30],
    ['ledger', 'qa', '0.9.2', 'in-progress', 12],
    ['catalog', 'qa', '2.8.4', 'success', 7200],
    ['catalog', 'qa', '3.0.0', 'in-progress', 4],
    ['search', 'prod', '7.1.9', 'success', 11_520],
    ['search', 'prod', '7.2.0', 'failure', 20],
    ['search', 'prod', '7.2.0', 'in-progress', 2],
    ['proxy', 'dev', '5', 'in-progress', 8],
    ['edge', 'dev', '6', 'failure', 8],
  ];
  for (const [service, environment, version, status, minutesAgo] of places) {
    await post({ service, environment, version, status, actor: 'alice' }, minutesAgo);
  }
}

/** The names of the loaded scripts, without their hashes. */
export function scriptsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => /([\\w-]+?)-[\\w-]{8}\\.js$/.exec(name)?.[1]).filter(Boolean)`,
  ) as Promise<string[]>;
}

/**
 * The layout shifts without user input since the page was opened, with their scores (1 is the whole page). If their sum
 * is more than 0.01, shifts of any size are listed.
 */
export function shifts(page: Page): Promise<unknown> {
  return page.evaluate(`new Promise((done) => {
    const entries = [];
    const sumOf = (all) => all.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
    const tell = () => done(entries
      .filter(({ value, hadRecentInput }, _, all) => !hadRecentInput && (value > 0.001 || sumOf(all) > 0.01))
      .map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.className ?? String(node))]));
    new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(tell)));
  })`);
}
