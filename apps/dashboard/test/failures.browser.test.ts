import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { openBoard } from './support/dashboard.ts';

/** Every failure of the board, the nearest to production first. */
const failures = ['search prod', 'ledger qa', 'order-svc staging', 'edge dev'];

async function found(page: Page): Promise<string[]> {
  const texts = await page.locator('.found-where').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' '));
}

inBrowser('failures', (open) => {
  test('of every environment are found on a phone, whichever it shows', async () => {
    const { page } = await openBoard(open, '', { width: 390 });
    await page.getByRole('heading', { name: '4 failed' }).waitFor();
    expect(await found(page)).toEqual(failures.slice(0, 3));
    expect(await page.locator('.picker option').allInnerTexts()).toEqual([
      'dev · 1 failed',
      'staging · 1 failed',
      'qa · 1 failed',
      'prod · 1 failed',
    ]);
    await page.getByRole('button', { name: '1 more' }).press('Enter');
    expect(await found(page)).toEqual(failures);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^edge in dev/);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('link', { name: /^order-svc in staging: 2\.11\.0 failed 31 minutes ago/ }).click();
    await page.getByRole('dialog', { name: 'History of order-svc in staging' }).waitFor();
  });

  test('and what runs are listed alone on a phone that asks for nothing else', async () => {
    const { page, dashboard } = await openBoard(open, '', { width: 390 });
    await page.getByRole('button', { name: 'Failed only 4' }).click();
    await page.locator('.picker').waitFor({ state: 'detached' });
    expect(await found(page)).toEqual(failures);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Running 4' }).click();
    await page.getByRole('heading', { name: '4 running' }).waitFor();
    expect(await found(page)).toEqual(['search prod', 'catalog qa', 'ledger qa', 'proxy dev']);
    await page.goto(`${dashboard.url}?only=failed&environment=qa`);
    await page.getByRole('heading', { name: '1 failed' }).waitFor();
    await page.setViewportSize({ width: 600, height: 900 });
    await page.goto(`${dashboard.url}?environment=qa&environment=prod`);
    await page.getByRole('heading', { name: '2 failed' }).waitFor();
  });

  test('are listed above a board that has not the room for all columns, and only there', async () => {
    const { page } = await openBoard(open, '', { width: 768 });
    await page.getByRole('heading', { name: '4 failed' }).waitFor();
    await page.getByRole('button', { name: '1 more' }).click();
    expect(await found(page)).toEqual(failures);
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator('.found-list').waitFor({ state: 'detached' });
  });

  test('are counted alike in the head, on the filter and on the board, whatever narrows them', async () => {
    const { page } = await openBoard(open);
    const counts = async () => (await page.locator('.counts').innerText()).replace(/\s+/g, ' ');
    const red = () => page.locator('.cell.bad, .cell:has(.warn)').count();
    expect(await counts()).toBe('7 services 4 environments 4 running 4 failed');
    expect(await red()).toBe(4);
    await page.getByRole('button', { name: 'Failed only 4' }).click();
    await expect.poll(counts).toBe('4 of 7 services 4 environments 4 running 4 failed');
    expect(await red()).toBe(4);
    await page.getByLabel(/^Filter by service/).fill('order');
    await page.getByRole('button', { name: 'Failed only 1' }).waitFor();
    expect(await counts()).toBe('1 of 7 services 4 environments 0 of 4 running 1 of 4 failed');
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByLabel('staging', { exact: true }).uncheck();
    await expect.poll(counts).toBe('0 of 7 services 3 of 4 environments 0 of 4 running 0 of 4 failed');
    await page.getByText('Nothing matches').waitFor();
  });
});
