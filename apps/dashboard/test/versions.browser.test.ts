import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, testDashboard } from './support/dashboard.ts';

const long = '2026.11.20+build.4417.g3f2c1a9';
const environments = ['dev', 'staging', 'qa', 'preprod', 'prod'];

/** Posts versions of every length for every line of a cell. */
async function fill({ post }: Awaited<ReturnType<typeof testDashboard>>): Promise<void> {
  for (const environment of environments) {
    await post({ service: 'runs', environment, version: long }, 9000);
    await post({ service: 'runs', environment, version: `${long}-x`, status: 'failure' }, 800);
    await post({ service: 'runs', environment, version: `${long}-rc.1`, status: 'in-progress' }, 700);
    await post({ service: 'fails', environment, version: '1234567890' }, 8000);
    await post({ service: 'fails', environment, version: `v${long}`, status: 'failure' }, 31);
    await post({ service: 'waits', environment, version: '12345678901' }, 8000);
    await post({ service: 'waits', environment, version: `${long}-next`, status: 'waiting' }, 31);
    await post({ service: 'first', environment, version: `${long}-first`, status: 'waiting' }, 31);
    await post({ service: 'ahead', environment, version: `${long}-ahead` }, -190);
    await post({ service: 'ahead', environment, version: `${long}-hidden`, status: 'failure', run_number: '12345' }, 3);
  }
}

/**
 * The visible versions with fewer than ten readable characters and at least one hidden character; and whether any
 * version is visible.
 */
async function unreadable(page: Page, within: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const drawn = [...document.querySelectorAll('${within} .version')].filter((element) => element.checkVisibility());
    const clips = (element) => {
      const boxes = [];
      for (let at = element; at && !at.matches('.grid, .drawer, main'); at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'hidden' || at.matches('.cell, .event, .graph-node')) boxes.push(at.getBoundingClientRect());
      }
      return boxes;
    };
    const signs = (element) => {
      let count = 0;
      for (const node of element.childNodes.length ? element.childNodes : []) {
        if (node.nodeType !== 3) { count += signs(node); continue; }
        const boxes = clips(element);
        const range = document.createRange();
        let here = 0;
        for (let at = 0; at < node.length; at += 1) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { left, right } = range.getBoundingClientRect();
          if (boxes.every((box) => left >= box.left - 1 && right <= box.right + 1)) here += 1;
        }
        // The ellipsis replaces one character.
        count += here < node.length ? here - 1 : here;
      }
      return count;
    };
    const few = drawn
      .map((element) => [element.textContent, signs(element)])
      .filter(([text, count]) => count < Math.min(10, text.length));
    return { few, isAny: drawn.length > 0 };
  })()`);
}

inBrowser('versions', (open) => {
  for (const [look, preferences] of [
    ['at rest', {}],
    ['with absolute times', { absoluteTimes: true }],
    ['with roomy rows', { density: 'roomy', absoluteTimes: true }],
  ] as const) {
    test(`versions keep at least ten readable characters on the board at every width, ${look}`, async () => {
      const dashboard = await testDashboard();
      await fill(dashboard);
      const page = await open(dashboard.url);
      await page.evaluate(`localStorage.setItem('shiplog /', '${JSON.stringify(preferences)}')`);
      for (const width of [1360, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        for (const search of width < 640 ? ['', '?attention=waits'] : ['']) {
          await page.goto(`${dashboard.url}${search}`);
          await isLive(page);
          const within = width >= 640 ? '.cell' : search === '' ? '.phone-service' : '.need';
          await page.locator(within).first().waitFor();
          await expect
            .poll(() => unreadable(page, within), { message: `${width} ${search}` })
            .toEqual({ few: [], isAny: true });
        }
      }
    });
  }

  test('versions keep at least ten readable characters in the changes, a history and the pipelines at every width', async () => {
    const dashboard = await testDashboard();
    await fill(dashboard);
    const page = await open(dashboard.url);
    for (const width of [1360, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [search, within] of [
        ['?view=changes&environment=*&range=30d', '.changes > .changes-list'],
        ['?view=changes&environment=*&range=30d&net=1', '.net'],
        ['?history=ahead&in=qa', '.drawer'],
        ['?layout=progress&service=ahead', '.progress'],
      ]) {
        await page.goto(`${dashboard.url}${search}`);
        await page.locator(`${within} .version`).nth(1).waitFor();
        expect(await unreadable(page, `${within}`), `${width} ${search}`).toEqual({ few: [], isAny: true });
      }
    }
  });

  test('a truncated version is shown in full under the pointer or the focus, until Escape is pressed', async () => {
    const dashboard = await testDashboard();
    await fill(dashboard);
    const page = await open(dashboard.url);
    await isLive(page);
    const tip = page.getByRole('tooltip');
    const fails = cell(page, 'fails', 'qa');
    await fails.locator('.line1 .version').hover();
    await expect.poll(() => tip.innerText()).toBe(`v${long}`);
    await page.mouse.move(5, 5);
    await tip.waitFor({ state: 'detached' });
    await fails.locator('.line3 .version').hover();
    await expect.poll(() => tip.count()).toBe(0);
    await cell(page, 'runs', 'staging').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => tip.innerText()).toBe(`${long}-rc.1`);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await tip.waitFor();
    await page.keyboard.press('Home');
    await tip.waitFor({ state: 'detached' });
  });

  test('truncated versions are copied in full', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: long });
    const page = await open(dashboard.url);
    const version = cell(page, 'payments-api', 'staging').locator('.line1 .version');
    await expect.poll(() => version.innerText()).toBe(long);
  });
});
