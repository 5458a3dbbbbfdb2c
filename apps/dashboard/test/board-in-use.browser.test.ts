import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, movePointer, openBoard, services } from './support/dashboard.ts';

inBrowser('a board that is being used', (open) => {
  test("new rows don't move other rows while the pointer moves, and join them when it rests", async () => {
    const { page, dashboard } = await openBoard(open);
    const ledger = page.locator('.board-row', { hasText: 'ledger' });
    const before = [await services(page), await ledger.boundingBox()];
    const rest = await movePointer(page);
    for (const service of ['aaa', 'kafka', 'zzz']) {
      await dashboard.post({ service, environment: 'dev', version: '1' });
      await cell(page, service, 'dev').waitFor();
    }
    const [stood, place] = before;
    expect([(await services(page)).slice(0, 7), await ledger.boundingBox()]).toEqual([stood, place]);
    expect((await services(page)).slice(7)).toEqual(['aaa', 'kafka', 'zzz']);
    await rest();
    const others = ['aaa', 'catalog', 'kafka', 'ledger', 'payments-api', 'proxy', 'search', 'zzz'];
    await expect.poll(() => services(page)).toEqual(['order-svc', 'edge', ...others]);
  });

  test('text that is typed while the page is busy stays in the field and becomes the filter', async () => {
    const { page } = await openBoard(open);
    const search = page.getByLabel(/^Filter by service/);
    /** Types faster than the page draws and handles the keys. */
    const type = (keys: string, between: number) =>
      page.evaluate(`(async () => {
        const field = document.querySelector('input[type=search]');
        for (const key of ${JSON.stringify(keys)}) {
          field.value += key;
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
          for (let waits = 0; waits < ${between}; waits += 1) await undefined;
        }
        for (let frames = 0; frames < 3; frames += 1)
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      })()`);
    for (const between of [0, 1, 2, 5]) {
      await search.fill('');
      await type('order', between);
      await expect.poll(() => search.inputValue()).toBe('order');
      await page.waitForURL('**/?q=order');
    }
  });

  test('highlights the version under the pointer or the focus in all cells of its service, until the pointer or focus leaves', async () => {
    const { page, dashboard } = await openBoard(open);
    await dashboard.post({ service: 'ledger', environment: 'dev', version: '1.4.2' });
    await cell(page, 'ledger', 'dev').locator('.version').waitFor();
    const marked = () => page.locator('[data-same]').all();
    const place = cell(page, 'payments-api', 'dev');
    await place.locator('.version').hover();
    await expect.poll(marked).toHaveLength(2);
    await expect.poll(() => page.locator('[data-same]').allInnerTexts()).toEqual(['1.4.2', '1.4.2']);
    await dashboard.post({ service: 'payments-api', environment: 'dev', version: '1.4.4' });
    await place.locator('.version', { hasText: '1.4.4' }).waitFor();
    await expect.poll(marked).toHaveLength(1);
    await page.mouse.move(5, 5);
    await expect.poll(marked).toHaveLength(0);
    await place.focus();
    await expect.poll(marked).toHaveLength(1);
    await page.getByLabel(/^Filter by service/).focus();
    await expect.poll(marked).toHaveLength(0);
  });

  test('Escape closes a menu wherever the focus is, and the next press closes the history behind the menu', async () => {
    const { page } = await openBoard(open, '?history=order-svc&in=staging', { width: 1800 });
    // An opened dialog takes the focus.
    await page.getByRole('dialog').waitFor();
    const menu = page.locator('details', { hasText: 'Share' });
    await page.locator('summary', { hasText: 'Share' }).press('Enter');
    await page.evaluate('document.activeElement.blur()');
    expect(await menu.evaluate((details) => details.contains(document.activeElement))).toBe(false);
    await page.keyboard.press('Escape');
    expect(await menu.evaluate((details) => details.hasAttribute('open'))).toBe(false);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save / Share');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
