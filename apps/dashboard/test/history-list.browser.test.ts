import { inBrowser, type OpenPage, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, postBackwards, readThrough, type TestDashboard, testDashboard } from './support/dashboard.ts';

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

async function openHistory(open: OpenPage, dashboard: TestDashboard): Promise<Page> {
  const page = await open(`${dashboard.url}?history=payments-api&in=staging`);
  await isLive(page);
  return page;
}

inBrowser('a history that is longer than its window', (open) => {
  test('scrolling loads the history back to its beginning, each event once and in order', async () => {
    const dashboard = await testDashboard();
    const names = await postMany(dashboard, 230);
    const page = await openHistory(open, dashboard);
    const end = page.getByText('This is the first event of this service in this environment.');
    const further = async () => {
      await page.locator('.further').scrollIntoViewIfNeeded();
      return end.isVisible();
    };
    await expect.poll(further, { timeout: 20_000 }).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Older' }).count()).toBe(0);
    const read = await readThrough(page, '.drawer');
    expect(read.versions).toEqual(names);
    expect(read.rowsMax).toBeLessThan(130);
  });

  test('rows that are scrolled out of sight leave the page and return unchanged', async () => {
    const dashboard = await testDashboard();
    const names = await postMany(dashboard, 90);
    const page = await openHistory(open, dashboard);
    const rows = () => page.locator('.event').count();
    const first = rowOf(page, 'v0');
    const height = () => page.evaluate('document.querySelector(".events").offsetHeight');
    await first.locator('.event-toggle').click();
    await first.locator('.event-fields').waitFor();
    await first.locator('.event-toggle').evaluate((button) => button.blur());
    await expect.poll(rows).toBeLessThan(90);
    const before = await height();
    await page.evaluate('document.querySelector(".drawer").scrollTo(0, 99999)');
    await first.waitFor({ state: 'detached' });
    expect(await height()).toBe(before);
    await page.evaluate('document.querySelector(".drawer").scrollTo(0, 0)');
    await first.locator('.event-fields').waitFor();
    expect((await readThrough(page, '.drawer')).versions).toEqual(names);
  });

  test('the focused row stays in the page, however far the list is scrolled', async () => {
    const dashboard = await testDashboard();
    await postMany(dashboard, 90);
    const page = await openHistory(open, dashboard);
    const toggle = page.locator('.event-toggle').first();
    await toggle.focus();
    await page.evaluate('document.querySelector(".drawer").scrollTo(0, 99999)');
    await page.locator('.event', { hasText: 'v89' }).waitFor();
    await painted(page);
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await rowOf(page, 'v0').locator('.event-fields').waitFor();
    await page.getByRole('button', { name: 'Close the history' }).focus();
    await page.evaluate('document.querySelector(".drawer").scrollTo(0, 99999)');
    await rowOf(page, 'v0').waitFor({ state: 'detached' });
  });

  test('the head of the history never covers the focused row', async () => {
    const dashboard = await testDashboard();
    await postMany(dashboard, 60);
    const page = await openHistory(open, dashboard);
    await page.locator('.event-toggle').last().focus();
    // Moves up by more than a screen.
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('Shift+Tab');
    const below = `(() => {
      const head = document.querySelector('.drawer .side-head').getBoundingClientRect();
      return document.activeElement.closest('.event').getBoundingClientRect().bottom - head.bottom;
    })()`;
    expect(await page.evaluate(below)).toBeGreaterThan(30);
  });
});
