import { builtDashboard, clientOf, freePort } from '@shiplog/testing';
import { axeViolations, inBrowser, launchBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, onTestFinished, test } from 'vitest';
import { providedService } from '../../service/test/support/sign-in.ts';
import { testCompany } from './support/company.ts';
import { cell, isLive, openBoard } from './support/dashboard.ts';

const local = (hours: number) => {
  const ms = Date.now() + hours * 3_600_000;
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Freezes, locks and bad versions' });

async function openHolds(page: Page) {
  await page.getByRole('toolbar').getByRole('button', { name: 'Freezes, locks and bad versions' }).click();
  await dialog(page).waitFor();
}

/** A board with a version in production, in the browser of a person who has signed in. */
async function signedIn() {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const { url } = await providedService(publicUrl, { config: { dashboardDir: builtDashboard, port } });
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const lines: string[] = [];
  page.on('console', (message) => message.type() === 'error' && lines.push(message.text()));
  page.on('pageerror', (error) => lines.push(error.message));
  const client = clientOf(url);
  const event = { service: 'billing', environment: 'prod', version: '9.9.1', status: 'success' } as const;
  const happened_at = new Date(Date.now() - 60_000).toISOString();
  await client.appendDeployment({ body: { ...event, deployment_id: 'd-1', happened_at } });
  await page.goto(publicUrl);
  await isLive(page);
  return { page, client, url, lines };
}

inBrowser('holding deployments from the page', (open) => {
  test('a person freezes production over some days with one exception, and releases the freeze', async () => {
    const { page, lines } = await signedIn();
    await openHolds(page);
    await page.getByRole('button', { name: 'New freeze, lock or bad version' }).click();
    const form = page.getByRole('form', { name: 'New hold' });
    expect(await form.getByLabel('Environments').inputValue()).toBe('prod');
    await form.getByLabel('From').fill(local(-0.5 / 60));
    await form.getByLabel('Until', { exact: true }).fill(local(60));
    await form.getByLabel('Reason').fill('Weekend');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
    await form.getByRole('button', { name: 'Freeze', exact: true }).click();
    const list = dialog(page).getByRole('list', { name: 'Holds' });
    await expect.poll(() => list.innerText()).toMatch(/[Ff]rozen until .*: Weekend \(Eve@Acme\.example\)/);
    await list.getByRole('button', { name: 'Add an exception' }).click();
    const exception = page.getByRole('form', { name: 'New exception' });
    await exception.getByLabel('Services').fill('billing');
    await exception.getByLabel('Reason').fill('Tax deadline');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
    await exception.getByRole('button', { name: 'Add the exception' }).click();
    await expect.poll(() => list.innerText()).toMatch(/except billing: Tax deadline/);
    await page.keyboard.press('Escape');
    const band = page.getByRole('region', { name: 'Freeze' });
    await expect.poll(() => band.innerText()).toMatch(/Weekend.*except billing/s);
    await band.getByRole('button', { name: 'Change' }).click();
    await dialog(page).getByRole('button', { name: 'End the freeze' }).click();
    await expect.poll(() => dialog(page).innerText()).toContain('No freeze, lock or bad version now');
    await page.keyboard.press('Escape');
    await expect.poll(() => band.count()).toBe(0);
    expect(lines).toEqual([]);
  });

  test('an exception can be part of a new freeze', async () => {
    const { page, client } = await signedIn();
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.locator('.menu-panel').getByRole('button', { name: 'Freezes, locks and bad versions' }).click();
    await page.getByRole('button', { name: 'New freeze, lock or bad version' }).click();
    const form = page.getByRole('form', { name: 'New hold' });
    await form.getByLabel('Except').fill('billing');
    await form.getByRole('button', { name: 'Until 3 days later' }).click();
    await form.getByLabel('Reason').fill('Weekend');
    await form.getByRole('button', { name: 'Freeze', exact: true }).click();
    await dialog(page).getByText('except billing', { exact: true }).waitFor();
    const [hold] = (await client.listHolds({})).body.items;
    expect(hold?.exceptions).toMatchObject([{ services: ['billing'], until: hold?.until, reason: 'Weekend' }]);
    expect(await page.locator('details.menu[open]').count()).toBe(0);
  });

  test('a refused hold says why, and stays in the form', async () => {
    const { page } = await signedIn();
    await openHolds(page);
    await page.getByRole('button', { name: 'New freeze, lock or bad version' }).click();
    const form = page.getByRole('form', { name: 'New hold' });
    await form.getByLabel('Until', { exact: true }).fill(local(-3));
    await form.getByLabel('Reason').fill('Weekend');
    await form.getByRole('button', { name: 'Freeze', exact: true }).click();
    await expect.poll(() => form.getByRole('alert').innerText()).toMatch(/^until must /);
    expect(await form.getByLabel('Reason').inputValue()).toBe('Weekend');
  });

  test('a person locks a place and marks its version as bad from its history', async () => {
    const { page, client } = await signedIn();
    await cell(page, 'billing', 'prod').click();
    const drawer = page.getByRole('dialog', { name: 'History of billing in prod' });
    await drawer.getByRole('button', { name: 'Lock …' }).click();
    const form = page.getByRole('form', { name: 'New hold' });
    expect(await form.getByLabel('Services').inputValue()).toBe('billing');
    await form.getByRole('button', { name: 'Until 2 h later' }).click();
    await form.getByLabel('Reason').fill('Load test');
    await form.getByRole('button', { name: 'Lock', exact: true }).click();
    await dialog(page).getByText('Load test').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer.innerText()).toContain('Load test');
    await drawer.getByRole('button', { name: 'Mark 9.9.1 as bad …' }).click();
    await form.getByLabel('Reason').fill('Loses invoices');
    await form.getByRole('button', { name: 'Mark as bad' }).click();
    await dialog(page).getByText('9.9.1 is marked bad: Loses invoices').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.attention-list').innerText()).toContain('bad version');
    // After a failure, the version that failed is the one to mark.
    await client.appendDeployment({
      body: {
        ...{ deployment_id: 'failing', service: 'billing', environment: 'prod', version: '9.9.2', status: 'failure' },
        happened_at: new Date().toISOString(),
      },
    });
    await drawer.getByRole('button', { name: 'Mark 9.9.2 as bad …' }).waitFor();
  });

  test('a person finds the suspect of an outage and names it as the cause', async () => {
    const { page, client } = await signedIn();
    await client.appendOutage({
      body: {
        ...{ source: 'pager', outage_id: 'INC-7', state: 'opened', happened_at: new Date().toISOString() },
        ...{ services: ['billing'], environments: ['prod'], title: 'Invoices are missing' },
      },
    });
    await page.locator('.need.outage').click();
    const outage = page.getByRole('region', { name: 'Outage' });
    expect(await outage.innerText()).toMatch(
      /Invoices are missing.*pager INC-7.*Suspected: billing 9\.9\.1, .* before\./s,
    );
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
    await outage.getByRole('button', { name: 'Confirm billing 9.9.1' }).click();
    await expect.poll(() => outage.innerText()).toContain('Caused by billing 9.9.1');
    await expect.poll(() => page.locator('.need.outage').innerText()).toContain('caused by 9.9.1');
    const params = { source: 'pager', outage_id: 'INC-7' };
    expect((await client.getOutage({ params })).body.caused_by).toEqual({ deployment_id: 'd-1' });
    await outage.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => outage.innerText()).toContain('Suspected: billing 9.9.1');
    await outage.getByRole('button', { name: 'No deployment caused it' }).click();
    await expect.poll(() => outage.innerText()).toContain('No deployment caused it.');
  });

  test('where no one signs in, the page shows the commands', async () => {
    const { page, dashboard } = await openBoard(open);
    await clientOf(dashboard.url).makeHold({
      body: {
        ...{
          kind: 'lock',
          services: ['billing'],
          environments: ['prod'],
          until: new Date(Date.now() + 9e6).toISOString(),
        },
        reason: 'Load test',
      },
    });
    await openHolds(page);
    await dialog(page).getByRole('button', { name: 'Unlock' }).click();
    await expect.poll(() => dialog(page).locator('code').innerText()).toMatch(/^shiplog release [0-9a-f-]{36}$/);
    await page.getByRole('button', { name: 'New freeze, lock or bad version' }).click();
    const form = page.getByRole('form', { name: 'New hold' });
    expect(await form.getByText('Fill in the form to get the command.').count()).toBe(1);
    await form.getByLabel('Until', { exact: true }).fill('2030-01-02T10:00');
    await form.getByLabel('Reason').fill("It's Christmas");
    const until = new Date('2030-01-02T10:00').toISOString();
    expect(await form.locator('code').innerText()).toBe(
      `shiplog hold freeze --services '*' --environments prod --until ${until} --reason 'It'\\''s Christmas'`,
    );
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
  });

  test('the form for a hold names the environments of production, suggests names, and says which name is unknown', async () => {
    const { url } = await testCompany();
    const page = await open(url);
    await isLive(page);
    await openHolds(page);
    await page.getByRole('button', { name: 'New freeze, lock or bad version' }).click();
    const form = page.getByRole('form', { name: 'New hold' });
    expect(await form.getByLabel('Environments').inputValue()).toBe('dr, prod-eu, prod-us');
    const services = form.getByLabel('Services');
    await services.fill('nowhere-*, ');
    await expect.poll(() => form.innerText()).toContain('Not on the board: nowhere-*');
    const suggested = await page.locator(`datalist[id="${await services.getAttribute('list')}"] option`).all();
    const first = (await suggested[0]?.getAttribute('value')) ?? '';
    expect(first).toMatch(/^nowhere-\*, acme-/);
    await services.fill(first.slice('nowhere-*, '.length));
    await expect.poll(() => form.innerText()).not.toContain('Not on the board');
    expect(await form.innerText()).toContain(`Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`);
    await form.getByRole('button', { name: 'Weekend' }).click();
    expect(new Date(await form.getByLabel('Until', { exact: true }).inputValue()).getDay()).toBe(1);
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
  });
});
