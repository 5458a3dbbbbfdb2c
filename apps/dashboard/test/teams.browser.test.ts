import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, postBoard, services, testDashboard } from './support/dashboard.ts';

inBrowser('teams', (open) => {
  test("the board can be filtered by catalog team and by the user's own services, and follows the catalog file", async () => {
    const file = join(await testFolder(), 'catalog.yaml');
    await writeFile(
      file,
      `services: [{ name: "pay*", team: payments }, { name: ledger, team: payments }]
presets: [{ name: What payments ships, view: feed, query: "teams=payments&only=failed" }, { name: <b>none</b>, view: nowhere }]
`,
    );
    const dashboard = await testDashboard({ catalogFile: file });
    await postBoard(dashboard);
    const page = await open(`${dashboard.url}?teams=payments`);
    await isLive(page);
    const rows = () => expect.poll(() => services(page));
    await rows().toEqual(['ledger', 'payments-api']);
    await page.locator('summary', { hasText: /^Team/ }).click();
    await page.getByRole('button', { name: 'Team payments is mine' }).click();
    await page.getByLabel('payments', { exact: true }).uncheck();
    await rows().toContain('search');
    await page.getByLabel('only mine').check();
    await rows().toEqual(['ledger', 'payments-api']);
    expect(new URL(page.url()).search).toBe('?mine=1');
    await page.reload();
    await rows().toEqual(['ledger', 'payments-api']);
    await page.locator('summary', { hasText: 'Share' }).click();
    const shared = page.getByRole('list', { name: 'Shared' }).getByRole('link');
    await shared.first().waitFor();
    await expect.poll(() => shared.allInnerTexts()).toEqual(['What payments ships', '<b>none</b>']);
    await shared.first().click();
    await page.waitForURL('**/?view=changes&environment=*&teams=payments&only=failed');
    await page.locator('.change .version', { hasText: '0.9.1' }).waitFor();
    await expect.poll(() => page.locator('.change .release-link .version').allInnerTexts()).toEqual(['0.9.1']);
  });
});
