import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { day, log, named, openAnalytics, openMore, part, rowsOf, searchOf } from './support/analytics.ts';
import { shows } from './support/changes.ts';

const windowOf = (daysAgo: number) => ({
  view: 'changes',
  environment: '*',
  from: day(daysAgo).toISOString(),
  to: day(daysAgo - 1).toISOString(),
});

inBrowser('the analytics', (open) => {
  test('the charts behind the first screen are requested when they are opened, and agree with the log', async () => {
    const asked: string[] = [];
    const { page } = await openAnalytics(open, log, undefined, {
      before: (opened) =>
        opened.route('**/api/analytics/*', (route) => {
          asked.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
          return route.continue();
        }),
    });
    await part(page, 'Deployments per day').locator('svg a').first().waitFor();
    expect(new Set(asked)).toEqual(new Set(['dora', 'frequency', 'outages']));
    await openMore(page);
    expect((await rowsOf(page, 'Time in each status', '.times li')).at(-1)).toMatch(
      /^running 12 min.* 95 % within 12 min total 12 min$/,
    );
    expect(await rowsOf(page, 'Stability', '.value')).toEqual([
      '0 rollbacks : show the evidence',
      '1 reworked : show the evidence',
    ]);
    expect(await rowsOf(page, 'Promotion', '.bar-row')).toEqual([
      'dev 2',
      'staging 3 66.7 % →',
      'qa 2 0 % →',
      'preprod 0',
      'prod 3',
    ]);
    const bins = ['0–10', '10–20', '20–30', '30–60', '60–120', '120+'];
    expect(await rowsOf(page, 'Durations', '.bar-row')).toEqual(
      bins.map((bin) => `${bin} min ${bin === '10–20' ? 1 : 0}`),
    );
    expect(await rowsOf(page, 'Deployers', '.bar-row')).toEqual(['bob 6', 'alice 3', 'unknown 2']);
    const hours = await rowsOf(page, 'Hours of the week', 'tbody tr');
    const expected = [1, 2, 3, 4, 5, 6, 0].map((weekday) =>
      Array.from({ length: 24 }, (_, hour) => {
        const isHere = ([daysAgo, time]: (typeof log)[number]) =>
          daysAgo < 7 && day(daysAgo).getUTCDay() === weekday && Number.parseInt(time, 10) === hour;
        return log.filter(isHere).length;
      }),
    );
    expect(hours.map((row) => row.split(' ').slice(1).map(Number))).toEqual(expected);
  });

  test('the bar of a day links only to the events of that day and status', async () => {
    const { page } = await openAnalytics(open);
    const leads = async (label: string, rows: readonly string[], status: string) => {
      await page.getByRole('link', { name: label }).click();
      await shows(page, rows);
      expect(searchOf(page)).toMatchObject({ ...windowOf(Number(label.startsWith(named(4)) ? 4 : 3)), status });
      await page.goBack();
    };
    await leads(`${named(4)}: 1 failed. Show the events`, ['b-1'], 'failure');
    await leads(`${named(3)}: 2 succeeded. Show the events`, ['d-2', 'd-1'], 'success');
  });

  test('a stage and an actor in a chart link to their events', async () => {
    const { page } = await openAnalytics(open);
    await openMore(page);
    await part(page, 'Promotion').getByRole('link', { name: /qa/ }).click();
    await shows(page, ['e-2', 'e-1']);
    expect(searchOf(page)).toMatchObject({ view: 'changes', environment: 'qa' });
    await page.goBack();
    await openMore(page);
    const deployers = part(page, 'Deployers');
    await deployers.getByText('unknown', { exact: true }).waitFor();
    expect(await deployers.getByRole('link').allInnerTexts()).toHaveLength(2);
    await deployers.getByRole('link', { name: /^alice/ }).click();
    await shows(page, ['c-1', 'a-2', 'a-1']);
  });

  test('arrow keys move between bars, and Enter opens the events of a bar', async () => {
    const { page } = await openAnalytics(open);
    const bars = part(page, 'Deployments per day').locator('svg a');
    await bars.first().focus();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe(`${named(5)}: 1 succeeded. Show the events`);
    await page.keyboard.press('End');
    expect(await focused()).toBe(`${named(2)}: 2 succeeded. Show the events`);
    await page.keyboard.press('Enter');
    await shows(page, ['e-2', 'e-1']);
  });

  test('hostile names are shown as plain text, and nothing is wider than a phone', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const { page } = await openAnalytics(open, [
      [2, '10:00', 'x', hostile, 'dev', { actor: hostile, status: 'failure' }],
    ]);
    await openMore(page);
    await part(page, 'Deployers').getByText(hostile).waitFor();
    await expect.poll(() => page.locator('main img').count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => overflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});
