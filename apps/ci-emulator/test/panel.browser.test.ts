import {
  axeViolations,
  inBrowser,
  type OpenPage,
  overflow,
  type Page,
  type PageOptions,
} from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { type TestEmulator, testEmulator } from './support/emulator.ts';

async function openPanel(open: OpenPage, options?: PageOptions): Promise<{ page: Page; emulator: TestEmulator }> {
  const emulator = await testEmulator();
  const page = await open(`${emulator.url}/_ci/`, options);
  await holds(page, 'Repositories', 2);
  return { page, emulator };
}

/** Waits until the panel shows this figure. */
async function holds(page: Page, words: string, figure: number): Promise<void> {
  await page
    .locator('#figures div', { hasText: words })
    .locator('dd', { hasText: new RegExp(`^${figure}$`) })
    .waitFor();
}

inBrowser('the CI emulator panel', (open) => {
  test('a button seeds a dataset, and another deletes it after a confirmation', async () => {
    const { page } = await openPanel(open);
    await page.getByRole('button', { name: 'Seed demo' }).click();
    await holds(page, 'Repositories', 15);
    await page.getByRole('button', { name: 'Clear…' }).click();
    await page.getByRole('button', { name: 'Keep them' }).click();
    await page.getByRole('button', { name: 'Clear…' }).click();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await holds(page, 'Repositories', 0);
  });

  test('buttons switch emission on and off and emit a single deployment', async () => {
    const { page, emulator } = await openPanel(open);
    await page.getByRole('switch', { name: 'Emission' }).click();
    await page.locator('#emission-switch[aria-checked=true]').waitFor();
    await page.getByRole('switch', { name: 'Emission' }).click();
    await page.locator('#emission-switch[aria-checked=false]').waitFor();
    await page.getByRole('button', { name: 'Emit a failure' }).click();
    await holds(page, 'Deployments', 3);
    expect((await emulator.exported()).at(-1)?.status).toBe('failure');
  });

  test('requests are shown with their cost and the rate limit', async () => {
    const { page, emulator } = await openPanel(open);
    await emulator.github('/repos/acme/shop/deployments?per_page=9');
    await emulator.github('/repos/acme/none/deployments');
    await page.locator('#requests > li', { hasText: 'GET /repos/acme/shop/deployments?per_page=9' }).waitFor();
    await expect.poll(() => page.locator('#requests > li').first().innerText()).toMatch(/^404\s(.|\s)*charged/);
    await page.getByText('2 of 5000 used').waitFor();
  });

  test('a fault can be added by name, and all faults can be removed', async () => {
    const { page, emulator } = await openPanel(open);
    await page.getByRole('button', { name: 'outage' }).click();
    await page.getByText('Active rules: 1.').waitFor();
    expect((await emulator.github('/user/repos')).status).toBe(503);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('No fault is active.').waitFor();
  });

  test('a virtual clock can be moved', async () => {
    const { page } = await openPanel(open);
    await page.getByRole('button', { name: '+1 h' }).click();
    await page.locator('#now', { hasText: '2026-05-04 10:00:00 UTC' }).waitFor();
  });

  test('webhook targets and deliveries are shown', async () => {
    const { page, emulator } = await openPanel(open);
    await emulator.post('/_ci/webhooks', { tool: 'github', url: 'http://127.0.0.1:9/hook', secret: 'a-secret' });
    await page.locator('#targets > li', { hasText: 'http://127.0.0.1:9/hook' }).waitFor();
    await page.locator('#deliveries > li', { hasText: 'ping' }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'axe finds no violation, and a phone needs no horizontal scrolling (%s)',
    async (colorScheme) => {
      const { page, emulator } = await openPanel(open, { width: 375, colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      await emulator.github(`/repos/acme/${'x'.repeat(120)}/deployments`);
      await emulator.post('/_ci/webhooks', {
        tool: 'github',
        url: `http://127.0.0.1:9/${'y'.repeat(120)}`,
        secret: 's',
      });
      await page.locator('#deliveries > li').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    },
  );
});
