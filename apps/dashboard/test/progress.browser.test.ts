import { inGroups } from '@shiplog/testing';
import { axeViolations, inBrowser, type OpenPage, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, type TestDashboard, testDashboard } from './support/dashboard.ts';

/** On a busy machine, a page may be slow. */
const patient = { timeout: 20_000 };

async function openProgress(open: OpenPage, { url }: TestDashboard, search = '', width = 1280): Promise<Page> {
  const page = await open(`${url}?layout=progress${search}`, { width });
  await isLive(page);
  return page;
}

/** Posts a release of payments-api to these environments; the last one has this status. */
async function promote(
  { post }: TestDashboard,
  version: string,
  environments: readonly string[],
  minutesAgo: number,
  status: 'success' | 'failure' | 'in-progress' = 'success',
): Promise<void> {
  for (const [index, environment] of environments.entries()) {
    const isLast = index === environments.length - 1;
    await post({ environment, version, ...(isLast && { status }) }, minutesAgo - index);
  }
}

/** The name, the release and the words of each row; the rows of earlier releases have no name. */
function rows(page: Page): Promise<string[]> {
  return page.locator('.progress-row').evaluateAll((all) =>
    all.map((row) =>
      [...row.children]
        .filter((_, index) => index !== 2)
        .map((cell) => (cell as HTMLElement).innerText.replace('\n', '').replace(/, \d+ \w+$|, \d+ \w+(?=,)/, ''))
        .filter((text) => text !== '')
        .join(' | '),
    ),
  );
}

/** What screen readers read of each track. */
function tracks(page: Page): Promise<string[]> {
  return page.locator('.progress-row .progress-track > .unseen').allTextContents();
}

const stages = 'dev,staging=staging|uat-*,production=prod-*';

