import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, openBoard, services, testDashboard } from './support/dashboard.ts';

/** The names and places of the listed items, in order. */
async function listed(page: Page): Promise<string[]> {
  return page
    .locator('[aria-label^="What needs attention"] .need')
    .evaluateAll((items) =>
      items.map((item) => ['.need-name', '.need-place'].map((part) => item.querySelector(part)?.textContent).join(' ')),
    );
}

const headline = (page: Page) => page.locator('#attention').innerText();

/** Scrolls the page from top to bottom and returns the sentences of all items seen between the header and the tabs. */
function readScrolling(page: Page): Promise<string[]> {
  return page.evaluate(`(async () => {
    const place = document.querySelector('main');
    const seen = new Set();
    place.scrollTo(0, 0);
    for (let before = -1; place.scrollTop !== before; ) {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      for (const item of place.querySelectorAll('[aria-label="What needs attention"] .need')) {
        const { left, top, width, height } = item.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        if (hit && item.contains(hit)) seen.add(item.querySelector('.unseen').textContent);
      }
      before = place.scrollTop;
      place.scrollBy(0, place.clientHeight / 2);
    }
    return [...seen];
  })()`) as Promise<string[]>;
}

/** The status message for screen readers. */
const news = (page: Page) => page.locator('.attention-head [role=status]').textContent();

