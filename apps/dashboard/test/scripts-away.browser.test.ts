import { setTimeout } from 'node:timers/promises';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, postBoard, scriptsOf, testDashboard } from './support/dashboard.ts';

/** Console messages after a script failed to load. */
const expectedLines = /net::ERR|404/;

/** Blocks the scripts with these names; returns a function that unblocks them. */
async function lose(page: Page, names: RegExp): Promise<() => Promise<void>> {
  await page.route(names, (route) => route.abort());
  return () => page.unroute(names);
}

inBrowser('a script that fails to load', (open) => {
  test("a script that fails to load is reported, doesn't intercept keys and can be loaded again", async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    // Views are loaded ahead, so their scripts are lost from the beginning.
    let giveChanges = async () => {};
    const page = await open(dashboard.url, {
      expectedLines,
      before: async (opened) => {
        giveChanges = await lose(opened, /assets\/changes-view-.*\.js/);
      },
    });
    await isLive(page);
    await page.evaluate('self.isSamePage = true');
    const { keyboard } = page;
    const fault = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });

    const giveDialogs = await lose(page, /assets\/(palette|keys-dialog)-.*\.js/);
    await keyboard.press('Control+k');
    await keyboard.type('lost');
    await fault.waitFor();
    await fault.getByRole('button', { name: 'Close' }).click();
    await fault.waitFor({ state: 'detached' });
    await keyboard.press('?');
    await fault.waitFor();
    await keyboard.press('/');
    await keyboard.type('order');
    await expect.poll(() => page.locator('main input[type=search]').inputValue()).toBe('order');
    await giveDialogs();
    await fault.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await keyboard.type('found');
    await expect.poll(() => page.locator('#palette input').inputValue()).toBe('found');
    await keyboard.press('Escape');

    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    const noView = page.getByRole('alert').filter({ hasText: 'This view could not be loaded' });
    await noView.waitFor();
    await giveChanges();
    await noView.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.changes-headline').waitFor();
    expect(await page.evaluate('self.isSamePage')).toBe(true);
  });

  test('if a script is missing after an upgrade of the service, the page reloads once the service answers', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    let giveChanges = async () => {};
    const page = await open(dashboard.url, {
      expectedLines,
      before: async (opened) => {
        giveChanges = await lose(opened, /assets\/changes-view-.*\.js/);
      },
    });
    await isLive(page);
    await page.evaluate('self.isSamePage = true');
    const givePage = await lose(page, /\?view=changes$/);
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    const asked = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
    await again.click();
    await asked;
    expect(await page.evaluate('self.isSamePage')).toBe(true);
    await givePage();
    const loaded = page.waitForEvent('load');
    await again.click();
    await loaded;
    await giveChanges();
    expect(await page.evaluate('self.isSamePage')).toBe(undefined);
  });

  test('a request for an essential script is repeated until the script loads', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    let give = async () => {};
    let failed: Promise<unknown> | undefined;
    const page = await open(dashboard.url, {
      expectedLines,
      before: async (fresh) => {
        await fresh.addInitScript('delete self.SharedWorker');
        await fresh.clock.install();
        give = await lose(fresh, /assets\/source-(?!times-).*\.js/);
        failed = fresh.waitForEvent('requestfailed');
      },
    });
    await failed;
    await give();
    await page.clock.fastForward(60_000);
    await isLive(page);
  });
});

inBrowser('the scripts of other views', (open) => {
  test('they are requested after the board is drawn, even if the board waits for the catalog', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, {
      before: (opened) =>
        opened.route('**/api/catalog', async (route) => {
          await setTimeout(700);
          await route.continue();
        }),
    });
    await expect.poll(() => scriptsOf(page)).toEqual(expect.arrayContaining(['progress', 'analytics-view']));
    const early = await page.evaluate(`performance.getEntriesByType('resource')
      .filter(({ startTime }) => startTime < performance.getEntriesByName('board-drawn')[0].startTime)
      .map(({ name }) => name)
      .filter((name) => /assets\\/(progress|[a-z]+-view)-[\\w-]{8}\\.js$/.test(name))`);
    expect(early).toEqual([]);
  });
});
