import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { axeViolations, inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, services, type TestDashboard, testDashboard } from './support/dashboard.ts';

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
  test('groups that need attention are open, healthy services are folded and named, and nothing moves automatically', async () => {
    const dashboard = await filled();
    const page = await open(dashboard.url);
    await isLive(page);
    const are = (due: string[]) => expect.poll(() => lines(page)).toEqual(due);
    const well = '1 more, all healthy: pay-ledger';
    // Drift arrives after the board is sorted, and on a busy machine so do the teams.
    const updated = async () => {
      await page.keyboard.press('o');
      return lines(page);
    };
    await expect.poll(updated).toEqual(['payments 3', 'pay-web', 'pay-api', well, 'Shop 3 · all healthy']);
    await expect.poll(() => page.locator('.board-line').innerText()).toMatch(/^6 services in 2 teams, 4 folded$/);
    await expect.poll(() => page.locator('.head').allInnerTexts()).toEqual(['dev', 'staging', 'prod', 'others (2)']);
    const inProd = page.locator('.group .roll-up[data-environment=prod] .unseen');
    await expect
      .poll(() => inProd.allTextContents())
      .toEqual(['payments in prod: 1 failed, 2 succeeded', 'Shop in prod: 3 succeeded']);
    expect(await axeViolations(page)).toEqual([]);

    const before = await page.locator('.group', { hasText: 'Shop' }).boundingBox();
    await dashboard.post({ service: 'shop-stock', environment: 'prod', version: '3', status: 'failure' });
    await page.locator('.group-name', { hasText: 'Shop 3 · 1 failed' }).waitFor();
    expect(await page.locator('.group', { hasText: 'Shop' }).boundingBox()).toEqual(before);
    await page.locator('.board-line', { hasText: 'would move' }).waitFor();
    await page.getByRole('button', { name: 'Update order' }).click();
    const shop = ['Shop 3', 'shop-stock', '2 more, all healthy: shop-cart, shop-search'];
    await are([...shop, 'payments 3', 'pay-web', 'pay-api', well]);

    await page.locator('.well-names', { hasText: 'shop-cart' }).click();
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
    await expect.poll(updated).toEqual([...shop, 'shop-cart', 'shop-search', 'payments 3 · 1 failed']);
    await page.getByLabel(/^Filter by service/).fill('ledger');
    await are(['payments 1', 'pay-ledger']);
  });

  test('the pipelines view counts slots that are behind and filters by them', async () => {
    const dashboard = await filled();
    const page = await open(`${dashboard.url}?view=swimlanes`);
    await isLive(page);
    await page.getByRole('button', { name: 'Behind 1', exact: true }).click();
    await expect.poll(() => page.locator('.pipeline-toggle, .released-row .cut').allInnerTexts()).toEqual(['pay-api']);
  });

  test('the board shows drift, rarely used environments and off-screen failures, with links to their slots', async () => {
    const dashboard = await filled();
    const page = await open(`${dashboard.url}?fold=nothing`);
    await page.setViewportSize({ width: 1280, height: 420 });
    await isLive(page);
    const behind = cell(page, 'pay-api', 'staging');
    await behind.locator('.drift', { hasText: '3 behind' }).waitFor();
    expect(await behind.locator('.unseen').textContent()).toMatch(/1\.0\.0 succeeded .*; 3 releases behind dev$/);
    await page.getByRole('button', { name: 'Behind 1' }).click();
    await expect.poll(() => services(page)).toEqual(['pay-api']);
    await page.goBack();
    await dashboard.post({ service: 'pay-api', environment: 'staging', version: '1.3.0' });
    await behind.locator('.version', { hasText: '1.3.0' }).waitFor();
    await expect.poll(() => behind.locator('.drift').count()).toBe(0);
    await cell(page, 'pay-api', 'prod').locator('.drift', { hasText: '1 behind' }).waitFor();

    await page.getByRole('button', { name: /^others/ }).click();
    await page.waitForURL('**/?fold=nothing&others=1');
    await cell(page, 'shop-cart', 'sandbox').waitFor();
    await page.getByRole('button', { name: /^Fold rarely used environments/ }).click();
    await page.locator('.head', { hasText: 'others (2)' }).waitFor();
    await dashboard.post({ service: 'shop-stock', environment: 'loadtest', version: '3', status: 'failure' });
    await page.locator('.head', { hasText: 'others (1)' }).waitFor();
    await page.getByRole('button', { name: '1 failed below' }).click();
    await expect
      .poll(() => page.evaluate('({ ...document.activeElement.dataset })'))
      .toEqual({
        service: 'shop-stock',
        environment: 'loadtest',
      });
    await page.getByRole('button', { name: '1 failed above' }).waitFor();
  });
});
