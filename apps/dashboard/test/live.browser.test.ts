import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, postBoard, restarted, sentenceOf, testDashboard } from './support/dashboard.ts';

/** Console messages after the service stopped. */
const expectedLines = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|net::ERR|404|503/;

async function shows(page: Page, service: string, version: string): Promise<void> {
  await page.locator(`.cell[data-service="${service}"]`, { hasText: version }).first().waitFor();
}

/** The number of open deployment streams, from the service's metrics. */
async function streamsOpen(url: string): Promise<number> {
  const text = await (await fetch(`${url}metrics`)).text();
  return Number(/^shiplog_stream_connections\{stream="deployments"\} (\d+)$/m.exec(text)?.[1]);
}

inBrowser('the live board', (open) => {
  test('two tabs of a browser share one stream and the facts, and both show new events', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url);
    await isLive(page);
    const other = await page.context().newPage();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await other.goto(dashboard.url);
    await isLive(other);
    await other.goto(`${dashboard.url}?view=changes&environment=*`);
    await isLive(other);
    expect(await streamsOpen(dashboard.url)).toBe(1);
    const shared = ['matrix', 'board/facts', 'quality', 'analytics/stages', 'environments/diff'];
    expect(asked.filter((path) => shared.includes(path.replace(/^\/api\//, '')))).toEqual([]);
    await dashboard.post({ service: 'payments-api', environment: 'dev', version: '1.5.0' });
    await shows(page, 'payments-api', '1.5.0');
    await other.getByText('1.5.0').first().waitFor();
    await page.close();
    await dashboard.post({ service: 'payments-api', environment: 'dev', version: '1.6.0' });
    await other.getByText('1.6.0').first().waitFor();
  });

  test('after a restart of the service, the page reconnects and shows what happened meanwhile', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await isLive(page);
    await dashboard.service.stop();
    await page.locator('.live.bad').waitFor();
    await expect.poll(() => page.locator('.live').innerText()).toMatch(/reconnecting · snapshot|snapshot, \d+ s old/);
    await shows(page, 'payments-api', '1.4.2');
    const again = await restarted(dashboard);
    await again.post({ service: 'payments-api', environment: 'dev', version: '2.0.0' });
    await shows(page, 'payments-api', '2.0.0');
    await isLive(page);
  });

  test('a reset empties an open board, and later events appear', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url);
    await isLive(page);
    await dashboard.reset();
    await page.getByText('No deployments yet').waitFor();
    await dashboard.post({ service: 'phoenix', version: '1' });
    await shows(page, 'phoenix', '1');
    await expect.poll(() => page.locator('.board-row').count()).toBe(1);
  });

  test('a late event is inserted in order', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ service: 'ledger', version: '2', status: 'in-progress' }, 1);
    const page = await open(dashboard.url);
    await isLive(page);
    await dashboard.post({ service: 'ledger', version: '1', status: 'failure' }, 5);
    await page.getByText(', last attempt failed').waitFor();
    await shows(page, 'ledger', '2');
  });

  test('without shared workers, each tab has its own stream', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url);
    await page.addInitScript('delete window.SharedWorker');
    await page.reload();
    await isLive(page);
    await dashboard.post({ service: 'payments-api', environment: 'dev', version: '1.5.0' });
    await shows(page, 'payments-api', '1.5.0');
  });

  test('ages follow the clock of the service, even if the clock of this machine is wrong', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    // The page itself opens the stream, because a test can't set the clock of a shared worker.
    await page.addInitScript(`delete window.SharedWorker;
      const { now } = Date; Date.now = () => now() - 3 * 3600_000;`);
    await page.reload();
    await isLive(page);
    await expect
      .poll(() => sentenceOf(cell(page, 'order-svc', 'staging')))
      .toMatch(/2\.11\.0 failed 31 minutes ago; last success 2\.10\.7, 2 days ago$/);
    await dashboard.reset();
    const [, instant = ''] = /"happened_at": "([^"]+)"/.exec(await page.locator('pre').first().innerText()) ?? [];
    expect(Math.abs(Date.parse(instant) - Date.now())).toBeLessThan(60_000);
  });

  test('once enabled, notifications are shown for new changes that match the filter, and never for replayed ones', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await notifyMe(page, `${dashboard.url}?only=failed`);
    await dashboard.post({ service: 'payments-api', environment: 'dev', version: '1.5.0', status: 'success' });
    await dashboard.post({
      service: 'payments-api',
      environment: 'dev',
      version: '1.5.1',
      status: 'failure',
      actor: 'bob',
    });
    await expect.poll(() => page.evaluate('window.notified.length'), { timeout: 20_000 }).toBeGreaterThan(1);
    await dashboard.service.stop();
    await page.locator('.live.bad').waitFor();
    const again = await testDashboard({ databaseUrl: dashboard.databaseUrl });
    await again.post({ service: 'payments-api', environment: 'dev', version: '1.5.2', status: 'failure' });
    const back = await restarted(dashboard);
    await shows(page, 'payments-api', '1.5.2');
    await isLive(page);
    await back.post({ service: 'payments-api', environment: 'dev', version: '1.5.3', status: 'failure' });
    await expect.poll(() => page.evaluate('window.notified.length'), { timeout: 20_000 }).toBeGreaterThan(2);
    expect(await page.evaluate('window.notified')).toEqual([
      'Notifications are on / You will be notified of events that match: failed only',
      'payments-api 1.5.1 failed in dev / by bob',
      'payments-api 1.5.3 failed in dev / ',
    ]);
  });

  test('notifications of the view Changes are about production, like the view', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url, { expectedLines });
    await notifyMe(page, `${dashboard.url}?view=changes&only=failed`);
    for (const environment of ['dev', 'prod']) {
      await dashboard.post({ service: 'payments-api', environment, version: '1.5.1', status: 'failure' });
    }
    await expect
      .poll(() => page.evaluate('window.notified'), { timeout: 20_000 })
      .toEqual([
        'Notifications are on / You will be notified of events that match: environment prod, failed only',
        'payments-api 1.5.1 failed in prod / ',
      ]);
  });
});

/** Opens a view and switches notifications on; the page collects them. */
async function notifyMe(page: Page, url: string): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(`window.notified = [];
    window.Notification = class { static permission = 'granted'; static requestPermission = async () => 'granted';
      constructor(title, options) { window.notified.push(title + ' / ' + options.body); } };`);
  await page.goto(url);
  await isLive(page);
  await page.locator('summary', { hasText: 'Settings' }).click();
  await page.getByLabel("notify me of events that match this view's filters").check();
  await page.getByLabel(/notify me of events that match: .*failed only/).waitFor();
}
