import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { shows } from './support/changes.ts';
import { besideText, cell, isLive, testDashboard } from './support/dashboard.ts';

/** A local time on the previous day. */
function yesterday(hour: number, minute: number): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, hour, minute).toISOString();
}

const version = (page: Page) => cell(page, 'shop', 'prod').locator('.line1 .version').innerText();

/** The layout shift since the page was opened; 1 is the whole page. */
function shifted(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum))));
  })`) as Promise<number>;
}

inBrowser('time travel', (open) => {
  test('a past board shows what ran yesterday at 14:05, steps from event to event, and returns to the present', async () => {
    const dashboard = await testDashboard();
    const post = (version: string, status: 'success' | 'failure' | 'in-progress', happened_at: string) =>
      dashboard.post({ service: 'shop', environment: 'prod', version, status, happened_at });
    await post('1.0.0', 'success', yesterday(9, 0));
    await post('2.0.0', 'success', yesterday(14, 4));
    await post('2.1.0', 'failure', yesterday(14, 10));
    await dashboard.post({ service: 'late-comer', environment: 'dev', version: '5' }, 1);
    const page = await open(dashboard.url);
    await isLive(page);
    expect(await version(page)).toBe('2.1.0');

    // Each key press steps to an event, and no step moves the content below the band.
    const band = page.getByRole('region', { name: 'Past board' });
    const row = page.locator('.attention-row');
    await page.keyboard.press('[');
    await expect.poll(() => band.locator('strong').innerText()).toMatch(/^(Today|Yesterday), /);
    await band.getByText('Ages are relative to that time.').waitFor();
    const [height, shiftedBefore] = [(await row.boundingBox())?.height, await shifted(page)];
    await page.keyboard.press('[');
    await expect.poll(() => band.locator('strong').innerText()).toBe('Yesterday, 14:10');
    await page.keyboard.press('[');
    await expect.poll(() => version(page)).toBe('2.0.0');
    await page.getByText('Nothing needs attention.').waitFor();
    await page.getByText('No failures in the log by then.').waitFor();
    expect((await row.boundingBox())?.height).toBe(height);
    expect((await shifted(page)) - shiftedBefore).toBeLessThanOrEqual(0.01);
    await page.keyboard.press('n');
    await isLive(page);

    // A time typed in words.
    await page.getByRole('link', { name: 'As of now' }).click();
    await page.getByLabel(/^As of: a time/).fill('14:05 yesterday');
    await page.keyboard.press('Enter');
    await expect.poll(() => band.locator('strong').innerText()).toBe('Yesterday, 14:05');
    await expect.poll(() => version(page)).toBe('2.0.0');
    await expect.poll(() => cell(page, 'shop', 'prod').locator('.age').innerText()).toBe('1 min');
    await expect.poll(() => cell(page, 'late-comer', 'dev').count()).toBe(0);
    await expect.poll(() => band.innerText()).toMatch(/2 events since\. Ages are relative to that time\./);
    await expect.poll(() => page.locator('.live.ok').count()).toBe(0);
    await expect.poll(() => page.locator('.board-line').innerText()).toBe('1 service');

    // The time is in the address, so later events don't change a board of the past.
    expect(new URL(page.url()).searchParams.get('asof')).toBe(yesterday(14, 5));
    await page.reload();
    await expect.poll(() => band.innerText()).toMatch(/2 events since/);
    await post('3.0.0', 'success', new Date().toISOString());
    await expect.poll(() => band.innerText()).toMatch(/3 events since/);
    expect(await version(page)).toBe('2.0.0');
    expect(await overflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    // The history of a cell ends at the time of the board.
    await cell(page, 'shop', 'prod').click(besideText);
    const history = page.getByRole('dialog');
    await history.locator('.event').first().waitFor();
    await expect.poll(() => history.locator('.event .version').allInnerTexts()).toEqual(['2.0.0', '1.0.0']);
    await expect.poll(() => history.locator('.standing-sentence').innerText()).toBe('2.0.0 succeeded 1 minute ago');
    await page.keyboard.press('Escape');

    // A past board has no drift, so nothing is loading.
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Drift is known only for the current board' }).waitFor();
    expect(await page.locator('.waiting').count()).toBe(0);
    await page.keyboard.press('d');

    // The time can be changed with keys and with the timeline.
    await page.keyboard.press('[');
    await expect.poll(() => band.locator('strong').innerText()).toBe('Yesterday, 14:04');
    await page.keyboard.press(']');
    await expect.poll(() => band.locator('strong').innerText()).toBe('Yesterday, 14:10');
    await expect.poll(() => cell(page, 'shop', 'prod').getAttribute('class')).toMatch(/\bbad\b/);
    const line = page.getByRole('slider', { name: 'Time of the board' });
    await line.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => line.getAttribute('aria-valuetext')).toBe('Yesterday, 14:09');
    await page.getByRole('button', { name: '1 h earlier' }).click();
    await expect.poll(() => band.locator('strong').innerText()).toBe('Yesterday, 13:09');
    expect(await version(page)).toBe('1.0.0');
    await page.getByLabel(/^As of: a time/).fill('tomorrow');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.time-typed [role=alert]').innerText()).toMatch(/^Not a valid time/);

    // The page lists what changed since then by service. "Back" returns to the past board, and then to the present.
    await page.getByRole('link', { name: 'What changed since' }).click();
    await expect
      .poll(async () =>
        (await page.locator('.net tbody tr').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim()),
      )
      .toEqual([
        expect.stringMatching(/^late-comer new → 5 dev changed \d\d:\d\d$/),
        expect.stringMatching(/^shop 1\.0\.0 → 3\.0\.0 prod changed \d\d:\d\d$/),
      ]);
    expect(await overflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: /^Deployments \d/ }).click();
    await shows(page, ['3.0.0', '5', '2.1.0', '2.0.0']);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => version(page)).toBe('1.0.0');
    await page.getByRole('link', { name: 'Back to now' }).click();
    await isLive(page);
    expect(await version(page)).toBe('3.0.0');
    expect(new URL(page.url()).search).toBe('');
    await post('3.1.0', 'success', new Date().toISOString());
    await expect.poll(() => version(page)).toBe('3.1.0');
  });

  // The first time is on the line of 24 hours that ends in the present, the second on an earlier line.
  test.each([10, 30])(
    "the past board counts the events since %i hours ago, including those before the page's stream opened",
    async (hours) => {
      const dashboard = await testDashboard();
      await dashboard.post({ service: 'shop', environment: 'prod', version: '1.0.0' }, 40 * 60);
      // Until the tables behind the figures are complete, the service asks the page to retry.
      const page = await open(dashboard.url, { expectedLines: /503/ });
      // Without a shared worker, the page requests the current board itself, and the test can delay the answer.
      await page.addInitScript('delete window.SharedWorker');
      let stored = () => {};
      const isStored = new Promise<void>((resolve) => {
        stored = resolve;
      });
      await page.route('**/api/matrix', async (route) => {
        await isStored;
        await route.continue();
      });
      await page.goto(`${dashboard.url}?asof=${new Date(Date.now() - hours * 3600_000).toISOString()}`);
      const band = page.getByRole('region', { name: 'Past board' });
      await expect.poll(() => band.innerText()).toMatch(/No events since/);
      await dashboard.post({ service: 'shop', environment: 'prod', version: '2.0.0' });
      stored();
      await expect.poll(() => band.innerText()).toMatch(/1 event since/);
    },
  );
});
