import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { postBoard, shifts, type TestDashboard, testDashboard } from './support/dashboard.ts';
import { isComplete, type ViewCase, viewCases } from './support/views.ts';

type Look = Pick<ViewCase, 'search' | 'ready' | 'isPast'> & {
  /** The key to press once the page is ready, and the selector of the element that the key opens. */
  readonly pressed?: readonly [key: string, opens: string];
};

const { phone: _, ...viewsOfAnyWidth } = viewCases;

/** Every state of the page that exists at all widths, by name. */
const looks: Readonly<Record<string, Look>> = {
  ...viewsOfAnyWidth,
  palette: { search: '', ready: '.cell, .phone-service', pressed: ['Control+k', '[role=option]'] },
  keys: { search: '', ready: '.cell, .phone-service', pressed: ['?', 'dialog h2, [role=dialog] h2'] },
};

const widths = [1440, 1024, 390] as const;

/** The test opens all these states one after the other. */
const loadMs = 300_000;
/** axe checks each state six times. */
const axeMs = 600_000;

/** Waits until the page is complete. */
async function isReady(page: Page, { pressed, ...view }: Look): Promise<void> {
  await isComplete(page, view);
  if (!pressed || (await page.locator(pressed[1]).count()) > 0) return;
  await page.keyboard.press(pressed[0]);
  await page.locator(pressed[1]).first().waitFor();
}

async function filled(): Promise<TestDashboard> {
  const dashboard = await testDashboard();
  await postBoard(dashboard);
  // The period of the figures ends at midnight.
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

/** Delivers one API response at a time, the next one only after the page has drawn the previous one. */
async function oneByOne(page: Page): Promise<void> {
  const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
  let last = Promise.resolve<unknown>(undefined);
  await page.route(/\/api\/(?!.*stream)/, (route) => {
    last = last
      .then(async () => {
        await route.fulfill({ response: await route.fetch() });
        await page.evaluate(drawn);
      })
      .catch(() => undefined);
  });
}

/** The controls that the Tab key and, in a grid, the arrow keys do not reach. */
function unreached(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled;
    const pressable = [...document.querySelectorAll('a[href], button, input, select, summary, [role=gridcell]')].filter(seen);
    return pressable.filter((e) => e.tabIndex < 0 && !e.closest('[role=grid], [role=treegrid], [role=dialog] [tabindex="0"], svg')).map((e) => e.outerHTML.slice(0, 80));
  })()`) as Promise<string[]>;
}

inBrowser('accessibility of the dashboard', (open) => {
  test(
    'axe finds no violation at any of three widths, no page is wider than its window, and the Tab key reaches every control',
    async () => {
      const { url } = await filled();
      const found: string[] = [];
      for (const [name, look] of Object.entries(looks)) {
        const page = await open(`${url}${look.search}`, { width: widths[0] });
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          // The page shows the layout of the previous width until it draws the next frame.
          await page.evaluate('new Promise(requestAnimationFrame)');
          await isReady(page, look);
          if ((await overflow(page)) > 0) found.push(`${name}, ${width}: wider than its window`);
          for (const control of await unreached(page))
            found.push(`${name}, ${width}: not reached with Tab: ${control}`);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            for (const line of await axeViolations(page)) found.push(`${name}, ${width}, ${colorScheme}: ${line}`);
          }
        }
        await page.setViewportSize({ width: widths[0], height: 900 });
        await isReady(page, look);
        await page.keyboard.press('Tab');
        if (!(await page.evaluate('document.activeElement.matches(":focus-visible")'))) found.push(`${name}: no focus`);
        await page.context().close();
      }
      expect(found).toEqual([]);
    },
    axeMs,
  );

  test.each([1280, 390])(
    'no element moves while a view loads, and only one element scrolls (%i)',
    async (width) => {
      const { url } = await filled();
      for (const [name, look] of Object.entries(looks)) {
        const page = await open(`${url}${look.search}`, { width, before: oneByOne });
        await isReady(page, look);
        expect([name, await shifts(page)]).toEqual([name, []]);
        await page.setViewportSize({ width, height: 500 });
        const beyond = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
        await expect.poll(async () => [name, await page.evaluate(beyond)]).toEqual([name, 0]);
        await page.context().close();
      }
    },
    loadMs,
  );
});
