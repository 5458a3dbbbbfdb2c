import { axeViolations, inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { day, everywhere, key, log, named, openAnalytics, part, searchOf, words } from './support/analytics.ts';
import { shows } from './support/changes.ts';

inBrowser('the figures of a period', (open) => {
  test('the four keys are those of production by default; those of other environments have no class', async () => {
    const { page, dashboard } = await openAnalytics(open, log, '?view=analytics&range=7d');
    // 2 of 3 deployments to prod succeeded in 7 days. Lead time from dev to prod: 27 h 12 min. Time to restore from b-1
    // to b-2: 90 min.
    const tooFew = 'too few to classify (3)';
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['0.43 a day', tooFew]);
    expect(await key(page, 'Lead time')).toEqual(['27.2 h', tooFew]);
    expect(await key(page, 'Change failure rate')).toEqual(['33.3 %', tooFew]);
    expect(await key(page, 'Time to restore')).toEqual(['1.5 h', tooFew]);
    await part(page, 'Change failure rate').getByText('1 of 3 deployments in production failed, where').waitFor();
    await expect
      .poll(() => words(page.locator('.says')))
      .toMatch(
        new RegExp(`^3 deployments ended in production \\(prod\\) from ${named(6)} to today \\d\\d:\\d\\d UTC\\.$`),
      );
    expect(await part(page, 'Deployment frequency').locator('.change').count()).toBe(0);
    await page.getByRole('button', { name: 'Compare with previous period' }).click();
    await expect
      .poll(() => part(page, 'Deployment frequency').locator('.change').allInnerTexts())
      .toEqual(['▲ more than 0 a day before, better']);
    expect(searchOf(page)).toEqual({ view: 'analytics', range: '7d', compare: '1' });
    await page.getByText(`Compared with ${named(13)} – ${named(7)}.`).waitFor();
    await page.goto(`${dashboard.url}?view=analytics&range=7d&evidence=change_failure_rate`);
    await page.getByRole('link', { name: 'Show only the failure' }).click();
    await shows(page, ['b-1']);
    await page.goto(`${dashboard.url}?view=analytics&range=7d`);
    await page.locator('summary', { hasText: 'Environment' }).click();
    await page.getByLabel('all environments').check();
    // 10 deployments ended, 2 of them failed.
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['1.4 a day']);
    expect(await key(page, 'Change failure rate')).toEqual(['20 %']);
    expect(await words(page.locator('summary', { hasText: 'Services' }))).toBe('Services All 3');
    // Nothing was restored in dev during the week: its failure is still open.
    await page.goto(`${dashboard.url}?view=analytics&range=7d&environment=dev`);
    await expect.poll(() => key(page, 'Time to restore')).toEqual(['none not restored yet']);
    await page.goto(`${dashboard.url}?view=analytics&range=7d&environment=qa&service=pa*`);
    await expect.poll(() => key(page, 'Time to restore')).toEqual(['none nothing failed']);
    expect(await words(page.locator('summary', { hasText: 'Services' }))).toBe('Services 1');
  });

  test('a month is compared with the whole month before, whatever their lengths', async () => {
    const now = new Date();
    const daysAgo = (month: number, date: number) =>
      Math.round((day(0).getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, date)) / 86_400_000);
    const at = (month: number, date: number, id: string, more = {}) =>
      [daysAgo(month, date), '12:00', id, 'shop', 'prod', more] as const;
    const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 0)).getUTCDate();
    const log = [
      at(-3, 1, 'a'),
      at(-2, 1, 'b'),
      at(-2, lastDay, 'c', { status: 'failure' }),
      at(-1, 1, 'd'),
      at(-1, 2, 'e'),
    ];
    const { page } = await openAnalytics(open, log, '?view=analytics&range=last-month');
    await page.getByRole('button', { name: 'Compare with previous month' }).click();
    await expect
      .poll(() => part(page, 'Change failure rate').locator('.change').allInnerTexts())
      .toEqual(['▼ fewer than 50 % before, better']);
    await page.getByText(`Compared with ${named(daysAgo(-2, 1))} – ${named(daysAgo(-2, lastDay))}.`).waitFor();
    await part(page, 'Deployments per day').getByText('previous period 2').waitFor();
  });

  test('filters narrow the figures; the page names filters that have no effect and can remove them', async () => {
    const { page, dashboard } = await openAnalytics(open);
    await expect.poll(() => page.locator('.note').count()).toBe(0);
    await page.goto(`${dashboard.url}${everywhere}&service=PAY*&only=failed&q=x`);
    await expect
      .poll(() => page.locator('.note').allInnerTexts())
      .toEqual(['These figures don’t use the filter text “x”, failed only. Remove it']);
    // c-1, d-1, d-2, e-1 and e-2 ended in 7 days.
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['0.71 a day']);
    await page.getByRole('link', { name: 'Remove it' }).click();
    await expect.poll(() => page.locator('.note').count()).toBe(0);
    expect(searchOf(page)).toEqual({ view: 'analytics', environment: '*', service: 'PAY*', range: '7d' });
  });

  test('choosing a period changes the address, the figures and the sentence; today is marked as partial', async () => {
    const { page, dashboard } = await openAnalytics(open);
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['20 %']);
    await page.getByRole('link', { name: '30 days' }).click();
    // 3 of 11 deployments failed in 30 days.
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['27.3 %']);
    expect(searchOf(page).range).toBe('30d');
    await expect.poll(() => page.locator('.periods [aria-current]').allInnerTexts()).toEqual(['30 days']);
    await page.goBack();
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['20 %']);
    await dashboard.post({ version: 'of-today' });
    await page.reload();
    await expect.poll(() => part(page, 'Deployments per day').locator('.bar.success.partial').count()).toBe(1);
    await part(page, 'Deployments per day').getByText('today', { exact: true }).waitFor();
    await page.locator('.periods summary').click();
    await page.getByLabel('from').fill(day(4).toISOString().slice(0, 10));
    await page.getByLabel('to', { exact: true }).fill(day(3).toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'Show these days' }).click();
    await expect
      .poll(() => words(page.locator('.says')))
      .toBe(`5 deployments ended in any environment from ${named(4)} to ${named(3)}.`);
    expect(await part(page, 'Deployments per day').locator('.bar.partial').count()).toBe(0);
  });

  test('for days without events, the page says so and suggests other periods and environments', async () => {
    const { page, dashboard } = await openAnalytics(open, [], '?view=analytics');
    await page.getByRole('heading', { name: 'No data yet' }).waitFor();
    await expect.poll(() => page.locator('.key-card, .chart-card').count()).toBe(0);
    await dashboard.post({ version: 'of-today', environment: 'dev' });
    await page.getByRole('heading', { name: 'Nothing ended in production in this period' }).waitFor();
    await page.getByRole('link', { name: 'All environments' }).click();
    await page.getByText('1 deployment ended in any environment').waitFor();
  });

  test('in a period that begins before the log, figures are per covered day, other days are hatched, and there is no comparison', async () => {
    const { page, dashboard } = await openAnalytics(open, log.slice(1), '?view=analytics&environment=*');
    await expect
      .poll(() => words(page.locator('.says')))
      .toMatch(
        new RegExp(
          `^11 deployments ended in any environment since ${named(10)} 07:00 UTC, when the log begins: (9\\.[7-9]|10|10\\.[0-7]) of 30 days are covered. There is no previous period to compare.$`,
        ),
      );
    await expect.poll(() => key(page, 'Deployment frequency')).toEqual(['1 a day']);
    await part(page, 'Deployment frequency')
      .getByText('Deployments that ended in any environment, per covered day.')
      .waitFor();
    const chart = part(page, 'Deployments per day');
    await chart.getByText(`Log begins ${named(10)} 07:00`).waitFor();
    await chart.getByRole('link', { name: `${named(10)}, partial day: 1 failed. Show the events` }).waitFor();
    const compare = page.getByRole('button', { name: 'Compare with previous period' });
    expect([await compare.isDisabled(), await compare.getAttribute('title')]).toEqual([
      true,
      `log begins ${named(10)}`,
    ]);
    await page.goto(`${dashboard.url}?view=analytics&environment=*&compare=1`);
    await expect
      .poll(() => part(page, 'Lead time').locator('.change').allInnerTexts())
      .toEqual([`no previous period: log begins ${named(10)}`]);
    // The seven days are covered, but the log begins within the seven days before.
    await page.goto(`${dashboard.url}${everywhere}&compare=1`);
    await expect
      .poll(() => part(page, 'Lead time').locator('.change').allInnerTexts())
      .toEqual([`no previous period: log begins ${named(10)}`]);
    await page
      .getByText('The log does not cover all of the previous period, so the figures are not compared')
      .waitFor();
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
    const { page } = await openAnalytics(open, log, `${everywhere}&service=shop`);
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
    await expect.poll(reasons).toEqual(['2 Not in production', '1 No promotion path to production was reported']);
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
