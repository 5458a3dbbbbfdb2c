import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { openChanges, rowOf, shows } from './support/changes.ts';
import { testDashboard } from './support/dashboard.ts';

const minuteMs = 60_000;
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

inBrowser('the range and the keys of the changes', (open) => {
  test('the range is changed by steps, by name, by its fields, around a time, and by dragging on the strip', async () => {
    const dashboard = await testDashboard();
    const noon = new Date();
    noon.setDate(noon.getDate() - 3);
    noon.setHours(12, 0, 0, 0);
    const time = (hours: number) =>
      new Date(noon.getTime() + hours * 60 * minuteMs).toISOString().replace('.000Z', 'Z');
    for (const [name, hours] of Object.entries({ 'h-2': -1.75, h0: 0.5, h2: 2.75 })) {
      await dashboard.post({ version: name, deployment_id: name, happened_at: time(hours) });
    }
    const page = await openChanges(open, dashboard, `&environment=*&from=${time(0)}&to=${time(1)}`);
    await shows(page, ['h0']);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => query(page)).toMatchObject({ from: time(-1.5), to: time(2.5) });
    await page.getByRole('button', { name: 'Later' }).click();
    await expect.poll(() => query(page)).toMatchObject({ from: time(2.5), to: time(6.5) });
    await shows(page, ['h2']);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByRole('button', { name: 'Earlier' }).click();
    await shows(page, ['h-2']);

    const menu = page.locator('.range summary');
    await menu.click();
    await page.getByLabel('From', { exact: true }).fill('not a time');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Not a valid range').waitFor();
    const day = noon.toLocaleDateString('sv');
    await page.getByLabel('From', { exact: true }).fill(`${day} 12:00`);
    await page.getByLabel('To', { exact: true }).fill('15:00');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => query(page)).toMatchObject({ from: time(0), to: time(3) });
    await shows(page, ['h2', 'h0']);
    await menu.click();
    await page.getByRole('textbox', { name: 'Around' }).fill(`${day} 10:00`);
    await page.getByRole('button', { name: '± 1 h' }).click();
    await expect.poll(() => query(page)).toMatchObject({ from: time(-3), to: time(-1) });
    await shows(page, ['h-2']);

    const strip = page.locator('.strip');
    const box = await strip.boundingBox();
    if (!box) throw new Error('the strip has no box');
    const x = (hour: number) => box.x + (box.width * hour) / 24;
    await page.mouse.move(x(12), box.y + 10);
    await page.mouse.down();
    await page.mouse.move(x(13), box.y + 10);
    await page.mouse.move(x(15), box.y + 10);
    await page.mouse.up();
    await expect.poll(() => query(page)).toMatchObject({ from: time(0), to: time(3) });
    await page.mouse.move(x(13.5), box.y + 10);
    await page.mouse.down();
    await page.mouse.move(x(11.5), box.y + 10);
    await page.mouse.up();
    await expect.poll(() => query(page)).toMatchObject({ from: time(-2), to: time(1) });
    await shows(page, ['h0', 'h-2']);
    await page.getByRole('slider', { name: 'Start of the range' }).press('PageUp');
    await expect.poll(() => query(page)).toMatchObject({ from: time(-1), to: time(1) });
    await shows(page, ['h0']);

    await menu.click();
    await page.getByRole('link', { name: 'Last 7 days' }).click();
    await page.waitForURL('**/?view=changes&environment=*&range=7d');
    await shows(page, ['h2', 'h0', 'h-2']);
    expect(await page.getByRole('button', { name: 'Later' }).isDisabled()).toBe(true);
  });

  test('J and K move, Space peeks, Enter opens and Escape closes', async () => {
    const dashboard = await testDashboard();
    for (const index of [1, 2, 3]) await dashboard.post({ version: `v${index}`, deployment_id: `d-${index}` }, index);
    const page = await openChanges(open, dashboard);
    await shows(page, ['v1', 'v2', 'v3']);
    const opened = () => page.locator('.change.opened .change-step .release-link').allInnerTexts();
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await expect.poll(opened).toEqual(['v1']);
    await page.locator('.change-details .event').waitFor();
    await page.keyboard.press('j');
    await expect.poll(opened).toEqual(['v2']);
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await expect.poll(opened).toEqual(['v2', 'v3']);
    await page.keyboard.press('Space');
    await expect.poll(opened).toEqual(['v2']);
    await page.keyboard.press('k');
    await page.keyboard.press('Escape');
    await expect.poll(opened).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'an opened row, the range menu and the net list are accessible and fit at every width (%s)',
    async (colorScheme) => {
      const dashboard = await testDashboard();
      await dashboard.post({ version: '1.4.1', environment: 'prod', deployment_id: 'a' }, 3000);
      await dashboard.post({ version: '1.4.2', environment: 'prod', deployment_id: 'b', status: 'failure' }, 20);
      await dashboard.post({ version: '1.4.3', environment: 'prod', deployment_id: 'c', actor: 'anna' }, 10);
      await dashboard.post({ version: '1.4.4', environment: 'prod', deployment_id: 'd' }, -60);
      const page = await open(`${dashboard.url}?view=changes`, { colorScheme });
      const found: string[] = [];
      const check = async (what: string) => {
        for (const width of [390, 768, 1024, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await page.evaluate('new Promise(requestAnimationFrame)');
          for (const line of await axeViolations(page)) found.push(`${what}, ${width}: ${line}`);
          if ((await overflow(page)) > 0) found.push(`${what}, ${width}: wider than its window`);
        }
      };
      await page.getByText('1 change with events dated ahead').click();
      await rowOf(page, '1.4.3').locator('.change-toggle').click();
      await page.locator('.change-details .event-line').click({ position: { x: 4, y: 4 } });
      await page.locator('.change-details .event-toggle[aria-expanded="true"]').waitFor();
      await check('rows');
      await page.locator('.range summary').click();
      await check('menu');
      await page.getByRole('link', { name: /^Net/ }).click();
      await page.locator('.net td').first().waitFor();
      await check('net');
      expect(found).toEqual([]);
    },
    300_000,
  );
});
