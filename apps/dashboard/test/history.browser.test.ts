import { inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { besideText, cell, openBoard, postBackwards, readThrough, testDashboard } from './support/dashboard.ts';

function drawer(page: Page, service: string, environment: string) {
  return page.getByRole('dialog', { name: `History of ${service} in ${environment}` });
}

/** The rows of the open drawer from top to bottom, as status and version. */
async function shows(page: Page, expected: readonly string[]): Promise<void> {
  const rows = () =>
    page
      .locator('[role=dialog] .event-line')
      .evaluateAll((lines) =>
        lines.map((line) => ['.state', '.version'].map((part) => line.querySelector(part)?.textContent).join(' ')),
      );
  await expect.poll(rows, { timeout: 20_000 }).toEqual(expected);
}

/** The accessible name of the focused element. */
function focused(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const { activeElement: at } = document;
    return at.getAttribute('aria-label') ?? at.querySelector('.unseen')?.textContent ?? at.textContent;
  })()`);
}

const orders = ['failed 2.11.0', 'succeeded 2.10.7'];

inBrowser('the history of a slot', (open) => {
  test('a click on a cell opens its history, newest first, below the sentence of the cell', async () => {
    const { page } = await openBoard(open);
    await cell(page, 'order-svc', 'staging').click(besideText);
    await drawer(page, 'order-svc', 'staging').waitFor();
    await page.waitForURL('**/?history=order-svc&in=staging');
    await shows(page, orders);
    await expect
      .poll(() => page.locator('.standing').innerText())
      .toMatch(/^2\.11\.0\s+31 min\s+2\.11\.0 failed 31 minutes ago; last success 2\.10\.7, 2 days ago$/);
    await page.getByText('This is the first event of this service in this environment.').waitFor();
    expect(await focused(page)).toBe('order-svc in staging');
  });

  test('a link opens a slot history over any view, and the back button closes it', async () => {
    const { page, dashboard } = await openBoard(open, '?history=order-svc&in=staging');
    await shows(page, orders);
    await page.goto(`${dashboard.url}?view=changes&history=catalog&in=qa`);
    await shows(page, ['running 3.0.0', 'succeeded 2.8.4']);
    await page.getByRole('button', { name: 'Close the history' }).click();
    await page.waitForURL('**/?view=changes');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await drawer(page, 'catalog', 'qa').waitFor();
    await page.goForward();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('only live events of the slot are added, in order', async () => {
    const { page, dashboard } = await openBoard(open, '?history=order-svc&in=staging');
    await shows(page, orders);
    await dashboard.post({ service: 'order-svc', environment: 'prod', version: 'elsewhere' });
    const sent = Date.now();
    await dashboard.post({ service: 'order-svc', environment: 'staging', version: '2.11.1' });
    await shows(page, ['succeeded 2.11.1', ...orders]);
    expect(Date.now() - sent).toBeLessThan(5000);
    await page.locator('.standing.ok', { hasText: '2.11.1 succeeded' }).waitFor();
    await dashboard.post({ service: 'order-svc', environment: 'staging', version: 'late', status: 'cancelled' }, 60);
    await shows(page, ['succeeded 2.11.1', 'failed 2.11.0', 'cancelled late', 'succeeded 2.10.7']);
  });

  test('a link lists the deployments of the slot', async () => {
    const { page } = await openBoard(open);
    await cell(page, 'order-svc', 'staging').click(besideText);
    await shows(page, orders);
    await page.getByRole('dialog').getByRole('link', { name: 'Deployments' }).click();
    await page.waitForURL('**/?view=changes&service=order-svc&environment=staging&range=30d');
    await page.locator('.change', { hasText: '2.11.0' }).waitFor();
    await expect.poll(() => page.locator('.change .state').allInnerTexts()).toEqual(['failed', 'succeeded']);
  });

  test('Escape closes the history from any element inside it, and returns the focus to the cell', async () => {
    const { page } = await openBoard(open);
    await cell(page, 'ledger', 'qa').click(besideText);
    await shows(page, ['running 0.9.2', 'failed 0.9.1']);
    await page.locator('[role=dialog] .event-toggle').first().click();
    await page.locator('[role=dialog] .event-fields').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(/\/$/);
    expect(await focused(page)).toMatch(/^ledger in qa/);
  });

  test('Escape closes a history as soon as it is in the page', async () => {
    const { page } = await openBoard(open);
    const pressed = page.evaluate(`new Promise((done) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('.drawer')) return;
        observer.disconnect();
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        done();
      }).observe(document.body, { subtree: true, childList: true });
    })`);
    await cell(page, 'order-svc', 'staging').click(besideText);
    await pressed;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test("when a history is closed and its cell isn't on the page, the content gets the focus", async () => {
    const { page } = await openBoard(open, '?history=order-svc&in=staging');
    await shows(page, orders);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('the page next to a history stays usable: cells open other histories, and a search field handles Escape itself', async () => {
    const { page } = await openBoard(open, '?history=search&in=prod');
    await shows(page, ['running 7.2.0', 'failed 7.2.0', 'succeeded 7.1.9']);
    await cell(page, 'catalog', 'dev').click(besideText);
    await drawer(page, 'catalog', 'dev').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await page.getByLabel(/^Filter by service/).focus();
    await page.keyboard.press('Escape');
    expect(await drawer(page, 'catalog', 'dev').isVisible()).toBe(true);
  });

  test('the history of a slot without deployments says so until the first deployment', async () => {
    const { page, dashboard } = await openBoard(open);
    await cell(page, 'edge', 'prod').click(besideText);
    await page.getByText('Nothing has been deployed here yet.').waitFor();
    await expect.poll(() => page.locator('.standing').count()).toBe(0);
    await dashboard.post({ service: 'edge', environment: 'prod', version: '6.1', status: 'queued' });
    await shows(page, ['queued 6.1']);
    await expect.poll(() => page.getByText('Nothing has been deployed here yet.').count()).toBe(0);
  });

  test('the history loads page by page, back to the first event of the slot', async () => {
    const dashboard = await testDashboard();
    const names = Array.from({ length: 130 }, (_, index) => `v${index}`);
    await postBackwards(dashboard, names);
    const page = await open(`${dashboard.url}?history=payments-api&in=staging`);
    const end = page.getByText('This is the first event of this service in this environment.');
    const further = async () => {
      await page.locator('[role=dialog] .further').scrollIntoViewIfNeeded();
      return end.isVisible();
    };
    await expect.poll(further, { timeout: 20_000 }).toBe(true);
    expect((await readThrough(page, '[role=dialog]')).versions).toEqual(names);
  });

  test('the history can be copied as a command that retrieves it', async () => {
    const { page, dashboard } = await openBoard(open, '?history=order-svc&in=staging');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await shows(page, orders);
    const button = page.locator('.drawer-bar').getByRole('button', { name: 'Copy as curl' });
    await button.click();
    await page.locator('.drawer-bar').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -sSg '${dashboard.url}api/deployments?service=order-svc&environment=staging&limit=100'`,
    );
  });

  test('the history is at the right of a wide window and covers the page in a narrow window', async () => {
    const { page } = await openBoard(open, '?history=order-svc&in=staging');
    const place = () => drawer(page, 'order-svc', 'staging').boundingBox();
    await shows(page, orders);
    expect(await place()).toEqual({ x: 640, y: 0, width: 640, height: 900 });
    await page.setViewportSize({ width: 390, height: 700 });
    await expect.poll(place).toEqual({ x: 0, y: 0, width: 390, height: 700 });
    await expect.poll(() => overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Close the history' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test.each([
    [1280, 32],
    [390, 44],
  ])('the close button of a history keeps its size next to the longest name (%i)', async (width, size) => {
    const dashboard = await testDashboard();
    const service = 'payments-'.repeat(12);
    await dashboard.post({ service, version: '1' });
    const page = await open(`${dashboard.url}?history=${service}&in=staging`, { width });
    const button = await page.getByRole('button', { name: 'Close the history' }).boundingBox();
    expect([button?.width, button?.height]).toEqual([size, size]);
  });

  test('hostile names in a history are shown as plain text', async () => {
    const { page, dashboard } = await openBoard(open);
    const hostile = '<img src=x onerror=alert(1)>';
    await dashboard.post({ service: hostile, environment: '__proto__', version: '"><b>1</b>' });
    await cell(page, hostile, '__proto__').click(besideText);
    await drawer(page, hostile, '__proto__').waitFor();
    await shows(page, ['succeeded "><b>1</b>']);
    await expect.poll(() => page.locator('[role=dialog] :is(img, b)').count()).toBe(0);
  });
});
