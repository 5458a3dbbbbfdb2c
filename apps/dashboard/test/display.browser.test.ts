import { readFile } from 'node:fs/promises';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, openBoard } from './support/dashboard.ts';

async function columns(page: Page): Promise<string[]> {
  return page.locator('.head').allInnerTexts();
}

inBrowser('how the board is drawn', (open) => {
  test('columns can be hidden; the link includes the change, and the browser remembers it', async () => {
    const { page, dashboard } = await openBoard(open);
    await page.locator('summary', { hasText: 'Display' }).click();
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByLabel('staging', { exact: true }).uncheck();
    await page.waitForURL('**/?hide=staging');
    expect(await columns(page)).toEqual(['dev', 'qa', 'prod']);
    await page.goto(`${dashboard.url}?only=running`);
    await isLive(page);
    await expect.poll(() => columns(page)).toEqual(['dev', 'qa', 'prod']);
    // A link that says how the board is drawn is shown as it says.
    await page.goto(`${dashboard.url}?hide=qa`);
    await isLive(page);
    await expect.poll(() => columns(page)).toEqual(['dev', 'staging', 'prod']);
  });

  test('the service column can be dragged, and the browser remembers its width', async () => {
    const { page } = await openBoard(open);
    const width = async () => (await page.locator('.heads .name').boundingBox())?.width;
    expect(await width()).toBe(272);
    const handle = page.getByRole('separator', { name: 'Width of the service column' });
    const at = await handle.boundingBox();
    if (!at) throw new Error('there is no handle');
    await page.mouse.move(at.x + 4, at.y + 20);
    await page.mouse.down();
    await page.mouse.move(at.x + 104, at.y + 20);
    await page.mouse.up();
    await expect.poll(width).toBe(372);
    await page.reload();
    await isLive(page);
    await expect.poll(width).toBe(372);
    await handle.dblclick();
    await expect.poll(width).toBe(272);
  });

  test('the browser remembers roomy rows, clock times and dark colours', async () => {
    const { page } = await openBoard(open);
    await page.locator('summary', { hasText: 'Display' }).click();
    await page.getByRole('button', { name: 'Roomy' }).click();
    await page.getByRole('button', { name: 'Clock' }).click();
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('dark').check();
    await page.reload();
    await isLive(page);
    await expect
      .poll(() => cell(page, 'order-svc', 'staging').locator('time').first().innerText())
      .toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect((await page.locator('.board-row', { hasText: 'proxy' }).boundingBox())?.height).toBe(58);
  });

  test('a link with fixed times shows the board or the range of this moment, and says that the other moves on', async () => {
    const { page, dashboard } = await openBoard(open, '?only=failed');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async () => {
      await page.locator('summary', { hasText: 'Share' }).click();
      await page.getByRole('button', { name: 'Copy link with fixed times' }).click();
      await page.getByText('Copied').waitFor();
      return new URL(String(await page.evaluate('navigator.clipboard.readText()'))).searchParams;
    };
    const board = await copied();
    expect([board.get('only'), Number.isNaN(Date.parse(board.get('asof') ?? ''))]).toEqual(['failed', false]);
    await page.getByText('The board moves on with time.').waitFor();
    await page.goto(`${dashboard.url}?view=changes&range=yesterday`);
    const changes = await copied();
    expect([changes.get('range'), changes.get('from'), changes.get('to')]).toEqual([
      null,
      expect.stringMatching(/^\d{4}/),
      expect.stringMatching(/^\d{4}/),
    ]);
    await page.getByText('“Yesterday” moves on with time.').waitFor();
  });

  test('a view can be saved, found in the palette and deleted, and the table downloaded as CSV', async () => {
    const { page } = await openBoard(open, '?only=failed');
    await page.locator('summary', { hasText: 'Share' }).click();
    await page.getByLabel('Preset name').fill('Broken things');
    await page.getByRole('button', { name: 'Save this view' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('service,team,environment,stage,version,status,happened_at,actor,last_success');
    expect(lines.slice(1, -1).map((line) => line.replace(/,2\d{3}-[^,]+/, ''))).toEqual([
      'edge,,dev,dev,6,failure,alice,',
      'order-svc,,staging,staging,2.11.0,failure,alice,2.10.7',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Failed 2' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.keyboard.press('Control+k');
    await page.locator('#palette input').fill('broken');
    await page.getByRole('option', { name: /^Broken things/ }).click();
    await page.waitForURL('**/?only=failed');
    await page.locator('summary', { hasText: 'Share' }).click();
    await page.getByRole('button', { name: 'Delete preset Broken things' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Broken things' }).count()).toBe(0);
  });
});
