import { openTransaction } from '@shiplog/testing';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, onTestFinished, test } from 'vitest';
import { isLive, postBoard, type TestDashboard, testDashboard } from './support/dashboard.ts';
import { shop } from './support/shop.ts';

const changesPerSecond = 50;
const typed = 'Zebra 42, no name';

/** Posts changes to the board until `end` is called. */
function changing({ post }: TestDashboard): { end(): Promise<number> } {
  const posted: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const number = posted.length;
    const status = number % 3 === 0 ? 'failure' : 'success';
    posted.push(post({ service: `service-${number % 40}`, environment: 'prod', version: `9.${number}`, status }));
  }, 1000 / changesPerSecond);
  const stop = () => clearInterval(timer);
  onTestFinished(stop);
  return {
    end: async () => {
      stop();
      await Promise.all(posted);
      return posted.length;
    },
  };
}

/** Each text field by name: its address, its selector, and how to open it. */
const fields: Readonly<Record<string, { search: string; field: string; open?: (page: Page) => Promise<unknown> }>> = {
  'the filter of the board': { search: '', field: 'input[type=search]' },
  'the filter of the changes': { search: '?view=changes', field: 'input[type=search]' },
  'the palette': { search: '', field: '[role=combobox]', open: (page) => page.keyboard.press('Control+k') },
  'the search for a release': { search: '?view=releases', field: '.ask input' },
  'the time of a past board': { search: '?asof=now', field: '.time-typed input' },
  'the service filter of the figures': {
    search: '?view=analytics',
    field: '.scope-bar details[open] input:not([type=checkbox])',
    open: (page) => page.locator('.scope-bar summary', { hasText: 'Services' }).click(),
  },
};

inBrowser('typed text', (open) => {
  test('typed text stays unchanged during fifty changes per second on a quarter of the processor', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines: /503/ });
    const session = await page.context().newCDPSession(page);
    for (const [name, { search, field, open: opened }] of Object.entries(fields)) {
      await page.goto(`${dashboard.url}${search}`);
      await isLive(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const changes = changing(dashboard);
      await opened?.(page);
      await page.locator(field).first().focus();
      await page.keyboard.type(typed, { delay: 10 });
      expect([name, await page.locator(field).first().inputValue()]).toEqual([name, typed]);
      expect(await changes.end(), name).toBeGreaterThan(0);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  });

  test('the board filter explains its syntax in full, even if menus leave little room', async () => {
    const { url } = await shop();
    const page = await open(url, { width: 1440 });
    await isLive(page);
    await page.locator('.cell').first().waitFor();
    const spare = await page.locator('main input[type=search]').evaluate((field: HTMLInputElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen) throw new Error('no canvas');
      pen.font = font;
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return room - pen.measureText(field.placeholder).width;
    });
    expect(spare).toBeGreaterThanOrEqual(0);
  });

  test('the down arrow goes from the filter to the grid', async () => {
    const { url } = await shop();
    const page = await open(url, { width: 1440 });
    await isLive(page);
    await page.keyboard.press('/');
    await page.keyboard.type('checkout');
    await expect.poll(() => page.locator('.grid').innerText()).not.toContain('orders-api');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.closest("[data-line]") !== null')).toBe(true);
  });

  test('typed text stays unchanged while the changes wait for the stages', async () => {
    const { url, databaseUrl } = await shop();
    const facts = await openTransaction(databaseUrl, 'lock table folds in exclusive mode');
    const page = await open(`${url}?view=changes`, { expectedLines: /503/ });
    await page.getByText('Loading the changes').waitFor();
    const field = page.locator('input[type=search]');
    await field.focus();
    await page.keyboard.type('pay');
    await facts.query('commit');
    await page.locator('.changes-top').waitFor({ state: 'attached' });
    await page.keyboard.type('ments');
    expect(await field.inputValue()).toBe('payments');
  });
});
