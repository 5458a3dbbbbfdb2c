import { anEvent, testKeys } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, testDashboard } from './support/dashboard.ts';

inBrowser('data quality', (open) => {
  test('the tab shows whether the data can be trusted, and findings by kind that the slot history also shows', async () => {
    const dashboard = await testDashboard();
    const ahead = { service: 'pricing <b>engine</b>', environment: 'qa', version: '9' };
    await dashboard.post({ ...ahead, deployment_id: 'ahead-1' }, -90);
    await dashboard.post({ ...ahead, deployment_id: 'ahead-2' }, -80);
    await dashboard.post({ ...ahead, service: 'tax', deployment_id: 'ahead-3' }, -70);
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
    const page = await open(`${dashboard.url}?view=analytics`);
    await isLive(page);
    const tab = page.getByRole('link', { name: /^Data quality/ });
    await expect.poll(() => tab.innerText()).toMatch(/4 findings/);
    await tab.click();
    await page.getByRole('heading', { name: 'Can the data be trusted? Mostly.' }).waitFor();
    await page
      .getByText('4 findings affect 2 of 4 services. The figures of the other 2 can be used as shown.')
      .waitFor();
    await page.locator('.refused li', { hasText: /^2 posts with a bad version/ }).waitFor();
    const titles = () => page.locator('.finding-group h3').allInnerTexts();
    const all = [
      'Clock ahead: 3 events in 2 places',
      'Sent twice: 1 event in 1 place',
      'Similar names: 2 names in 1 group',
    ];
    expect(await titles()).toEqual(all);
    await page.locator('.finding-group', { hasText: 'Similar names' }).getByText('"production"').waitFor();
    await page.locator('.reporters tbody tr', { hasText: 'no name given' }).getByText('7', { exact: true }).waitFor();
    await page.goto(`${dashboard.url}?view=quality&kind=duplicate`);
    await expect.poll(titles).toEqual(['Sent twice: 1 event in 1 place']);
    await page.getByRole('link', { name: 'Show all kinds' }).click();
    await expect.poll(titles).toEqual(all);
    await page.goto(`${dashboard.url}?view=analytics&tab=quality&environment=QA`);
    await expect.poll(titles).toEqual(['Clock ahead: 3 events in 2 places']);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await axeViolations(page)).toEqual([]);
    await expect.poll(() => overflow(page)).toBe(0);
    await page.getByRole('link', { name: 'pricing <b>engine</b> in qa' }).click();
    const history = page.getByRole('dialog', { name: /^History of pricing/ });
    await history.getByRole('link', { name: 'Clock ahead' }).click();
    await history.waitFor({ state: 'detached' });
    await expect.poll(titles).toEqual(['Clock ahead: 2 events in 1 place']);

    // Next to a past board, the history names no findings, because they may have come later.
    const slot = `${dashboard.url}?history=tax&in=dev`;
    const findings = page.getByRole('dialog').locator('.slot-findings');
    await page.goto(slot);
    await findings.waitFor();
    await page.goto(`${slot}&asof=${new Date(Date.now() - 60_000).toISOString()}`);
    await page.getByRole('dialog').locator('.event').first().waitFor();
    await page.getByText('History until').waitFor();
    expect(await findings.count()).toBe(0);
  });

  test('a first import of old events is not counted as late', async () => {
    const dashboard = await testDashboard();
    for (const days of [40, 30, 20]) await dashboard.post({ deployment_id: `old-${days}`, version: '1' }, days * 1440);
    for (const minutes of [7, 6, 5, 4, 3, 2, 1])
      await dashboard.post({ deployment_id: `new-${minutes}`, version: '1' }, minutes);
    const page = await open(`${dashboard.url}?view=analytics&tab=quality`);
    await page.getByRole('heading', { name: 'Can the data be trusted? Yes.' }).waitFor();
    await page.getByText('Imported history in 1 place is not counted as late').waitFor();
    await page.getByRole('link', { name: 'Data quality no findings' }).waitFor();
  });
});
