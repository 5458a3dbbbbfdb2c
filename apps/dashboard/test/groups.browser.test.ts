import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { axeViolations, inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, movePointer, services, type TestDashboard, testDashboard } from './support/dashboard.ts';

const catalog = `services:
  - { name: "pay-*", team: payments }
  - { name: "shop-*", team: Shop }
`;

/**
 * Two teams: one has a failure and a service that is behind, the other is healthy. Two environments are used by one
 * service only.
 */
async function filled(): Promise<TestDashboard> {
  const file = join(await testFolder(), 'catalog.yaml');
  await writeFile(file, catalog);
  const dashboard = await testDashboard({ catalogFile: file });
  const { post } = dashboard;
  for (const service of ['pay-api', 'pay-ledger', 'pay-web', 'shop-cart', 'shop-search', 'shop-stock']) {
    for (const [index, environment] of ['dev', 'staging', 'prod'].entries()) {
      await post({ service, environment, version: '1.0.0', deployment_id: `${service}-${environment}` }, 500 - index);
    }
  }
  for (const environment of ['loadtest', 'sandbox']) await post({ service: 'shop-cart', environment }, 300);
  await post({ service: 'pay-web', environment: 'prod', version: '2.0.0', status: 'failure' }, 30);
  await post({ service: 'pay-api', environment: 'dev', version: '1.1.0', status: 'success' }, 40);
  await post({ service: 'pay-api', environment: 'dev', version: '1.2.0', status: 'success' }, 20);
  await post({ service: 'pay-api', environment: 'dev', version: '1.3.0', status: 'success' }, 10);
  return dashboard;
}

/** The names of the board's lines, from top to bottom. */
function lines(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.board-row')]
    .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
    .map((row) => row.querySelector('.name a, .group-name, .well-names').textContent.trim())`) as Promise<string[]>;
}

inBrowser('groups of the board', (open) => {
  test('groups that need attention are open, healthy services are folded and named, and the order is updated when the pointer rests', async () => {
    const dashboard = await filled();
    const page = await open(dashboard.url);
    await isLive(page);
    const are = (due: string[]) => expect.poll(() => lines(page)).toEqual(due);
    const well = '1 healthy ledger';
    await are(['payments 3pay-', 'pay-web', 'pay-api', well, 'Shop 3shop-']);
    await expect.poll(() => page.locator('.board-line').innerText()).toMatch(/^6 services\s+in 2 teams, 4 folded$/);
    await expect
      .poll(async () => (await page.locator('.head').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
      .toEqual(['dev', 'staging', 'Others 2 environments loadtest, sandbox', 'prod']);
    const inProd = page.locator('.group .roll-up[data-column=prod] .unseen');
    await expect
      .poll(() => inProd.allTextContents())
      .toEqual(['payments in prod: 1 failed, 2 succeeded', 'Shop in prod: 3 succeeded']);
    expect(await axeViolations(page)).toEqual([]);

    // While the pointer moves nothing moves, but the cells change.
    const before = await page.locator('.group', { hasText: 'Shop' }).boundingBox();
    const failed = page.locator('.group', { hasText: 'Shop' }).locator('.roll.bad');
    const rest = await movePointer(page);
    await dashboard.post({ service: 'shop-stock', environment: 'prod', version: '3', status: 'failure' });
    await failed.waitFor();
    expect(await page.locator('.group', { hasText: 'Shop' }).boundingBox()).toEqual(before);
    await rest();
    const shop = ['Shop 3shop-', 'shop-stock', '2 healthy cart, search'];
    await are([...shop, 'payments 3pay-', 'pay-web', 'pay-api', well]);

    await page.locator('.well-names', { hasText: 'cart' }).click();
    await page.waitForURL('**/?whole=Shop');
    expect(await services(page)).toEqual(['shop-stock', 'shop-cart', 'shop-search', 'pay-web', 'pay-api']);
    await page.locator('.group .name', { hasText: 'payments' }).click();
    await page.waitForURL('**/?close=payments&whole=Shop');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/?whole=Shop');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL('**/?close=payments&whole=Shop');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('shop-search');
    await page.reload();
    await are([...shop, 'shop-cart', 'shop-search', 'payments 3pay-']);
    await page.getByLabel(/^Filter by service/).fill('ledger');
    await are(['payments 1pay-', 'pay-ledger']);
  });

  test('the progress layout counts slots that are behind and filters by them', async () => {
    const dashboard = await filled();
    const page = await open(`${dashboard.url}?layout=progress`);
    await isLive(page);
    await page.getByRole('button', { name: 'Drift 1', exact: true }).click();
    await expect
      .poll(() =>
        page.locator('.progress-toggle .service-name').evaluateAll((all) => all.map(({ textContent }) => textContent)),
      )
      .toEqual(['pay-api']);
  });

  test('the board shows drift, rarely used environments and off-screen failures, with links to their slots', async () => {
    const dashboard = await filled();
    const page = await open(`${dashboard.url}?fold=nothing`);
    await page.setViewportSize({ width: 1280, height: 420 });
    await isLive(page);
    const behind = cell(page, 'pay-api', 'staging');
    await behind.locator('.drift', { hasText: '3 behind' }).waitFor();
    expect(await behind.locator('.unseen').textContent()).toMatch(/1\.0\.0 succeeded .*; 3 releases behind dev$/);
    await page.getByRole('button', { name: 'Drift 1' }).click();
    await expect.poll(() => services(page)).toEqual(['pay-api']);
    await page.goBack();
    await dashboard.post({ service: 'pay-api', environment: 'staging', version: '1.3.0' });
    await behind.locator('.version', { hasText: '1.3.0' }).waitFor();
    await expect.poll(() => behind.locator('.drift').count()).toBe(0);
    await cell(page, 'pay-api', 'prod').locator('.drift', { hasText: '1 behind' }).waitFor();

    // A click on a folded cell or on the name unfolds the others.
    const others = page.getByRole('button', { name: 'Others 2 environments', exact: true });
    await page.locator('.cell[data-service="shop-cart"][data-column="stage -"]').click({ position: { x: 4, y: 4 } });
    await page.waitForURL('**/?fold=nothing&wide=-');
    await cell(page, 'shop-cart', 'sandbox').waitFor();
    await page.getByRole('button', { name: /^Others/ }).click();
    await others.waitFor();
    // A failure in a folded column gets a badge, and no column appears.
    await dashboard.post({ service: 'shop-stock', environment: 'loadtest', version: '3', status: 'failure' });
    await page.getByRole('button', { name: 'Others 2 environments 1 failed' }).waitFor();
    expect(await cell(page, 'shop-stock', 'loadtest').count()).toBe(0);
    await page.getByRole('button', { name: '1 failed below' }).click();
    await expect
      .poll(() => page.evaluate('({ ...document.activeElement.dataset })'))
      .toEqual({
        service: 'shop-stock',
        column: 'stage -',
      });
    await page.getByRole('button', { name: '1 failed above' }).waitFor();
  });
});
