import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { postBackwards, readThrough, type TestDashboard, testDashboard } from './support/dashboard.ts';
import { openFeed, versions } from './support/feed.ts';

/** Events `v0`, `v1` and so on, each a second older than the previous one. */
async function postMany(dashboard: TestDashboard, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `v${index}`);
  await postBackwards(dashboard, names);
  return names;
}

/** Waits two frames, until observers of the scroll position have run. */
async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

function rowOf(page: Page, version: string) {
  return page.locator('.event', { has: page.getByText(version, { exact: true }) });
}

inBrowser('a feed that is longer than its window', (open) => {
  test('while the viewer is scrolled down, arriving events wait behind a button and nothing moves', async () => {
    const dashboard = await testDashboard();
    await postMany(dashboard, 60);
    const page = await openFeed(open, dashboard);
    const read = page.locator('.event', { hasText: 'v40' });
    await read.scrollIntoViewIfNeeded();
    await painted(page);
    const before = await read.boundingBox();
    await dashboard.post({ version: 'news-1' });
    await page.getByRole('button', { name: '1 new event', exact: true }).waitFor();
    await dashboard.post({ version: 'news-2' });
    const button = page.getByRole('button', { name: '2 new events' });
    await button.waitFor();
    expect(await read.boundingBox()).toEqual(before);
    expect((await versions(page)).slice(0, 2)).toEqual(['v0', 'v1']);
    await button.click();
    await expect
      .poll(async () => (await versions(page)).slice(0, 3), { timeout: 20_000 })
      .toEqual(['news-2', 'news-1', 'v0']);
    await button.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Events');
    expect(await page.locator('.event').first().isVisible()).toBe(true);
    const top = await page.locator('.event', { hasText: 'news-2' }).boundingBox();
    expect(top && top.y >= 0 && top.y < 900).toBe(true);
  });

  test('scrolling loads the log back to its beginning, each event once and in order', async () => {
    const dashboard = await testDashboard();
    const names = await postMany(dashboard, 230);
    const page = await openFeed(open, dashboard);
    const end = page.getByText('This is the beginning of the log.');
    const further = async () => {
      await page.locator('.further').scrollIntoViewIfNeeded();
      return end.isVisible();
    };
    await expect.poll(further, { timeout: 20_000 }).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Older' }).count()).toBe(0);
    const read = await readThrough(page);
    expect(read.versions).toEqual(names);
    expect(read.rowsMax).toBeLessThan(130);
  });

  test.each(['', '&grouped=1'])(
    'rows that are scrolled out of sight leave the page and return unchanged (%s)',
    async (grouped) => {
      const dashboard = await testDashboard();
      const names = await postMany(dashboard, 90);
      const page = await openFeed(open, dashboard, grouped);
      const rows = () => page.locator('.event').count();
      const first = rowOf(page, 'v0');
      const height = () => page.evaluate('document.querySelector(".events").offsetHeight');
      await first.locator('.event-toggle').click();
      await first.locator('.event-fields').waitFor();
      await first.locator('.event-toggle').evaluate((button) => button.blur());
      await expect.poll(rows).toBeLessThan(90);
      const before = await height();
      await page.evaluate('document.querySelector("main").scrollTo(0, 99999)');
      await first.waitFor({ state: 'detached' });
      expect(await height()).toBe(before);
      await page.evaluate('document.querySelector("main").scrollTo(0, 0)');
      await first.locator('.event-fields').waitFor();
      expect((await readThrough(page)).versions).toEqual(names);
    },
  );

  test('the focused row stays in the page, however far the list is scrolled', async () => {
    const dashboard = await testDashboard();
    await postMany(dashboard, 90);
    const page = await openFeed(open, dashboard);
    const toggle = page.locator('.event-toggle').first();
    await toggle.focus();
    await page.evaluate('document.querySelector("main").scrollTo(0, 99999)');
    await page.locator('.event', { hasText: 'v89' }).waitFor();
    await painted(page);
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await rowOf(page, 'v0').locator('.event-fields').waitFor();
    await page.getByLabel('Status', { exact: true }).focus();
    await page.evaluate('document.querySelector("main").scrollTo(0, 99999)');
    await rowOf(page, 'v0').waitFor({ state: 'detached' });
  });
});
