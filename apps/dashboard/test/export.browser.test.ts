import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testFolder } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { openBoard, services } from './support/dashboard.ts';

inBrowser('an exported board', (open) => {
  test('an exported board is a self-contained page with the content of the view and without scripts', async () => {
    const { page, dashboard } = await openBoard(open, '?hide=dev');
    const hostile = '<script>document.title="x"</script>';
    await dashboard.post({ service: hostile, environment: 'prod', version: '"><img src=x onerror=alert(1)>' }, 1);
    await expect.poll(() => services(page)).toContain(hostile);
    await page.locator('summary', { hasText: 'View' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export the board as HTML' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^shiplog-board-\d{4}-\d\d-\d\dT\d\d-\d\d\.html$/);
    const file = join(await testFolder(), 'board.html');
    await download.saveAs(file);
    for (const colorScheme of ['light', 'dark'] as const) {
      const alone = await open(pathToFileURL(file).href, { colorScheme, width: colorScheme === 'dark' ? 390 : 1280 });
      await expect.poll(() => alone.locator('thead th').allInnerTexts()).toEqual(['Service', 'staging', 'qa', 'prod']);
      const names = await alone.locator('tbody th bdi').allInnerTexts();
      expect(names.sort()).toEqual((await services(page)).sort());
      const failure = alone.locator('td.bad', { hasText: '2.11.0' });
      await expect
        .poll(() => failure.innerText())
        .toMatch(/^2\.11\.0\s+failed \d{4}-.* UTC\s+last success 2\.10\.7 \d{4}-.* UTC$/);
      expect(await failure.evaluate((cell) => getComputedStyle(cell).backgroundColor)).toBe(
        colorScheme === 'dark' ? 'rgb(47, 22, 20)' : 'rgb(253, 236, 234)',
      );
      await expect.poll(() => alone.getByText('Filters: without environment dev.').count()).toBe(1);
      expect((await alone.getByRole('heading').boundingBox())?.y).toBeLessThan(30);
      expect(await alone.title()).toMatch(/^Shiplog board, /);
      expect(await alone.getByRole('link').getAttribute('href')).toBe(`${dashboard.url}?hide=dev`);
      expect(await axeViolations(alone)).toEqual([]);
      expect(await overflow(alone)).toBeLessThanOrEqual(0);
    }
  });
});