inBrowser('the progress layout', (open) => {
  test('each stage is one pill with a mark for each of its environments, and an older halted release keeps a line', async () => {
    const dashboard = await testDashboard({ stages });
    await promote(dashboard, '1.3', ['dev', 'staging', 'prod-eu', 'prod-us'], 90);
    await promote(dashboard, '1.4', ['dev', 'staging', 'uat-a'], 60, 'failure');
    await promote(dashboard, '1.5', ['dev'], 30);
    const page = await openProgress(open, dashboard);
    await expect
      .poll(() => page.locator('.progress-head .progress-track').innerText(), patient)
      .toMatch(/^dev\s+staging\s+staging · uat-a\s+production\s+eu · us$/);
    await expect.poll(() => rows(page), patient).toEqual(['payments-api | 1.5 | reached dev', '1.4 | failed in uat-a']);
    expect(await tracks(page)).toEqual([
      'dev: runs there, staging: not yet, uat-a: not yet, prod-eu: not yet, prod-us: not yet',
      'dev: newer there now, staging: runs there, uat-a: failed, prod-eu: not yet, prod-us: not yet',
    ]);
    const pills = page.locator('.progress-row.older .pill');
    expect(
      await pills.evaluateAll((all) => all.map((one) => [one.classList.contains('pill-bad'), one.children.length])),
    ).toEqual([
      [false, 1],
      [true, 2],
      [false, 2],
    ]);
    expect(
      await page
        .locator('.progress-row.older .progress-stage > i')
        .evaluateAll((all) => all.map(({ className }) => className)),
    ).toEqual(['broken', 'dotted']);
    await promote(dashboard, '1.4', ['uat-a'], 0);
    await expect.poll(() => rows(page), patient).toEqual(['payments-api | 1.5 | reached dev']);
  });

  test('an opened row shows earlier releases with failures that were passed, and the attempts', async () => {
    const dashboard = await testDashboard({ stages });
    const { post } = dashboard;
    await promote(dashboard, '1.3', ['dev', 'staging'], 90, 'failure');
    await promote(dashboard, '1.4', ['dev', 'staging', 'prod-eu'], 60);
    await promote(dashboard, '1.5', ['dev', 'staging'], 30);
    for (const [attempt, minutes] of [
      [1, 20],
      [2, 10],
    ] as const) {
      const run = { deployment_id: `run-${attempt}`, run_url: 'https://ci.test/run', run_number: `483${attempt}` };
      await post({ environment: 'prod-eu', version: '1.5', status: 'failure', ...run }, minutes);
    }
    const page = await openProgress(open, dashboard);
    await page.getByRole('link', { name: 'payments-api', exact: true }).click();
    await page.waitForURL('**/?layout=progress&opened=payments-api');
    await expect
      .poll(() => rows(page), patient)
      .toEqual([
        'payments-api | 1.5 | failed in prod-eu',
        '1.4 | was in prod-eu',
        '1.3 | failed in staging, passed by 1.4',
      ]);
    expect((await tracks(page)).at(-1)).toBe('dev: newer there now, staging: failed, newer there now');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('payments-api');
    expect((await page.locator('.attempt').allInnerTexts()).map((text) => text.replace(/\d+ min/, 'N min'))).toEqual([
      'Attempt 1 in prod-eu: failed, N min, Run 4831',
      'Attempt 2 in prod-eu: failed, N min, Run 4832',
    ]);
    await post({ environment: 'prod-eu', version: '1.5', status: 'in-progress', deployment_id: 'run-3' });
    await expect
      .poll(() => page.locator('.attempt').last().innerText(), patient)
      .toMatch(/^Attempt 3 in prod-eu: running/);
    await page.getByRole('link', { name: 'History in prod-eu' }).click();
    await page.getByRole('dialog', { name: 'History of payments-api in prod-eu' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'payments-api', exact: true }).click();
    await page.waitForURL('**/?layout=progress');
    expect(await page.locator('.attempt').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('payments-api');
  });

  test('rows have the groups of the grid, or groups by progress, and can be unfolded', async () => {
    const dashboard = await testDashboard();
    await promote(dashboard, '1.5', ['dev', 'staging', 'prod'], 30, 'failure');
    await promote(
      { ...dashboard, post: (event, at) => dashboard.post({ ...event, service: 'ledger' }, at) },
      '2',
      ['dev', 'staging'],
      20,
      'in-progress',
    );
    await dashboard.post({ service: 'web', environment: 'dev', version: '7' }, 9);
    for (const service of ['payments-a', 'payments-b'])
      await dashboard.post({ service, environment: 'prod', version: '3' }, 5);
    const page = await openProgress(open, dashboard);
    const groups = async () =>
      (await page.locator('.progress-group').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    await expect
      .poll(groups, patient)
      .toEqual(['payments 3 payments- 1 halted 2 in production', 'Other services 2 1 moving 1 short of production']);
    await page.getByRole('button', { name: /^2 healthy/ }).click();
    await expect.poll(() => rows(page), patient).toEqual(expect.arrayContaining(['payments-a | 3 | in prod']));
    await page.locator('summary', { hasText: 'Display' }).click();
    await page.getByLabel('Group by').selectOption('Progress');
    await expect
      .poll(groups, patient)
      .toEqual([
        'Halted 1 1 halted',
        'Moving 1 1 moving',
        'Not yet in prod 1 1 short of production',
        'Released to prod 2 2 in production',
      ]);
    expect(new URL(page.url()).search).toBe('?layout=progress&group=progress');
    await page.getByRole('button', { name: /^Released to prod/ }).click();
    await page.getByRole('button', { name: /^2 healthy/ }).click();
    await page
      .getByText(/^in prod, /)
      .first()
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('only rows near the window are rendered, and a filter that names a service opens it', async () => {
    const dashboard = await testDashboard();
    const names = Array.from({ length: 250 }, (_, index) => `service-${String(index).padStart(3, '0')}`);
    await inGroups(names, (service, index) => dashboard.post({ service, environment: 'dev', version: '1' }, 5 + index));
    const page = await openProgress(open, dashboard, '&group=none');
    await expect.poll(() => page.locator('.progress-row').count(), patient).toBeGreaterThan(10);
    expect(await page.locator('.progress-row').count()).toBeLessThan(150);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await page.getByText('service-249').waitFor();
    expect(await page.getByText('service-000').count()).toBe(0);
    await page.goto(`${dashboard.url}?view=swimlanes&service=service-007`);
    await page.locator('.attempt').waitFor();
    await page.getByRole('link', { name: 'service-007' }).click();
    await page.waitForURL('**/?layout=progress');
    await page.goto(`${dashboard.url}?layout=progress&service=nobody`);
    await page.getByText('No services match these filters.').waitFor();
  });

  test('on a phone a stage with several environments counts its marks, and neither the page nor a menu is wider than the window', async () => {
    const dashboard = await testDashboard({ stages });
    await promote(dashboard, '1.3', ['dev', 'staging', 'uat-a', 'uat-b', 'uat-c'], 60, 'failure');
    const page = await openProgress(open, dashboard, '', 390);
    await page.locator('.place.count').first().waitFor();
    expect(
      await page.locator('.place.count').evaluateAll((all) => all.map((each) => (each as HTMLElement).title)),
    ).toEqual(['1 failed', '3 runs there']);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.locator('.bar summary', { hasText: 'Share' }).waitFor();
    for (const button of await page.locator('.bar summary:visible').all()) {
      await button.click();
      const { x, width } = (await page.locator('.menu[open] > .menu-panel').boundingBox()) ?? { x: -1, width: 0 };
      expect([x >= 0, x + width <= 390]).toEqual([true, true]);
      await page.keyboard.press('Escape');
    }
  });
});