inBrowser('the list of what needs attention', (open) => {
  test('the list above the board is ordered by urgency, follows events and filters, and links to each slot', async () => {
    const { page, dashboard } = await openBoard(open);
    await expect.poll(() => headline(page)).toBe('2 services need attention');
    expect(await listed(page)).toEqual(['order-svc staging', 'edge dev']);
    expect(await news(page)).toBe('2 services need attention, 2 failed');
    // A run after a failure needs no attention, but its cell still shows the failure.
    await expect.poll(() => page.locator('.cell.run .warn').count()).toBe(2);
    await dashboard.post({ service: 'payments-api', environment: 'prod', version: '1.4.3', status: 'failure' });
    await expect.poll(() => listed(page)).toEqual(['payments-api prod', 'order-svc staging', 'edge dev']);
    expect(await news(page)).toBe('3 services need attention, 1 failed in production, 2 failed elsewhere');
    await expect.poll(() => page.locator('.need.filled').count()).toBe(1);
    await dashboard.post({ service: 'consent-api', environment: 'prod', version: '1.0.0', status: 'waiting' }, 120);
    await dashboard.post({ service: 'edge', environment: 'qa', version: '7' }, -100);
    await dashboard.post({ service: 'edge', environment: 'dev', version: '6', status: 'in-progress' });
    const four = ['payments-api prod', 'order-svc staging', 'consent-api prod', 'edge qa'];
    await expect.poll(() => listed(page)).toEqual(four);
    await page
      .getByRole('link', { name: /^order-svc in staging: 2\.11\.0 failed 31 minutes ago; last success 2\.10\.7/ })
      .click();
    await page.getByRole('dialog', { name: 'History of order-svc in staging' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await axeViolations(page)).toEqual([]);

    await page.getByLabel(/^Filter by service/).fill('edge');
    await expect.poll(() => headline(page)).toBe('1 service needs attention');
    await page.getByRole('link', { name: '3 more outside these filters' }).click();
    await expect.poll(() => listed(page)).toEqual(four);

    // A hidden item returns when it changes.
    await page.getByRole('button', { name: 'Hide until it changes: order-svc staging' }).click();
    await expect.poll(() => listed(page)).toEqual(four.filter((item) => item !== 'order-svc staging'));
    await page.reload();
    await page.getByRole('link', { name: '1 hidden' }).click();
    await expect.poll(() => listed(page)).toEqual(['order-svc staging']);
    await page.getByRole('link', { name: 'Show less' }).click();
    await dashboard.post({ service: 'order-svc', environment: 'staging', version: '2.11.1', status: 'failure' }, 30);
    await expect.poll(() => listed(page)).toEqual(four);

    await page.getByRole('button', { name: 'Fold' }).click();
    await expect.poll(() => listed(page)).toEqual([]);
    await page.reload();
    await isLive(page);
    await expect.poll(() => headline(page)).toBe('4 services need attention');
    expect(await listed(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unfold' }).click();
    await expect.poll(() => listed(page)).toEqual(four);
    // A low window has only the line.
    await page.setViewportSize({ width: 1280, height: 690 });
    await expect.poll(() => listed(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${dashboard.url}?environment=dev`);
    await expect.poll(() => headline(page)).toBe('Nothing needs attention.');
  });

  test("the list includes the service's facts about its log, and says when nothing needs attention", async () => {
    const dashboard = await testDashboard();
    const place = { service: 'worker', environment: 'preprod' };
    for (const deployment_id of ['one', 'two', 'three', 'four', 'five']) {
      const started = 2000 + deployment_id.length;
      await dashboard.post({ ...place, deployment_id, status: 'in-progress' }, started);
      await dashboard.post({ ...place, deployment_id, status: 'success' }, started - 9);
    }
    await dashboard.post({ ...place, deployment_id: 'old', status: 'failure' }, 100);
    await dashboard.post(
      { ...place, deployment_id: 'now', version: '5.6.1', status: 'in-progress', actor: 'ines' },
      41,
    );
    const hub = { service: 'hub', environment: 'staging', deployment_id: 'hub' };
    await dashboard.post({ ...hub, status: 'in-progress' }, 90);
    const calm = { service: 'calm', environment: 'staging', deployment_id: 'calm' };
    await dashboard.post(calm, 95);
    await dashboard.post(calm, 94);
    const page = await open(dashboard.url);
    await expect.poll(() => headline(page), { timeout: 20_000 }).toBe('2 services need attention');
    const told = () => page.locator('.attention-counts').innerText();
    expect(await told()).toMatch(/1 stuck · 1 slow/);
    await page.getByRole('link', { name: 'worker in preprod: 5.6.1 slow 41 min, usually 9 min; started ' }).click();
    await page.getByRole('dialog', { name: 'History of worker in preprod' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => listed(page)).toEqual(['hub staging', 'worker preprod']);
    // Sorted by attention, these services come first on the board, and their cells show the problem.
    await expect.poll(() => services(page)).toEqual(['hub', 'worker', 'calm']);
    await expect.poll(() => cell(page, 'hub', 'staging').locator('.lag').innerText()).toBe('stuck 1 h');
    const slow = cell(page, 'worker', 'preprod');
    await expect.poll(() => slow.locator('.lag').innerText()).toBe('slow 41 min, usually 9 min');
    expect(await slow.locator('.unseen').textContent()).toMatch(/^worker in preprod: 5\.6\.1 started .*; slow 41 min,/);
    // A finding about the log has an unobtrusive mark even if the viewer did not open the data quality tab.
    const twice = cell(page, 'calm', 'staging');
    await twice.locator('.cell-finding').waitFor();
    expect(await twice.locator('.unseen').textContent()).toMatch(/; the log has a finding here: Sent twice$/);
    await dashboard.post({ ...hub, status: 'success' });
    await dashboard.post({ ...place, deployment_id: 'now', version: '5.6.1' });
    await expect.poll(() => headline(page)).toBe('Nothing needs attention.');
    await page.getByText('Last failure 1 hour ago, worker in preprod.').waitFor();
  });

  test('the list of sixty services in twelve environments is usable on a phone, with one tap per item', async () => {
    const dashboard = await testDashboard();
    const places = ['dev', 'staging', 'qa', 'preprod', 'prod', ...Array.from({ length: 7 }, (_, n) => `region-${n}`)];
    const failures = Array.from({ length: 60 }, (_, n) => ({
      service: `${['api', 'web', 'job'][n % 3]}-${n}`,
      environment: places[n % places.length] ?? '',
    }));
    await Promise.all(failures.map((each) => dashboard.post({ ...each, status: 'failure', version: '2' }, 5)));
    await dashboard.post({ service: 'tax-engine', environment: 'dev', version: '1.9.0', status: 'in-progress' }, 2);
    const page = await open(dashboard.url, { width: 390 });
    await isLive(page);
    await expect.poll(() => headline(page)).toBe('60 services need attention');
    await expect.poll(() => page.locator('.tabs .badge').innerText()).toBe('60');
    await expect.poll(() => page.locator('.need').count()).toBe(10);
    // A phone has no keyboard, so the page mentions no keys.
    const touch = await page.context().newCDPSession(page);
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.locator('.jump').click();
    await page.locator('.palette-close').waitFor();
    const closing = page.locator('.palette-close > kbd');
    expect(await closing.evaluate((key) => getComputedStyle(key).fontSize)).toBe('0px');
    await page.locator('.palette-close').click();
    await page.getByText('1 running, newest in dev, 2 min').click();
    await page.getByRole('link', { name: /^tax-engine in dev: 1\.9\.0 started/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: '50 more' }).click();
    await page.getByRole('button', { name: '10 more' }).click();
    const items = page.getByRole('list', { name: 'What needs attention' }).locator('.need');
    await expect.poll(() => items.count()).toBe(60);
    expect(new Set(await listed(page))).toEqual(new Set(failures.map((each) => `${each.service} ${each.environment}`)));
    const heights = await items.evaluateAll((links) => links.map((link) => link.clientHeight));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    // Scrolling makes every item visible, and each has its sentence.
    const due = failures.map((each) => `${each.service} in ${each.environment}: 2 failed`).sort();
    expect((await readScrolling(page)).map((sentence) => sentence.replace(/ \d+ minutes ago.*/, '')).sort()).toEqual(
      due,
    );
    for (const { service, environment } of failures.slice(0, 3)) {
      await page.getByRole('link', { name: `${service} in ${environment}: 2 failed` }).click();
      await page.getByRole('dialog', { name: `History of ${service} in ${environment}` }).waitFor();
      await page.getByRole('button', { name: 'Close the history' }).click();
    }

    await page.getByText('61 services').waitFor();
    await expect
      .poll(async () => (await page.locator('.phone-team b').allInnerTexts()).sort())
      .toEqual(['Other services', 'api', 'job', 'web']);
    await page.locator('.phone-service', { hasText: 'web-58' }).locator('summary').click();
    await page.locator('.phone-place', { hasText: 'web-58 in region-5: 2 failed' }).click();
    await page.getByRole('dialog', { name: 'History of web-58 in region-5' }).waitFor();
    await page.getByRole('button', { name: 'Close the history' }).click();
    expect(await overflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await expect
      .poll(() => page.locator('.tabs a').allInnerTexts())
      .toEqual([expect.stringMatching(/^Board\s+60$/), 'Changes', 'Releases', 'Analytics']);
    await page.locator('.tabs').getByRole('link', { name: 'Releases' }).click();
    await page.waitForURL('**/?view=releases*');
  });
});
