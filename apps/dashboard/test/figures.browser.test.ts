import { axeViolations, inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { day, everywhere, key, log, named, openAnalytics, part, searchOf, words } from './support/analytics.ts';
import { shows } from './support/feed.ts';

inBrowser('the figures of a period', (open) => {
  test('the key metrics are those of production, with performance classes; those of other environments have no class', async () => {
    const { page, dashboard } = await openAnalytics(open, log, '?view=analytics');
    // 2 of 3 deployments to prod succeeded in 7 days. Lead time from dev to prod: 27 h 12 min. Time to restore from b-1
    // to b-2: 90 min.
    expect(await key(page, 'Deployment frequency')).toEqual(['0.43 a day', 'How often: high']);
    expect(await key(page, 'Lead time')).toEqual(['27.2 h', 'How long to prod: high, approximated']);
    expect(await key(page, 'Change failure rate')).toEqual(['33.3 %', 'How many failed: medium']);
    expect(await key(page, 'Time to restore')).toEqual(['1.5 h', 'How long to repair: high']);
    expect(await words(part(page, 'Deployment frequency').locator('.change'))).toBe(
      '▲ more than 0 a day before, better',
    );
    await page
      .getByText(`Counted: 3 deployments that ended in prod, ${named(7)} to ${named(1)}, of the 1 service there.`)
      .waitFor();
    await page.getByText(`Production is the default. Before: ${named(14)} to ${named(8)}.`).waitFor();
    await page.goto(`${dashboard.url}?view=analytics&evidence=change_failure_rate`);
    await page.getByRole('link', { name: 'Show only the failure' }).click();
    await shows(page, ['b-1']);
    await page.goto(`${dashboard.url}?view=analytics`);
    await page.locator('summary', { hasText: 'Environment' }).click();
    await page.getByLabel('all environments').check();
    expect(searchOf(page)).toEqual({ view: 'analytics', environment: '*' });
    // 10 deployments ended, 2 of them failed.
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['1.4 a day', 'How often']);
    expect(await key(page, 'Change failure rate')).toEqual(['20 %', 'How many failed']);
    // Nothing was restored in dev during the week: its failure is still open.
    await page.goto(`${dashboard.url}?view=analytics&environment=dev`);
    await expect.poll(() => key(page, 'Time to restore')).toEqual(['none not restored yet', 'How long to repair']);
    await page.goto(`${dashboard.url}?view=analytics&environment=qa&service=pa*`);
    await expect.poll(() => key(page, 'Time to restore')).toEqual(['none nothing failed', 'How long to repair']);
    expect(await words(page.locator('summary', { hasText: 'Services' }))).toBe('Services 1');
    await page.goto(`${dashboard.url}${everywhere}`);
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['1.4 a day', 'How often']);
    expect(await words(page.locator('summary', { hasText: 'Services' }))).toBe('Services all 3');
    await page.getByRole('button', { name: 'Period before' }).click();
    await expect.poll(() => words(part(page, 'Deployment frequency').locator('.change'))).toBe('');
  });

  test('filters narrow the figures; the page names filters that have no effect and can remove them', async () => {
    const { page, dashboard } = await openAnalytics(open);
    await expect.poll(() => page.locator('.note').count()).toBe(0);
    await page.goto(`${dashboard.url}${everywhere}&service=PAY*&only=failed&actor=bob&window=14d`);
    expect(await words(page.locator('.note'))).toContain('but not: failed only, actor bob.');
    // c-1, d-1, d-2, e-1 and e-2 ended in 14 days.
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['0.36 a day', 'How often']);
    await page.getByRole('link', { name: 'Remove these filters' }).click();
    await page.waitForURL('**/?view=analytics&service=PAY*&environment=*&window=14d');
    await expect.poll(() => page.locator('.note').count()).toBe(0);
    await part(page, 'Top deployers')
      .getByRole('link', { name: /^alice/ })
      .click();
    await shows(page, ['c-1']);
  });

  test('choosing a period changes the link, the figures and the sentence; today is hatched and marked as incomplete', async () => {
    const { page, dashboard } = await openAnalytics(open);
    expect(await key(page, 'Change failure rate')).toEqual(['20 %', 'How many failed']);
    await page.locator('summary', { hasText: 'Period' }).click();
    await page.getByRole('link', { name: '14 days' }).click();
    await page.waitForURL('**/?view=analytics&environment=*&window=14d');
    await page.getByText(`${named(14)} to ${named(1)}`).waitFor();
    // 3 of 11 deployments failed in 14 days.
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['27.3 %', 'How many failed']);
    await expect.poll(() => page.locator('.periods [aria-current]').allInnerTexts()).toEqual(['14 days']);
    await page.goBack();
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['20 %', 'How many failed']);
    await dashboard.post({ version: 'of-today' });
    await page.getByRole('link', { name: 'Include today so far' }).click();
    await page.getByText('UTC today').waitFor();
    await part(page, 'Deployments per day').getByText('today so far', { exact: true }).waitFor();
    await expect.poll(() => part(page, 'Deployments per day').locator('.bar-success.part').count()).toBe(1);
    await page.getByLabel('from').fill(day(4).toISOString().slice(0, 10));
    await page.getByLabel('to', { exact: true }).fill(day(3).toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'These days' }).click();
    await page.getByText(`${named(4)} to ${named(3)}, of the 4 services there`).waitFor();
    expect(await words(page.locator('.answers > .says b').first())).toBe('5 deployments that ended in any environment');
  });

  test('for days without events, the page says so and suggests other periods and environments', async () => {
    const { page, dashboard } = await openAnalytics(open, [], '?view=analytics&window=30d');
    await page.getByRole('heading', { name: 'Nothing ended in prod in these 30 days' }).waitFor();
    await expect.poll(() => page.locator('.kpi, .chart').count()).toBe(0);
    await dashboard.post({ version: 'of-today', environment: 'dev' });
    await page.getByRole('link', { name: 'dev', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing ended in dev in these 30 days' }).waitFor();
    await page.getByRole('link', { name: '30 days and today so far' }).click();
    await page.waitForURL('**/?view=analytics&environment=dev&window=30d&sofar=1');
    await page.getByText('1 deployment that ended in dev').waitFor();
  });

  test('figures for a period that begins before the log are per covered day, and have no comparison', async () => {
    const { page } = await openAnalytics(open, log.slice(1), '?view=analytics&window=30d');
    await page.getByText(`The log begins ${named(10)}: it covers 10 of 30 days.`).waitFor();
    // 3 deployments ended in prod.
    expect(await key(page, 'Deployment frequency')).toEqual(['0.3 a day', 'How often']);
    await part(page, 'Deployment frequency')
      .getByText('Over the 10 days that the log covers; 0.1 a day over all.')
      .waitFor();
    expect(await words(part(page, 'Deployment frequency').locator('.change'))).toBe('no previous period to compare');
    await page.getByText('Previous period unknown: the log begins later.').waitFor();
  });

  test('a request that a busy service refuses is retried automatically', async () => {
    let isBusy = true;
    const refusal = {
      status: 503,
      headers: { 'Retry-After': '1', 'Content-Type': 'application/problem+json' },
      body: JSON.stringify({ type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Too busy.' }),
    };
    const { page } = await openAnalytics(open, log, everywhere, {
      expectedLines: /503/,
      before: (opened) =>
        opened.route('**/api/analytics/frequency*', (route) => (isBusy ? route.fulfill(refusal) : route.continue())),
    });
    await page.getByText('Too busy. Retrying automatically.').waitFor();
    isBusy = false;
    await part(page, 'Deployment frequency').waitFor();
  });

  test('a click on a number opens its evidence, which is part of the address, and Escape closes it', async () => {
    const { page } = await openAnalytics(open, log, '?view=analytics&service=shop&environment=*');
    const number = part(page, 'Lead time').getByRole('button', { name: /^27.2 h/ });
    await part(page, 'Lead time').getByText('1 of 4 successes counted').waitFor();
    await number.click();
    const drawer = page.getByRole('dialog', { name: 'Evidence: Lead time' });
    await drawer.getByRole('heading', { name: 'Lead time: 27.2 h' }).waitFor();
    expect(searchOf(page)).toMatchObject({ service: 'shop', evidence: 'lead_time' });
    await drawer.getByText('The only time: 27.2 h.').waitFor();
    await expect.poll(() => drawer.locator('.evidence-id').allInnerTexts()).toEqual(['a-3']);
    const item = async () => (await drawer.locator('.evidence-items li').first().innerText()).replace(/\s+/g, ' ');
    await expect
      .poll(item)
      .toBe(`shop a-3 27.2 h in prod by bob succeeded its events of shop in prod ${named(5)} 12:12 UTC a-3`);
    await drawer.getByRole('link', { name: 'a-3', exact: true }).click();
    await page.waitForURL('**/?*release=a-3*');
    await page.goBack();
    const reasons = async () =>
      (await drawer.locator('.left-out dt').allInnerTexts()).map((line) => line.replace(/\s+/g, ' '));
    await expect.poll(reasons).toEqual(['2 Not in prod', '1 No promotion path to prod was reported']);
    await drawer.getByRole('button', { name: /^Left out/ }).click();
    await expect.poll(() => drawer.locator('.evidence-id').allInnerTexts()).toEqual(['b-2', 'a-2', 'a-1']);
    await page.reload();
    await expect.poll(() => drawer.locator('.evidence-id').allInnerTexts()).toEqual(['b-2', 'a-2', 'a-1']);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await number.focus();
    await page.keyboard.press('Enter');
    await drawer.getByRole('link', { name: 'its events of shop in prod' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => number.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});
