import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import {
  cell,
  isLive,
  postBoard,
  restarted,
  scriptsOf,
  type TestDashboard,
  testDashboard,
} from './support/dashboard.ts';
import { coloured } from './support/views.ts';

/** Console messages after the service stopped. */
const expectedLines = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|net::ERR|404|503/;

/** The query of each view, and an element that is in the page once the view is ready. */
const views: readonly (readonly [search: string, ready: string])[] = [
  ['', '.cell.bad'],
  ['?history=order-svc&in=staging', '[role=dialog] .event.bad'],
  ['?view=changes&environment=*', '.change.bad'],
  ['?layout=progress&service=order-svc', 'main .bad'],
  ['?view=analytics', 'main svg a'],
];

/** By the name of its script, the query of each view that opens during an outage, and an element that shows that. */
const openedViews: Readonly<Record<string, readonly [search: string, ready: string]>> = {
  progress: ['?layout=progress', 'main :is(.bar, .fault)'],
  'changes-view': ['?view=changes&environment=*', '.changes'],
  'releases-view': ['?view=releases', '.releases'],
  'compare-view': ['?view=releases&tab=reach', '.compare-question'],
  'analytics-view': ['?view=analytics', 'main .view-tabs'],
  'wall-view': ['?layout=wall', '.wall'],
};

/** The test controls the clock of the page, not the clock of the worker. */
async function openView(page: Page, dashboard: TestDashboard, [search, ready]: (typeof views)[number]): Promise<void> {
  await page.clock.install();
  await page.goto(`${dashboard.url}${search}`);
  await isLive(page);
  await page.locator(ready).first().waitFor();
}

/** Stops the service, and advances the clock of the pages once they have noticed. */
async function stopFor(minutes: number, dashboard: TestDashboard, pages: readonly Page[]): Promise<void> {
  await dashboard.service.stop();
  for (const page of pages) await page.locator('.live.bad').waitFor();
  await pages[0]?.clock.fastForward(minutes * 60_000);
  for (const page of pages) await page.locator('.page > .outage-band').waitFor();
}

inBrowser('during an outage', (open) => {
  test.each(['light', 'dark'] as const)(
    'every view shows an outage and loses its colours, and recovers afterwards (%s)',
    async (colorScheme) => {
      const dashboard = await testDashboard();
      await postBoard(dashboard);
      await dashboard.post({ service: 'order-svc', environment: 'prod', version: '1', status: 'failure' }, 2 * 24 * 60);
      const first = await open(dashboard.url, { expectedLines, colorScheme });
      const pages = [first];
      while (pages.length < views.length) pages.push(await first.context().newPage());
      for (const [index, view] of views.entries()) await openView(pages[index] ?? first, dashboard, view);
      expect(await coloured(first)).not.toEqual([]);
      await stopFor(6, dashboard, pages);
      for (const [index, page] of pages.entries()) {
        // The clock runs during the checks.
        await expect
          .poll(() => page.locator('.page > .outage-band strong').innerText())
          .toMatch(/^Disconnected since \d\d:\d\d:\d\d, retrying$/);
        await expect.poll(() => page.locator('.live').innerText()).toMatch(/no answer for ([6-9]|\d\d) min/);
        expect([views[index]?.[0], await coloured(page)]).toEqual([views[index]?.[0], []]);
        expect(await overflow(page)).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
      }
      await restarted(dashboard);
      for (const page of pages) {
        await isLive(page);
        await page.locator('.page > .outage-band').waitFor({ state: 'detached' });
      }
      expect(await coloured(first)).not.toEqual([]);
    },
  );

  test('during an outage times replace ages, and the state of running deployments is unknown', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await openView(page, dashboard, ['', '.cell']);
    const shown = (service: string, environment: string) => cell(page, service, environment).locator('.age').first();
    await expect.poll(() => shown('order-svc', 'staging').innerText()).toBe('31 min');
    await stopFor(1, dashboard, [page]);
    await expect.poll(() => shown('order-svc', 'staging').innerText()).toMatch(/^\d\d:\d\d$/);
    // So does the sentence for screen readers.
    const sentence = cell(page, 'order-svc', 'staging').locator('.unseen').first();
    expect(await sentence.textContent()).toMatch(
      /2\.11\.0 failed (today|yesterday) \d\d:\d\d; last success .*\d\d:\d\d/,
    );
    const content = 'getComputedStyle(document.querySelector(".cell.run .age"), "::after").content';
    expect(await page.evaluate(content)).toBe('"unknown"');
    await expect.poll(() => page.locator('.outage-band').innerText()).toMatch(/The page below is from then/);
  });

  test('a history that covers the page shows the outage', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines, width: 390 });
    await openView(page, dashboard, ['?history=order-svc&in=staging', '[role=dialog] .event.bad']);
    await stopFor(1, dashboard, [page]);
    const band = page.getByRole('dialog').locator('.outage-band');
    await expect.poll(() => band.locator('strong').innerText()).toMatch(/^Disconnected since/);
    expect(await band.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 });
    await page.setViewportSize({ width: 1280, height: 900 });
    await band.waitFor({ state: 'hidden' });
  });

  test('after some seconds without the service the page says so, and every other view still opens', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await isLive(page);
    // The scripts of the other views are loaded while the browser is idle.
    await expect.poll(() => scriptsOf(page)).toEqual(expect.arrayContaining(Object.keys(openedViews)));
    const before = Date.now();
    await dashboard.service.stop();
    await page.locator('.page > .outage-band').waitFor();
    const [, since = ''] = /since ([\d:]+)/.exec(await page.locator('.outage-band strong').innerText()) ?? [];
    expect(Math.abs(Date.parse(`${new Date().toDateString()} ${since}`) - before)).toBeLessThan(60_000);
    expect(await cell(page, 'order-svc', 'staging').locator('.version').first().innerText()).toBe('2.11.0');
    for (const [search, ready] of Object.values(openedViews)) {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(search)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.locator(ready).first().waitFor();
      await page.locator('.outage-band, .wall.outage').first().waitFor();
      expect([search, await page.getByText('could not be loaded').count()]).toEqual([search, 0]);
    }
    await page.goBack();
    await restarted(dashboard);
    await isLive(page);
    await page.locator('.outage-band').waitFor({ state: 'detached' });
  });
});
