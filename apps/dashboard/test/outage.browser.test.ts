import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, postBoard, type TestDashboard, testDashboard } from './support/dashboard.ts';

/** What a stopped service leaves in the console. */
const expectedLines = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|net::ERR|404|503/;

/** Each view by its query, and what is there once it is ready. */
const views: readonly (readonly [search: string, ready: string])[] = [
  ['', '.cell.bad'],
  ['?quiet=1', '.cell.bad'],
  ['?history=order-svc&in=staging', '[role=dialog] .event.bad'],
  ['?view=feed', '.event.bad'],
  ['?view=swimlanes&service=order-svc', 'main .bad'],
  ['?view=analytics', 'main svg a'],
];

/** The time of the pages passes as the test says; that of their worker goes on as it is. */
async function openView(page: Page, dashboard: TestDashboard, [search, ready]: (typeof views)[number]): Promise<void> {
  await page.clock.install();
  await page.goto(`${dashboard.url}${search}`);
  await isLive(page);
  await page.locator(ready).first().waitFor();
}

/** Stops the service, and lets the pages of a browser see so much time pass once they know. */
async function stopFor(minutes: number, dashboard: TestDashboard, pages: readonly Page[]): Promise<void> {
  await dashboard.service.stop();
  for (const page of pages) await page.locator('.live.bad').waitFor();
  await pages[0]?.clock.fastForward(minutes * 60_000);
  for (const page of pages) await page.locator('.page > .outage-band').waitFor();
}

/** The parts of the view that wear one of the colours of a state, by their classes. */
function coloured(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    const tones = ['ok', 'run', 'bad'].flatMap((tone) => [tone, tone + '-line', ...(tone === 'ok' ? [] : [tone + '-bg'])]);
    const colours = new Set(tones.map((name) => {
      probe.style.color = 'var(--' + name + ')';
      return getComputedStyle(probe).color;
    }));
    probe.remove();
    const worn = (element) => {
      const style = getComputedStyle(element);
      return [style.color, style.backgroundColor, style.borderLeftColor, style.borderTopColor, style.fill, style.stroke];
    };
    return [...document.querySelectorAll('main *, .drawer *, .counts *')]
      .filter((element) => worn(element).some((colour) => colours.has(colour)))
      .map((element) => element.getAttribute('class') ?? element.tagName);
  })()`);
}

inBrowser('without an answer', (open) => {
  test.each(['light', 'dark'] as const)(
    'every view says so and loses its colours, until there is one (%s)',
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
        // Time goes on while the pages are looked at.
        expect(await page.locator('.page > .outage-band strong').innerText()).toMatch(
          /^No answer from Shiplog for ([6-9]|\d\d) minutes$/,
        );
        expect(await page.locator('.live').innerText()).toMatch(/no answer for ([6-9]|\d\d) min/);
        expect([views[index]?.[0], await coloured(page)]).toEqual([views[index]?.[0], []]);
        expect(await overflow(page)).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
      }
      await testDashboard(dashboard.databaseUrl, Number(new URL(dashboard.url).port));
      for (const page of pages) {
        await isLive(page);
        await page.locator('.page > .outage-band').waitFor({ state: 'detached' });
      }
      expect(await coloured(first)).not.toEqual([]);
    },
  );

  test('times are shown instead of ages, and what was running is unknown', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await openView(page, dashboard, ['', '.cell']);
    const shown = (service: string, environment: string) => cell(page, service, environment).locator('.age').first();
    expect(await shown('order-svc', 'staging').innerText()).toBe('31 min');
    await stopFor(1, dashboard, [page]);
    expect(await shown('order-svc', 'staging').innerText()).toMatch(/^\d\d:\d\d$/);
    const content = 'getComputedStyle(document.querySelector(".cell.run .age"), "::after").content';
    expect(await page.evaluate(content)).toBe('"unknown"');
    expect(await page.locator('.outage-band').innerText()).toMatch(/What stands below is from \d\d:\d\d/);
  });

  test('a history that covers the window says so itself', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines, width: 390 });
    await openView(page, dashboard, ['?history=order-svc&in=staging', '[role=dialog] .event.bad']);
    await stopFor(1, dashboard, [page]);
    const band = page.getByRole('dialog').locator('.outage-band');
    expect(await band.locator('strong').innerText()).toBe('No answer from Shiplog for 1 minute');
    expect(await band.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 });
    await page.setViewportSize({ width: 1280, height: 900 });
    await band.waitFor({ state: 'hidden' });
  });

  test('a service that comes back within half a minute leaves the page as it is', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await openView(page, dashboard, ['', '.cell']);
    await dashboard.service.stop();
    await page.locator('.live.bad').waitFor();
    expect(await page.locator('.outage-band').count()).toBe(0);
    await testDashboard(dashboard.databaseUrl, Number(new URL(dashboard.url).port));
    await isLive(page);
    expect(await page.locator('.outage-band').count()).toBe(0);
  });
});
