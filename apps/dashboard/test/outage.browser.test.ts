import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, postBoard, restarted, type TestDashboard, testDashboard } from './support/dashboard.ts';
import { coloured } from './support/views.ts';

/** Console messages after the service stopped. */
const expectedLines = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|net::ERR|404|503/;

/** The query of each view, and an element that is in the page once the view is ready. */
const views: readonly (readonly [search: string, ready: string])[] = [
  ['', '.cell.bad'],
  ['?history=order-svc&in=staging', '[role=dialog] .event.bad'],
  ['?view=feed', '.event.bad'],
  ['?view=swimlanes&service=order-svc', 'main .bad'],
  ['?view=analytics', 'main svg a'],
];

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
          .toMatch(/^No answer from Shiplog for ([6-9]|\d\d) minutes$/);
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
    const content = 'getComputedStyle(document.querySelector(".cell.run .age"), "::after").content';
    expect(await page.evaluate(content)).toBe('"unknown"');
    await expect.poll(() => page.locator('.outage-band').innerText()).toMatch(/The board below is from \d\d:\d\d/);
  });

  test('a history that covers the page shows the outage', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines, width: 390 });
    await openView(page, dashboard, ['?history=order-svc&in=staging', '[role=dialog] .event.bad']);
    await stopFor(1, dashboard, [page]);
    const band = page.getByRole('dialog').locator('.outage-band');
    await expect.poll(() => band.locator('strong').innerText()).toBe('No answer from Shiplog for 1 minute');
    expect(await band.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 });
    await page.setViewportSize({ width: 1280, height: 900 });
    await band.waitFor({ state: 'hidden' });
  });

  test('an outage of less than half a minute leaves the page unchanged', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await openView(page, dashboard, ['', '.cell']);
    await dashboard.service.stop();
    await page.locator('.live.bad').waitFor();
    await expect.poll(() => page.locator('.outage-band').count()).toBe(0);
    await restarted(dashboard);
    await isLive(page);
    await expect.poll(() => page.locator('.outage-band').count()).toBe(0);
  });
});
