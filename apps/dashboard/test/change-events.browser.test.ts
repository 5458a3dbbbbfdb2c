import { inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { openChanges, rowOf, shows } from './support/changes.ts';
import { testDashboard } from './support/dashboard.ts';

/** The fields of the only event of the open row. */
async function fieldsOf(page: Page, version: string): Promise<Record<string, string>> {
  const row = rowOf(page, version);
  await row.locator('.change-toggle').click();
  await row.locator('.event-toggle').click();
  const fields = row.locator('.event-fields dl > div');
  await fields.first().waitFor();
  const names = await fields.locator('dt').allTextContents();
  const values = await fields.locator('dd').allTextContents();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

inBrowser('an opened change', (open) => {
  test('an opened event shows every field and links to related changes', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: '1.4.1', deployment_id: 'gha-41', environment: 'dev' }, 30);
    const id = await dashboard.post(
      {
        ...{ version: '1.4.2', deployment_id: 'gha-42', actor: 'alice', ref: 'refs/heads/main', run_number: '42' },
        ...{ sha: '0123456789abcdef0123456789abcdef01234567', run_url: 'https://ci.example.org/runs/42' },
        parent_deployments: ['gha-41'],
      },
      20,
    );
    const page = await openChanges(open, dashboard);
    expect(await fieldsOf(page, '1.4.2')).toMatchObject({
      Service: 'payments-api',
      Environment: 'staging',
      Status: 'succeeded',
      Version: '1.4.2',
      Deployment: 'gha-42',
      Actor: 'alice',
      Ref: 'refs/heads/main',
      Run: 'https://ci.example.org/runs/42',
      'Promoted from': 'gha-41',
      Event: id,
    });
    await page.getByRole('link', { name: 'Deployments by this person' }).click();
    await page.waitForURL('**/?view=changes&environment=*&actor=alice&range=30d');
    await shows(page, ['1.4.2']);
    await page.goBack();
    await fieldsOf(page, '1.4.2');
    await page.getByRole('link', { name: 'gha-41' }).click();
    await page.waitForURL('**/?view=changes&environment=*&deployment=gha-41');
    await shows(page, ['1.4.1']);
  });

  test('the URL of a run becomes a link only if it is http or https', async () => {
    const dashboard = await testDashboard();
    const urls = ['https://ci.example.org/1', 'http://ci.example.org/2', 'javascript:alert(1)', 'ftp://example.org/4'];
    for (const [index, run_url] of urls.entries()) {
      await dashboard.post({ version: `run-${index}`, deployment_id: `d-${index}`, run_url }, index);
    }
    const page = await openChanges(open, dashboard);
    for (const [index, url] of urls.entries()) {
      expect((await fieldsOf(page, `run-${index}`)).Run).toBe(url);
      const links = rowOf(page, `run-${index}`).locator('a[target=_blank]');
      const expected = index < 2 ? [url, url] : [];
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(expected);
      for (const rel of await links.evaluateAll((all) => all.map((link) => link.getAttribute('rel'))))
        expect(rel).toContain('noopener');
    }
  });

  test("an event can be copied as the API's JSON and as a command that retrieves it", async () => {
    const dashboard = await testDashboard();
    const id = await dashboard.post({ version: '1.4.2', actor: "O'Brien", parent_deployments: ['gha-1'] });
    const page = await openChanges(open, dashboard);
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

  test("hostile text in changes is shown as plain text and doesn't widen the page", async () => {
    const dashboard = await testDashboard();
    const hostile = '<img src=x onerror=alert(1)>';
    const long = 'x'.repeat(50);
    await dashboard.post({ service: hostile, environment: '\u202Edorp', version: long, actor: '"><script>x</script>' });
    const page = await openChanges(open, dashboard);
    await page.locator('.change', { hasText: hostile }).waitFor();
    const fields = await fieldsOf(page, long);
    expect([fields.Service, fields.Environment, fields.Actor]).toEqual([
      hostile,
      '\\u{202e}dorp',
      '"><script>x</script>',
    ]);
    await expect.poll(() => page.locator('.changes img, .changes script').count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    await page.goto(`${dashboard.url}?view=changes&environment=*&net=1`);
    await page.locator('.net', { hasText: hostile }).waitFor();
    expect(await overflow(page)).toBe(0);
  });
});
