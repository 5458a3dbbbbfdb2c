import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { developmentKeys } from '@shiplog/server';
import { builtDashboard, testDatabase, testService } from '@shiplog/testing';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, openBoard, postBoard, sentenceOf, services, testDashboard } from './support/dashboard.ts';

async function columns(page: Page): Promise<string[]> {
  return page.locator('.head').allInnerTexts();
}

inBrowser('the board', (open) => {
  test('each state of a cell has its own appearance and accessible name', async () => {
    const { page } = await openBoard(open);
    const states: readonly (readonly [string, string, string, RegExp])[] = [
      ['payments-api', 'dev', 'ok', /^payments-api in dev: 1\.4\.2 succeeded 3 hours ago$/],
      ['payments-api', 'prod', 'ok', /1\.4\.2 succeeded 20 minutes ago; next 1\.4\.3 is queued$/],
      ['order-svc', 'staging', 'bad', /2\.11\.0 failed 31 minutes ago; last success 2\.10\.7, 2 days ago$/],
      ['ledger', 'qa', 'run', /0\.9\.2 started 12 minutes ago; the previous attempt failed$/],
      ['catalog', 'qa', 'run', /3\.0\.0 started 4 minutes ago; last success 2\.8\.4, 5 days ago$/],
      ['search', 'prod', 'run', /the previous attempt failed; last success 7\.1\.9, 8 days ago$/],
      ['proxy', 'dev', 'run', /^proxy in dev: 5 started 8 minutes ago$/],
      ['edge', 'dev', 'bad', /^edge in dev: 6 failed 8 minutes ago$/],
      ['edge', 'prod', 'none', /^edge in prod: never deployed$/],
    ];
    for (const [service, environment, look, sentence] of states) {
      const box = cell(page, service, environment);
      expect(await box.getAttribute('class')).toBe(`cell tile ${look}`);
      expect(await sentenceOf(box)).toMatch(sentence);
    }
    await expect
      .poll(() => cell(page, 'search', 'prod').locator('.inside').innerText())
      .toMatch(/7\.2\.0\s+running\s+2 min\s+▲ last attempt failed\s+7\.1\.9\s+8 d/);
    await expect
      .poll(() => cell(page, 'payments-api', 'prod').locator('.inside').innerText())
      .toMatch(/queued\s+1\.4\.3/);
  });

  test('columns follow the promotion order, and rows are sorted by attention, then by name', async () => {
    const { page } = await openBoard(open);
    expect(await columns(page)).toEqual(['dev', 'staging', 'qa', 'prod']);
    const rest = ['catalog', 'ledger', 'payments-api', 'proxy', 'search'];
    expect(await services(page)).toEqual(['order-svc', 'edge', ...rest]);
    await page.goto(`${new URL(page.url()).origin}/?order=name`);
    await isLive(page);
    expect(await services(page)).toEqual(['order-svc', 'edge', ...rest].sort());
    await expect.poll(() => page.locator('.board-line').innerText()).toBe('7 services');
  });

  test('a changed deployment shows on the board within a second and redraws only its cell', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const twice = { service: 'search', environment: 'prod', deployment_id: 'twice', status: 'success' } as const;
    for (const minutesAgo of [600, 599]) await dashboard.post(twice, minutesAgo);
    const page = await open(dashboard.url);
    await isLive(page);
    // Log findings are marked in their cells some time after the board is drawn.
    await cell(page, 'search', 'prod').locator('.finding').waitFor();
    await page.evaluate(`window.changed = new Set();
      new MutationObserver((list) => { for (const { target } of list) {
        const element = target.nodeType === 1 ? target : target.parentElement;
        const cell = element.closest('.cell');
        // Ages, including those in sentences, change automatically every minute.
        if (cell && !element.closest('time, .unseen')) window.changed.add(cell.dataset.service + ' ' + cell.dataset.environment);
      } }).observe(document.querySelector('.grid'), { subtree: true, childList: true, characterData: true });`);
    const tookMs: number[] = [];
    for (const version of ['2.11.1', '2.11.2', '2.11.3']) {
      const sentAt = performance.now();
      await dashboard.post({ service: 'order-svc', environment: 'staging', version });
      await page.locator('.cell.ok[data-service=order-svc][data-environment=staging]', { hasText: version }).waitFor();
      tookMs.push(performance.now() - sentAt);
    }
    // Polling would take five seconds. The fastest of three attempts shows the difference even on a busy machine.
    expect(Math.min(...tookMs)).toBeLessThan(1000);
    expect(await page.evaluate('[...window.changed]')).toEqual(['order-svc staging']);
  });

  test('an unknown service and environment get a row and a column', async () => {
    const { page, dashboard } = await openBoard(open);
    await dashboard.post({ service: 'brand-new', environment: 'preprod', version: '0.0.1' });
    await cell(page, 'brand-new', 'preprod').waitFor();
    expect(await columns(page)).toEqual(['dev', 'staging', 'qa', 'preprod', 'prod']);
  });

  test('rows can be filtered by text, globs, failures and running deployments, and the link includes the filters', async () => {
    const { page, dashboard } = await openBoard(open);
    const search = page.getByLabel(/^Filter by service/);
    await search.fill('2.11');
    await page.waitForURL('**/?q=2.11');
    expect(await services(page)).toEqual(['order-svc']);
    await search.fill('service:*-svc');
    await search.press('Enter');
    await page.waitForURL('**/?service=*-svc');
    expect(await services(page)).toEqual(['order-svc']);
    await page.getByRole('button', { name: 'Remove filter service *-svc' }).click();
    // The filter counts the rows that need attention. A run after a failure is counted as running.
    await page.getByRole('heading', { name: '2 need attention' }).waitFor();
    await page.getByRole('button', { name: 'Failed only 2' }).click();
    await page.waitForURL('**/?only=failed');
    expect(await services(page)).toEqual(['order-svc', 'edge']);
    await page.goBack();
    await page.goBack();
    expect(await services(page)).toEqual(['order-svc']);
    const link = `${dashboard.url}?only=running&environment=q*`;
    await page.goto(link);
    await isLive(page);
    expect(await services(page)).toEqual(['catalog', 'ledger']);
    expect(await columns(page)).toEqual(['qa']);
  });

  test('the message about a filter without matches links back to the whole board', async () => {
    const { page } = await openBoard(open, '?q=nothing-like-this');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('link', { name: 'Show everything' }).click();
    expect(await services(page)).toHaveLength(7);
  });

  test('columns can be hidden and moved, and the link includes the change', async () => {
    const { page } = await openBoard(open);
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByLabel('staging', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Move prod left' }).click();
    expect(await columns(page)).toEqual(['dev', 'prod', 'qa']);
    await page.reload();
    await isLive(page);
    expect(await columns(page)).toEqual(['dev', 'prod', 'qa']);
  });

  test('arrow keys move between cells, and Enter opens the slot history', async () => {
    const { page } = await openBoard(open, '?order=name');
    const focused = () => page.evaluate('document.activeElement.querySelector(".unseen")?.textContent');
    await cell(page, 'catalog', 'dev').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toMatch(/^order-svc in staging/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'History of order-svc in staging' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toMatch(/^order-svc in staging/);
    await page.keyboard.press('Home');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('order-svc');
  });

  test('the same cell keeps the focus when the board scrolls sideways or a service appears above it', async () => {
    const { page, dashboard } = await openBoard(open, '?order=name&others=1');
    const places = Array.from({ length: 30 }, (_, n) => `region-${n}`);
    await Promise.all(places.map((environment) => dashboard.post({ service: 'edge', environment, version: '1' })));
    await page.locator('.grid[aria-colcount="35"]').waitFor();
    await cell(page, 'edge', 'dev').focus();
    await page.evaluate('document.querySelector(".grid").scrollTo(9999, 0)');
    await page.locator('.head', { hasText: 'region-9' }).waitFor();
    const focused = () => page.evaluate('({ ...document.activeElement.dataset })');
    expect(await focused()).toEqual({ service: 'edge', environment: 'dev' });
    await dashboard.post({ service: 'aaa', environment: 'dev', version: '1' });
    await page.locator('.board-row', { hasText: 'aaa' }).waitFor();
    expect(await focused()).toEqual({ service: 'edge', environment: 'dev' });
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toEqual({ service: 'ledger', environment: 'dev' });
  });

  test('the board of an empty log explains how to post events', async () => {
    const dashboard = await testDashboard();
    const page = await open(dashboard.url);
    await page.getByText('No deployment has been reported yet').waitFor();
    await expect.poll(() => page.locator('pre').innerText()).toContain(`curl -X POST ${dashboard.url}api/deployments`);
    await dashboard.post({ service: 'first', version: '1' });
    await cell(page, 'first', 'staging').waitFor();
  });

  test('the command for the first event works as pasted, with the default key', async () => {
    const keys = { api: [developmentKeys.api], control: [developmentKeys.control] };
    const { url } = await testService({
      databaseUrl: (await testDatabase()).url,
      config: { keys, dashboardDir: builtDashboard },
    });
    const page = await open(`${url}/`);
    await page.getByText('No deployment has been reported yet').waitFor();
    const { API_KEY: _, ...env } = process.env;
    await promisify(execFile)('sh', ['-c', await page.locator('pre').innerText()], { env });
    await cell(page, 'payments-api', 'dev').waitFor();
  });

  test('hostile names on the board are shown as plain text', async () => {
    const { page, dashboard } = await openBoard(open);
    const hostile = '<img src=x onerror=alert(1)>';
    await dashboard.post({
      service: hostile,
      environment: '\u202Edorp',
      version: '"><script>alert(1)</script>',
      actor: '__proto__',
    });
    const row = page.locator('.board-row', { hasText: hostile });
    await row.waitFor();
    await expect.poll(() => page.locator('.grid img, .grid script').count()).toBe(0);
    expect(await columns(page)).toContain('\\u{202e}dorp');
    await dashboard.post({ service: '__proto__', environment: 'constructor', version: '1' });
    await cell(page, '__proto__', 'constructor').waitFor();
  });

  test('the browser remembers compact rows, absolute times and dark colours', async () => {
    const { page } = await openBoard(open);
    await page.locator('summary', { hasText: 'View' }).click();
    await page.getByLabel('one line per row').check();
    await page.getByLabel('absolute times (UTC)').check();
    await page.getByLabel('dark').check();
    await page.reload();
    await isLive(page);
    await expect
      .poll(() => cell(page, 'order-svc', 'staging').locator('time').first().innerText())
      .toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await page.evaluate('document.querySelector(".board-row").clientHeight')).toBeLessThan(40);
  });

  test('presets can be saved, deleted, and moved to another browser by file', async () => {
    const { page, dashboard } = await openBoard(open, '?only=failed');
    await page.locator('summary', { hasText: 'Presets' }).click();
    await page.getByLabel('Preset name').fill('Broken things');
    await page.getByRole('button', { name: 'Save this view' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await (await download).path();
    const other = await open(dashboard.url);
    await isLive(other);
    await other.locator('summary', { hasText: 'Presets' }).click();
    await other.getByLabel('Import').setInputFiles(file);
    await other.getByRole('link', { name: 'Broken things' }).click();
    await other.waitForURL('**/?only=failed');
    await other.goBack();
    expect(new URL(other.url()).search).toBe('');
    await other.goForward();
    await other.getByRole('button', { name: 'Delete preset Broken things' }).click();
    await expect.poll(() => other.getByRole('link', { name: 'Broken things' }).count()).toBe(0);
  });
});
