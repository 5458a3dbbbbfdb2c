import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { besideText, cell, isLive, openBoard, sentenceOf, testDashboard } from './support/dashboard.ts';

async function says(page: Page, service: string, environment: string, sentence: RegExp): Promise<void> {
  await expect.poll(() => sentenceOf(cell(page, service, environment))).toMatch(sentence);
}

inBrowser('slot states', (open) => {
  test('a cancelled deployment shows no spinner and does not count as running', async () => {
    const { page, dashboard } = await openBoard(open);
    const run = { service: 'proxy', environment: 'dev', version: '5', deployment_id: 'gha-5' };
    await dashboard.post({ ...run, version: '5', status: 'in-progress' }, 6);
    await says(page, 'proxy', 'dev', /5 started 6 minutes ago$/);
    await page.getByRole('button', { name: 'Running 4' }).waitFor();
    await dashboard.post({ ...run, version: '', status: 'cancelled' }, 5);
    await says(page, 'proxy', 'dev', /^proxy in dev: 5 was cancelled 5 minutes ago$/);
    const box = cell(page, 'proxy', 'dev');
    expect(await box.getAttribute('class')).toMatch(/^cell off\b/);
    await expect.poll(() => box.locator('.turn').count()).toBe(0);
    await expect.poll(() => box.locator('.inside').innerText()).toMatch(/^5\s+cancelled 5 min$/);
    await page.getByRole('button', { name: 'Running 3' }).waitFor();
    await page.getByRole('button', { name: 'Running' }).click();
    await box.waitFor({ state: 'detached' });
    await page.goto(`${dashboard.url}?history=proxy&in=dev`);
    await page.locator('.standing.off', { hasText: '5 was cancelled 5 minutes ago' }).waitFor();
    await dashboard.post({ ...run, status: 'rejected', deployment_id: 'gha-6' }, 4);
    await dashboard.post({ ...run, status: 'in-progress', deployment_id: 'gha-7', version: '7' }, 3);
    await page.locator('.standing.run', { hasText: '7 started 3 minutes ago' }).waitFor();
  });

  test('a pending first deployment has a column, a cell and a history, both live and after a reload', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ service: 'consent-api', environment: 'dev', version: '1.0.0' }, 60);
    const first = { service: 'consent-api', environment: 'prod', version: '1.0.0' };
    await dashboard.post({ ...first, status: 'waiting' }, 120);
    const page = await open(dashboard.url);
    await isLive(page);
    await says(page, 'consent-api', 'prod', /: 1\.0\.0 moved to waiting 2 hours ago; first deployment here$/);
    expect(await cell(page, 'consent-api', 'prod').getAttribute('class')).toMatch(/^cell wait\b/);
    await expect
      .poll(() => cell(page, 'consent-api', 'prod').locator('.inside').innerText())
      .toMatch(/waiting first, 2 h$/);
    await dashboard.post({ ...first, environment: 'qa', status: 'queued' }, 3);
    await says(page, 'consent-api', 'qa', /moved to queued 3 minutes ago; first deployment here/);
    await expect.poll(() => page.locator('.head').allInnerTexts()).toEqual(['dev', 'qa', 'prod']);
    await cell(page, 'consent-api', 'qa').click(besideText);
    await page.locator('.standing.wait', { hasText: 'moved to queued 3 minutes ago' }).waitFor();
    await dashboard.post({ ...first, environment: 'qa', status: 'in-progress' }, 1);
    await says(page, 'consent-api', 'qa', /: 1\.0\.0 started 1 minute ago$/);
    await page.reload();
    await says(page, 'consent-api', 'qa', /: 1\.0\.0 started 1 minute ago$/);
  });

  test('an event dated in the future is marked and shows the failure that it hides', async () => {
    const dashboard = await testDashboard();
    const place = { service: 'pricing-engine', environment: 'qa' };
    await dashboard.post({ ...place, version: '8.14.0', status: 'failure' }, 30);
    await dashboard.post({ ...place, version: '8.15.0' }, -180);
    const page = await open(dashboard.url);
    await isLive(page);
    const box = cell(page, 'pricing-engine', 'qa');
    await says(page, 'pricing-engine', 'qa', /: 8\.15\.0 succeeded dated 3 hours ahead$/);
    expect(await box.getAttribute('class')).toMatch(/^cell ok ahead\b/);
    await expect.poll(() => box.locator('.inside').innerText()).toMatch(/^8\.15\.0\s+dated 3 h ahead$/);
    await dashboard.post({ ...place, version: '8.15.1', status: 'failure' }, 3);
    const hiding = /dated 3 hours ahead; hides a newer event: 8\.15\.1 failed 3 minutes ago$/;
    await says(page, 'pricing-engine', 'qa', hiding);
    await expect.poll(() => box.locator('.hidden-report').innerText()).toBe('8.15.1');
    await page.getByRole('button', { name: 'Failed 1' }).waitFor();
    await page.goto(`${dashboard.url}?only=failed&history=pricing-engine&in=qa`);
    await says(page, 'pricing-engine', 'qa', hiding);
    expect(await box.getAttribute('class')).toMatch(/^cell bad ahead\b/);
    await page.locator('.standing.bad.ahead', { hasText: 'hides a newer event' }).waitFor();
    await expect
      .poll(() => page.locator('.drawer .event-line .age').allInnerTexts())
      .toEqual(['dated 3 h ahead', '3 min', '30 min']);
    await page.goto(`${dashboard.url}?view=changes&environment=*`);
    await page.getByText('1 change with events dated ahead').waitFor();
  });
});
