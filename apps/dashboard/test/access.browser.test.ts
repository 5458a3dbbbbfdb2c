import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, postBoard, type TestDashboard, testDashboard } from './support/dashboard.ts';

/** Each view by its query, and what is there once it is ready. */
const views: readonly (readonly [name: string, search: string, ready: string])[] = [
  ['board', '', '.cell'],
  ['board in quiet mode', '?quiet=1', '.cell'],
  ['history of a slot', '?history=order-svc&in=staging', '[role=dialog] [aria-expanded], [role=dialog] details'],
  ['swimlanes of a service', '?view=swimlanes&service=payments-api', '.live.ok'],
  ['choice of a service', '?view=swimlanes', '.live.ok'],
  ['feed', '?view=feed', '[aria-expanded], details'],
  ['grouped feed', '?view=feed&grouped=1', '[aria-expanded], details'],
  ['analytics', '?view=analytics&window=30d', 'main svg'],
];

async function filled(): Promise<TestDashboard> {
  const dashboard = await testDashboard();
  await postBoard(dashboard);
  // The window of analytics ends at midnight.
  await dashboard.post(
    { service: 'payments-api', environment: 'prod', version: '1.4.1', status: 'failure', deployment_id: 'p-1' },
    3000,
  );
  await dashboard.post(
    {
      service: 'payments-api',
      environment: 'prod',
      version: '1.4.1',
      deployment_id: 'p-2',
      parent_deployments: ['p-1', 'gone'],
    },
    2900,
  );
  return dashboard;
}

/** What has moved by itself since the page was opened, and how much that counts (1 is all of the page); trifles are left out. */
function shifts(page: Page): Promise<unknown> {
  return page.evaluate(`new Promise((done) => {
    const entries = [];
    const tell = () => done(entries
      .filter(({ value, hadRecentInput }) => value > 0.001 && !hadRecentInput)
      .map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.className ?? String(node))]));
    new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(tell)));
  })`);
}

inBrowser('everyone can use it', (open) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      test(`axe finds nothing in any view, ${colorScheme}, ${width} pixels wide, and no page is wider than its window`, async () => {
        const { url } = await filled();
        const found: string[] = [];
        for (const [name, search, ready] of views) {
          const page = await open(`${url}${search}`, { colorScheme, width });
          await page.locator(ready).first().waitFor();
          await isLive(page);
          for (const line of await axeViolations(page)) found.push(`${name}: ${line}`);
          if ((await overflow(page)) > 0) found.push(`${name}: wider than its window`);
        }
        expect(found).toEqual([]);
      });
    }
  }

  test.each([1280, 390])(
    'a view moves nothing about while it loads, and scrolls in one place alone (%i)',
    async (width) => {
      const { url } = await filled();
      for (const [name, search, ready] of views) {
        const page = await open(`${url}${search}`, { width });
        await page.locator(ready).first().waitFor();
        await isLive(page);
        await page.locator('main', { hasNotText: 'Asking' }).waitFor();
        expect([name, await shifts(page)]).toEqual([name, []]);
        await page.setViewportSize({ width, height: 500 });
        const beyond = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
        expect([name, await page.evaluate(beyond)]).toEqual([name, 0]);
      }
    },
  );

  test('what can be pressed in a view is reached with the Tab key, and seen to have the focus', async () => {
    const { url } = await filled();
    for (const [name, search, ready] of views) {
      const page = await open(`${url}${search}`);
      await page.locator(ready).first().waitFor();
      const unreached = await page.evaluate(`(() => {
        const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled;
        const pressable = [...document.querySelectorAll('a[href], button, input, select, summary, [role=gridcell]')].filter(seen);
        return pressable.filter((e) => e.tabIndex < 0 && !e.closest('[role=grid], [role=dialog] [tabindex="0"], svg')).map((e) => e.outerHTML.slice(0, 80));
      })()`);
      expect(unreached, name).toEqual([]);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.matches(":focus-visible")'), name).toBe(true);
    }
  });
});
