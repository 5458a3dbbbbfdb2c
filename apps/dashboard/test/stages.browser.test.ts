import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { companyStages, testCompany } from './support/company.ts';
import { cell, isLive, movePointer, testDashboard } from './support/dashboard.ts';

const stageCell = (page: Page, service: string, stage: string) =>
  page.locator(`.cell[data-service="${service}"][data-column="stage ${stage}"]`);
const heads = async (page: Page) =>
  (await page.locator('.head').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const inStages = [
  'Dev ci-1',
  'dev',
  'Staging staging',
  'uat-anna',
  'Preprod preprod',
  'Production dr',
  'prod-eu',
  'prod-us',
];
const eu = 'acme-eu-west-1-';

/** Holds back the facts, which name the stages, until `release` is called. */
function heldFacts() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (page: Page) => {
    await page.addInitScript('delete window.SharedWorker');
    await page.route('**/api/board/facts*', async (route) => {
      await released;
      await route.continue();
    });
  };
  return { hold, release };
}

inBrowser('stages on the board', (open) => {
  test('stages are in order, fold to one column that names versions and the worst state, and unfold on click', async () => {
    const { url } = await testCompany();
    const page = await open(url, { width: 1440 });
    await isLive(page);
    await expect.poll(() => heads(page)).toEqual(inStages);
    await page.getByRole('button', { name: /^Production/ }).click();
    await page.waitForURL('**/?narrow=Production');
    await expect
      .poll(async () => (await heads(page)).at(-1))
      .toBe('Production 3 environments 1 failed dr, prod-eu, prod-us');
    const inside = (service: string) => stageCell(page, service, 'Production').locator('.inside').innerText();
    await expect
      .poll(() => inside(`${eu}payments-api`))
      .toMatch(/^2\.10\.0\s+1\s+2\s+failed in eu 12 min\s+1\.4\.2\s+in all 3, 6 d$/);
    await expect.poll(() => inside(`${eu}fraud-scorer`)).toMatch(/^1\.4\.2\s+all 3 · 6 d$/);
    await expect.poll(() => inside(`${eu}consent-api`)).toMatch(/^1\.0\.0\s+waiting in eu first, 2 h$/);
    expect(await stageCell(page, `${eu}payments-api`, 'Production').locator('.unseen').textContent()).toMatch(
      /^Production: 1 failed, 2 succeeded; .*payments-api in dr: 1\.4\.2 succeeded .*payments-api in prod-eu: 2\.10\.0 failed/,
    );
    expect(await axeViolations(page)).toEqual([]);
    await stageCell(page, `${eu}fraud-scorer`, 'Production').click({ position: { x: 4, y: 4 } });
    await page.waitForURL('**/?wide=Production');
    await cell(page, `${eu}fraud-scorer`, 'prod-us').waitFor();

    // Attention counts failures in every environment of production.
    await page.getByText('1 failed in production', { exact: true }).waitFor();
    await page.getByRole('link', { name: '1 older' }).click();
    await page.getByRole('link', { name: /^acme-cat-prices in uat-anna: 7 failed/ }).waitFor();
  });

  test('stages that are known only after the board is drawn arrange it at once', async () => {
    const { url } = await testCompany();
    const { hold, release } = heldFacts();
    const page = await open(url, { width: 1440, before: hold });
    await page.locator('.cell').first().waitFor();
    const still = await movePointer(page);
    const top = async () => (await page.getByRole('toolbar', { name: 'Filters' }).boundingBox())?.y;
    const before = await top();
    expect(await heads(page)).not.toContain('Production dr');
    release();
    await expect.poll(() => heads(page)).toEqual(inStages);
    await page.getByText('need attention').first().waitFor();
    expect(await top()).toBe(before);
    await still();
  });

  test.each(['analytics', 'changes'])('%s asks about production only once the stages are known', async (view) => {
    const { url } = await testCompany();
    const { hold, release } = heldFacts();
    const asked: string[] = [];
    let board: Promise<unknown> | undefined;
    const before = async (page: Page) => {
      await hold(page);
      board = page.waitForResponse('**/api/matrix*');
      page.on('request', (request) => {
        if (/\/api\/(analytics\/dora|changes)\?/.test(request.url())) asked.push(request.url());
      });
    };
    const page = await open(`${url}?view=${view}`, { width: 1440, before });
    await board;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(asked).toEqual([]);
    release();
    await expect.poll(() => asked[0]).toContain('prod-eu');
  });

  test('rows drop the beginning that their group shows, and long names keep their ends', async () => {
    const { url } = await testCompany();
    const page = await open(`${url}?open=Platform`, { width: 1440 });
    await isLive(page);
    await expect.poll(() => page.locator('.group-prefix').first().innerText()).toBe(eu);
    const row = page.locator('.board-row', { hasText: 'payments-ledger-snapshot-export' }).locator('.name');
    await expect.poll(() => row.locator('a').innerText()).toMatch(/payments-.*…export$/);
    await expect.poll(() => row.locator('.service-name').getAttribute('title')).toMatch(/snapshot-export$/);
  });

  test('without production in the setting the board asks once, and shows the setting for everyone', async () => {
    const { url } = await testCompany('dev,staging,prod');
    const page = await open(url, { width: 1440 });
    await isLive(page);
    const question = page.locator('.production-question');
    await expect.poll(() => question.locator('input:checked').count()).toBe(3);
    await page.getByText('1 failed in production', { exact: true }).waitFor({ state: 'detached' });
    await question.getByRole('button', { name: 'Use these' }).click();
    await expect
      .poll(() => question.locator('code').innerText())
      .toBe('ANALYTICS_FUNNEL_ENVIRONMENTS=dev,staging,production=dr|prod-eu|prod-us');
    await page.getByText('1 failed in production', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 failed in production', { exact: true }).waitFor();
    expect(await question.count()).toBe(0);
    await expect.poll(async () => (await heads(page)).slice(-3)).toEqual(['production dr', 'prod-eu', 'prod-us']);
  });

  test('a failure that a success dated in the future hides is named in a folded stage and on a phone', async () => {
    const { url, post } = await testDashboard({ stages: companyStages });
    const place = { service: 'shop', environment: 'prod-eu' };
    await post({ ...place, version: '1.0', status: 'success' }, 60);
    // An event hides those that arrive later.
    await post({ ...place, version: '3.0', status: 'success' }, -120);
    await post({ ...place, version: '2.0', status: 'failure' }, 12);
    await post({ ...place, environment: 'prod-us', version: '1.0', status: 'success' }, 60);
    const page = await open(`${url}?narrow=Production`, { width: 1440 });
    await expect
      .poll(() => stageCell(page, 'shop', 'Production').locator('.inside').innerText())
      .toMatch(/^2\.0\s[\s\S]*failed in eu 12 min/);
    const onPhone = await open(url, { width: 390 });
    await expect.poll(() => onPhone.locator('.phone-service .full').innerText()).toMatch(/^eu 2\.0 failed/);
  });

  test('on a phone each service has a mark per stage and its versions in production', async () => {
    const { url } = await testCompany(companyStages);
    const page = await open(url, { width: 390 });
    await isLive(page);
    const service = page.locator('.phone-service', { hasText: 'payments-api' });
    await expect.poll(() => service.locator('.phone-marks > span').count()).toBe(4);
    await expect.poll(() => service.locator('.full').innerText()).toMatch(/^eu 2\.10\.0 failed\s+all 3\s+1\.4\.2/);
    await expect
      .poll(() => page.locator('.phone-team b').allInnerTexts())
      .toEqual(['Payments EU', 'Storefront', 'Catalog', 'Identity', 'Platform']);
    expect(await overflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('what would reach production compares stages, and names the environments that differ', async () => {
    const { url } = await testCompany();
    const page = await open(`${url}?view=releases&tab=reach`, { width: 1440 });
    await isLive(page);
    const question = page.getByRole('form', { name: 'Environments to compare' });
    const chosen = (label: string) =>
      question
        .getByLabel(label, { exact: true })
        .evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text);
    // A page that waits long for the stages shows another pair at first.
    await expect
      .poll(async () => [await chosen('To'), await chosen('From')])
      .toEqual(['Production (all 3)', 'preprod']);
    const rowOf = async (service: string) =>
      (await page.locator('.differences tr', { hasText: service }).innerText()).replace(/\s+/g, ' ');
    await expect
      .poll(() => rowOf(`${eu}payments-api`))
      .toMatch(/2\.10\.0 1\.4\.2 2\.10\.0 failed in prod-eu 12 min 1 behind/);
    await page.getByRole('button', { name: /^The same/ }).click();
    await expect.poll(() => rowOf(`${eu}invoice-renderer`)).toMatch(/ dr 1\.4\.2 · eu 1\.5\.0 · us 1\.4\.2 /);
    await question.getByLabel('From').selectOption('Staging (all 2)');
    await expect.poll(() => new URL(page.url()).searchParams.get('source')).toBe('stage:Staging');
    await page.getByRole('button', { name: /^Differ/ }).click();
    await expect.poll(() => rowOf(`${eu}consent-api`)).toContain('only in Staging');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
  });
});
