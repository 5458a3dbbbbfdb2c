import { anEvent, testKeys } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, testDashboard } from './support/dashboard.ts';

inBrowser('log quality', (open) => {
  test('the quality view shows whether the log can be trusted, and findings that the slot history also shows', async () => {
    const dashboard = await testDashboard();
    const ahead = { service: 'pricing <b>engine</b>', environment: 'qa', version: '9', deployment_id: 'ahead' };
    await dashboard.post(ahead, -90);
    const twice = { service: 'tax', environment: 'dev', version: '1', deployment_id: 'twice' };
    await dashboard.post(twice, 5);
    await dashboard.post(twice, 3);
    await dashboard.post({ service: 'web', environment: 'prod', version: '1', deployment_id: 'web-1' }, 9);
    await dashboard.post({ service: 'shop', environment: 'production', version: '1', deployment_id: 'shop-1' }, 9);
    const refused = { method: 'POST', headers: { 'X-Api-Key': testKeys.api } };
    for (const length of [51, 60]) {
      const body = JSON.stringify(anEvent({ version: 'v'.repeat(length) }));
      expect((await fetch(`${dashboard.url}api/deployments`, { ...refused, body })).status).toBe(422);
    }
    await expect.poll(async () => (await fetch(`${dashboard.url}api/quality`)).text()).toContain('"posts":2');
    const page = await open(`${dashboard.url}?view=quality`);
    await isLive(page);
    await page.getByRole('heading', { name: 'Can the log be trusted? Mostly.' }).waitFor();
    await page
      .getByText('3 findings affect 2 of 4 services. The figures of the other 2 can be used as shown.')
      .waitFor();
    await page.locator('.refused li', { hasText: /^2 posts with a bad version/ }).waitFor();
    const titles = () => page.locator('.finding h3').allInnerTexts();
    expect(await titles()).toEqual(['Clock ahead', 'Sent twice', 'Similar names']);
    await page.locator('.reporters tbody tr', { hasText: 'no name given' }).getByText('5', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Kind' }).click();
    await page.getByLabel('Sent twice').check();
    await expect.poll(titles).toEqual(['Sent twice']);
    await page.goto(`${dashboard.url}?view=quality&environment=QA`);
    await expect.poll(titles).toEqual(['Clock ahead']);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await axeViolations(page)).toEqual([]);
    await expect.poll(() => overflow(page)).toBe(0);
    await page.getByRole('link', { name: /^Show Clock ahead/ }).click();
    const history = page.getByRole('dialog', { name: /^History of pricing/ });
    await history.getByRole('link', { name: 'Clock ahead' }).click();
    await page.getByText('1 row is dated more than 5 minutes after it arrived').waitFor();
    expect(await titles()).toEqual(['Clock ahead']);
    await history.waitFor({ state: 'detached' });
  });
});
