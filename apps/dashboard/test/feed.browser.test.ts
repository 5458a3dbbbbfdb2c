import { inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { testDashboard } from './support/dashboard.ts';
import { openFeed, shows } from './support/feed.ts';

async function fieldsOf(page: Page, version: string): Promise<Record<string, string>> {
  const row = page.locator('.event', { hasText: version });
  await row.locator('.event-toggle').click();
  const fields = row.locator('.event-fields dl > div');
  await fields.first().waitFor();
  const names = await fields.locator('dt').allTextContents();
  const values = await fields.locator('dd').allTextContents();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

inBrowser('the feed', (open) => {
  test('the newest event is first, a live event appears above it within five seconds, and a late event is inserted in order', async () => {
    const dashboard = await testDashboard();
    for (const [version, minutesAgo] of [['2', 20] as const, ['1', 30] as const, ['3', 10] as const]) {
      await dashboard.post({ version }, minutesAgo);
    }
    const page = await openFeed(open, dashboard);
    await shows(page, ['3', '2', '1']);
    const sent = Date.now();
    await dashboard.post({ version: '4', status: 'in-progress' });
    const newest = page.locator('.event').first();
    await newest.filter({ hasText: '4' }).filter({ hasText: 'running' }).waitFor();
    expect(Date.now() - sent).toBeLessThan(5000);
    await dashboard.post({ version: '2.5' }, 15);
    await shows(page, ['4', '3', '2.5', '2', '1']);
    await page.getByText('This is the beginning of the log.').waitFor();
  });

  test('the first page of the feed is requested once', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: '1' });
    const page = await openFeed(open, dashboard);
    await dashboard.post({ version: '2' });
    await shows(page, ['2', '1']);
    const asked = (await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name)')) as string[];
    expect(asked.filter((url) => url.includes('/api/deployments'))).toEqual([
      `${dashboard.url}api/deployments?limit=100`,
    ]);
  });

  test('a status and a glob filter the rows, including live ones, until their chips are removed', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ service: 'order-svc', version: 'o-1', status: 'failure' }, 40);
    await dashboard.post({ service: 'order-svc', version: 'o-2' }, 30);
    await dashboard.post({ service: 'ledger', version: 'l-1', status: 'failure' }, 20);
    const page = await openFeed(open, dashboard);
    await page.getByLabel('Status', { exact: true }).selectOption({ label: 'failed' });
    await page.waitForURL('**/?view=feed&status=failure');
    await shows(page, ['l-1', 'o-1']);
    await page.getByText('No older events match these filters.').waitFor();
    const search = page.getByLabel(/^Filter by service/);
    await search.fill('service:*-svc');
    await search.press('Enter');
    await page.waitForURL('**/?view=feed&service=*-svc&status=failure');
    await shows(page, ['o-1']);
    await dashboard.post({ service: 'order-svc', version: 'o-3' });
    await dashboard.post({ service: 'ledger', version: 'l-2', status: 'failure' });
    await dashboard.post({ service: 'order-svc', version: 'o-4', status: 'failure' });
    await shows(page, ['o-4', 'o-1']);
    await page.getByRole('button', { name: 'Remove filter status failed' }).click();
    await shows(page, ['o-4', 'o-3', 'o-2', 'o-1']);
    await page.getByRole('button', { name: 'Remove filter service *-svc' }).click();
    await page.waitForURL('**/?view=feed');
    await shows(page, ['o-4', 'l-2', 'o-3', 'l-1', 'o-2', 'o-1']);
  });

  test('a link can select an actor, a deployment and a period', async () => {
    const dashboard = await testDashboard();
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
    const [since, until] = [at(25), at(10)];
    const bobs = { actor: 'bob', deployment_id: 'run-1' };
    await dashboard.post({ version: 'too-old', ...bobs, happened_at: at(26) });
    await dashboard.post({ version: 'first', ...bobs, happened_at: since });
    await dashboard.post({ version: 'of-alice', actor: 'alice', deployment_id: 'run-1', happened_at: at(20) });
    await dashboard.post({ version: 'of-another-run', actor: 'bob', happened_at: at(15) });
    await dashboard.post({ version: 'last', ...bobs, happened_at: at(11) });
    await dashboard.post({ version: 'too-new', ...bobs, happened_at: until });
    const page = await openFeed(open, dashboard, `&actor=bob&deployment=run-1&since=${since}&until=${until}`);
    await shows(page, ['last', 'first']);
    const remove = (what: string) => page.getByRole('button', { name: `Remove filter ${what}` }).click();
    await remove('until');
    await shows(page, ['too-new', 'last', 'first']);
    await remove('since');
    await shows(page, ['too-new', 'last', 'first', 'too-old']);
    await remove('actor bob');
    await shows(page, ['too-new', 'last', 'of-alice', 'first', 'too-old']);
    await remove('deployment run-1');
    await shows(page, ['too-new', 'last', 'of-another-run', 'of-alice', 'first', 'too-old']);
  });

  test('filters without matches and contradictory filters are explained, with a link to all events', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: '1' });
    const page = await openFeed(open, dashboard, '&actor=nobody');
    await page.getByText('No events match these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all events' }).click();
    await shows(page, ['1']);
    await page.goto(`${dashboard.url}?view=feed&status=success&only=failed`);
    await page.getByText('These filters contradict each other.').waitFor();
  });

  test('in groups, the rows of a deployment are below its summary', async () => {
    const dashboard = await testDashboard();
    const now = Date.now();
    const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000).toISOString();
    const run = { deployment_id: 'gha-7', version: '1.9' };
    await dashboard.post({ ...run, status: 'in-progress', happened_at: at(25) });
    await dashboard.post({ deployment_id: 'gha-8', version: '2.0', status: 'failure', happened_at: at(20) });
    await dashboard.post({ ...run, status: 'success', happened_at: at(10) });
    const page = await openFeed(open, dashboard);
    await shows(page, ['1.9', '2.0', '1.9']);
    const toggle = page.getByRole('button', { name: 'Group by deployment' });
    const look = async () => [
      await toggle.getAttribute('aria-pressed'),
      await toggle.locator('.mark').count(),
      await toggle.evaluate((button) => getComputedStyle(button).borderColor),
    ];
    const [off, noTick, plain] = await look();
    expect([off, noTick]).toEqual(['false', 0]);
    await toggle.click();
    await page.waitForURL('**/?view=feed&grouped=1');
    const [on, tick, coloured] = await look();
    expect([on, tick]).toEqual(['true', 1]);
    expect(coloured).not.toBe(plain);
    const heads = page.locator('.group-head');
    await expect.poll(() => heads.count()).toBe(2);
    const [first, second] = await heads.allInnerTexts();
    expect(first).toMatch(/^succeeded\s+1\.9\s+payments-api\s+staging\s+gha-7\s+25 min → 10 min · took 15 min$/);
    expect(second).toMatch(/^failed\s+2\.0\s+payments-api\s+staging\s+gha-8\s+20 min$/);
    const words = page.getByRole('list', { name: 'Deployment gha-7' }).locator('.event .state');
    await expect.poll(() => words.allInnerTexts()).toEqual(['succeeded', 'running']);
    await dashboard.post({ deployment_id: 'gha-8', version: '2.0', status: 'success' });
    await heads.first().filter({ hasText: 'gha-8' }).filter({ hasText: 'succeeded' }).waitFor();
    await expect.poll(() => heads.count()).toBe(2);
  });

  test('an expanded row shows every field of its event and links to related events', async () => {
    const dashboard = await testDashboard();
    const id = await dashboard.post({
      deployment_id: 'gha-42',
      version: '1.4.2',
      happened_at: '2026-05-04T09:12:02Z',
      actor: 'alice',
      ref: 'refs/heads/main',
      sha: '0123456789abcdef0123456789abcdef01234567',
      run_number: '42',
      run_url: 'https://ci.example.org/runs/42',
      parent_deployments: ['gha-41'],
    });
    await dashboard.post({ deployment_id: 'gha-41', environment: 'dev', version: '1.4.1' }, 1);
    const page = await openFeed(open, dashboard);
    expect(await fieldsOf(page, '1.4.2')).toEqual({
      Service: 'payments-api',
      Environment: 'staging',
      Status: 'succeeded',
      Version: '1.4.2',
      'Happened at': expect.stringMatching(/^[45] May 2026, \d\d:\d\d:02 [A-Z].* 2026-05-04T09:12:02Z$/),
      Deployment: 'gha-42',
      Actor: 'alice',
      Ref: 'refs/heads/main',
      Sha: '0123456789abcdef0123456789abcdef01234567',
      'Run number': '42',
      Run: 'https://ci.example.org/runs/42',
      'Promoted from': 'gha-41',
      Event: id,
    });
    await page.getByRole('link', { name: 'gha-41' }).click();
    await page.waitForURL('**/?view=feed&deployment=gha-41');
    await shows(page, ['1.4.1']);
  });

  test('the URL of a run becomes a link only if it is http or https', async () => {
    const dashboard = await testDashboard();
    const urls = ['https://ci.example.org/1', 'http://ci.example.org/2', 'javascript:alert(1)', 'ftp://example.org/4'];
    for (const [index, run_url] of urls.entries()) await dashboard.post({ version: `run-${index}`, run_url }, index);
    const page = await openFeed(open, dashboard);
    await shows(page, ['run-0', 'run-1', 'run-2', 'run-3']);
    for (const [index, url] of urls.entries()) {
      expect((await fieldsOf(page, `run-${index}`)).Run).toBe(url);
      const links = page.locator('.event', { hasText: `run-${index}` }).locator('a[target=_blank]');
      const expected = index < 2 ? [url, url] : [];
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(expected);
      for (const rel of await links.evaluateAll((all) => all.map((link) => link.getAttribute('rel'))))
        expect(rel).toContain('noopener');
    }
  });

  test("an event can be copied as the API's JSON and as a command that retrieves it", async () => {
    const dashboard = await testDashboard();
    const id = await dashboard.post({ version: '1.4.2', actor: "O'Brien", parent_deployments: ['gha-1'] });
    const page = await openFeed(open, dashboard);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await fieldsOf(page, '1.4.2');
    const buttons = page.locator('.event-actions button');
    await expect.poll(() => buttons.allInnerTexts()).toEqual(['Copy as JSON', 'Copy as curl']);
    const copied = async (index: number) => {
      await buttons.nth(index).click();
      await buttons.nth(index).filter({ hasText: 'Copied' }).waitFor();
      return String(await page.evaluate('navigator.clipboard.readText()'));
    };
    const api = `${dashboard.url}api/deployments/${id}`;
    expect(JSON.parse(await copied(0))).toEqual(await (await fetch(api)).json());
    expect(await copied(1)).toBe(`curl -sSg '${api}'`);
  });

  test("hostile text in events is shown as plain text and doesn't widen the page", async () => {
    const dashboard = await testDashboard();
    const hostile = '<img src=x onerror=alert(1)>';
    const long = 'x'.repeat(50);
    await dashboard.post({ service: hostile, environment: '\u202Edorp', version: long, actor: '"><script>x</script>' });
    const page = await openFeed(open, dashboard);
    await page.locator('.event', { hasText: hostile }).waitFor();
    const fields = await fieldsOf(page, long);
    expect([fields.Service, fields.Environment, fields.Actor]).toEqual([
      hostile,
      '\\u{202e}dorp',
      '"><script>x</script>',
    ]);
    await expect.poll(() => page.locator('.feed img, .feed script').count()).toBe(0);
    expect(await overflow(page)).toBe(0);
  });

  test('a reload restores the page from its URL', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ service: 'ledger', version: '1.1', status: 'failure' }, 3);
    await dashboard.post({ service: 'ledger', version: '1.2' }, 2);
    await dashboard.post({ service: 'search', version: '1.3', status: 'failure' }, 1);
    const page = await openFeed(open, dashboard);
    await page.getByLabel(/^Filter by service/).fill('ledger');
    await page.getByLabel('Status', { exact: true }).selectOption('failure');
    await page.getByRole('button', { name: 'Group by deployment' }).click();
    await page.waitForURL('**/?view=feed&q=ledger&status=failure&grouped=1');
    await page.reload();
    await shows(page, ['1.1']);
    await expect.poll(() => page.getByLabel(/^Filter by service/).inputValue()).toBe('ledger');
    await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('failure');
    await expect.poll(() => page.locator('.group-head').count()).toBe(1);
  });
});
