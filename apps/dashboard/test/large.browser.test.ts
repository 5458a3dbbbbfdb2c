import { busiestService, largeDataset } from '@shiplog/scenarios';
import { axeViolations, inBrowser, overflow, overlaps, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { largeDashboard } from './support/dashboard.ts';
import { isComplete, type ViewCase, viewCases } from './support/views.ts';

const dataset = largeDataset();
const busiest = busiestService(dataset, 'prod-eu');
const service = encodeURIComponent(busiest);
const last = dataset.findLast(({ event }) => event.service === busiest && event.environment === 'prod-eu')?.event;
const release = encodeURIComponent(last?.version || last?.sha || '');

/** The searches of views that name a service or an environment. */
const searches: Readonly<Record<string, string>> = {
  drawer: `?history=${service}&in=prod-eu`,
  'an opened pipeline': `?view=swimlanes&service=${service}`,
  'a release': `?view=releases&of=${service}&release=${release}&into=prod-eu`,
  compare: '?view=compare&source=staging&target=prod-eu',
};
const { phone: _, ...views } = viewCases;
const looks: readonly (readonly [name: string, view: ViewCase])[] = Object.entries(views).map(([name, view]) => [
  name,
  { ...view, search: searches[name] ?? view.search },
]);
const widths = [1440, 390] as const;
/** The widths that axe doesn't check again. */
const otherWidths = [1920, 1024, 768] as const;
/** A service on a busy machine may refuse expensive requests; the page asks again. */
const overload = /503/;
/** axe checks a page with hundreds of rows four times. */
const axeMs = 600_000;

/** The cards of a page whose content is cut at their right edge. */
function cutCards(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('main .card')]
    .filter((card) => getComputedStyle(card).overflowX !== 'auto' && card.scrollWidth > card.clientWidth)
    .map((card) => card.className + ': ' + card.innerText.slice(0, 80))`) as Promise<string[]>;
}

inBrowser('the dashboard with the large dataset', (open) => {
  test.each(looks)(
    '%s opens without an error and fits its window, no card cuts its content, no text lies over another, and axe finds no violation',
    async (_, view) => {
      const { url } = await largeDashboard();
      const page = await open(`${url}${view.search}`, { width: widths[0], expectedLines: overload });
      const found: string[] = [];
      for (const width of [...otherWidths, ...widths]) {
        await page.setViewportSize({ width, height: 900 });
        // The page shows the layout of the previous width until it draws the next frame.
        await page.evaluate('new Promise(requestAnimationFrame)');
        await isComplete(page, view);
        if ((await overflow(page)) > 0) found.push(`${width}: wider than its window`);
        for (const card of await cutCards(page)) found.push(`${width}: cut at the right: ${card}`);
        for (const texts of await overlaps(page)) found.push(`${width}: over each other: ${texts}`);
        if (otherWidths.some((other) => other === width)) continue;
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const line of await axeViolations(page)) found.push(`${width}, ${colorScheme}: ${line}`);
        }
      }
      expect(found).toEqual([]);
    },
    axeMs,
  );

  test('after a history opened by its name is closed, the arrow keys go on at its cell; a chosen service has the focus', async () => {
    const { url } = await largeDashboard();
    const page = await open(`${url}?q=payments-api`, { width: 1280, expectedLines: overload });
    await page.locator('.cell').first().waitFor();
    await page.keyboard.press('Control+k');
    const service = 'payments-api-us-east-2';
    await page.keyboard.type(`${service} in prod-eu`);
    await page.getByRole('option', { name: new RegExp(`^${service} in prod-eu`) }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.drawer h2', { hasText: service }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.drawer').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    const focused =
      'document.activeElement.closest("[data-line]")?.dataset.line + document.activeElement.dataset.column';
    expect(await page.evaluate(focused)).toMatch(/payments-api-us-east-2.*(prod|production)/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('payments-api-us-east');
    await page.getByRole('option', { name: /^payments-api-us-east service/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(focused)).toBe('row payments-api-us-eastundefined');
  });

  test('a long list of environments can be searched, and the menu to share shows all its buttons', async () => {
    const { url } = await largeDashboard();
    const page = await open(`${url}?view=changes&range=yesterday`, { width: 1280, expectedLines: overload });
    await page.locator('summary', { hasText: 'Environment' }).click();
    const menu = page.locator('.menu[open]');
    await menu.getByRole('searchbox', { name: 'Find an environment' }).fill('prod-e');
    expect(await menu.getByRole('radio').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?view=changes&environment=prod-eu&range=yesterday');
    await page.locator('summary', { hasText: 'Share' }).click();
    await menu.getByRole('button', { name: 'Download CSV' }).waitFor();
    const cut = `[...document.querySelectorAll(".menu[open] button")].filter((button) => {
      const panel = button.closest(".menu-panel").getBoundingClientRect();
      return button.scrollWidth > button.clientWidth || button.getBoundingClientRect().right > panel.right;
    }).map((button) => button.textContent)`;
    expect(await page.evaluate(cut)).toEqual([]);
  });

  test('the arrow keys move through every column of a service, and unfolding production keeps the focus there', async () => {
    const { url } = await largeDashboard();
    const page = await open(`${url}?q=payments-api&narrow=production`, { width: 1280, expectedLines: overload });
    // On a busy machine, the stages are known only after the board is drawn.
    await page.locator('.cell[data-column="stage production"]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate('document.activeElement.dataset.column ?? document.activeElement.tagName');
    while ((await focused()) === 'DIV') await page.keyboard.press('ArrowDown');
    const seen: unknown[] = [];
    const count = Number(await page.locator('.grid').getAttribute('aria-colcount')) - 1;
    for (let index = 0; index < count; index += 1) {
      await page.keyboard.press('ArrowRight');
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      seen.push(await focused());
    }
    expect(new Set(seen).size).toBe(count);
    expect(seen).not.toContain('BODY');
    expect(seen.at(-1)).toBe('stage production');
    await page.keyboard.press('Enter');
    await page.locator('.cell[data-column=prod-eu]').first().waitFor();
    expect(['dr', 'prod-eu', 'prod-us']).toContain(await focused());
  });
});
