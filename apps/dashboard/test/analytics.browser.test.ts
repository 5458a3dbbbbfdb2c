import { inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { day, log, named, openAnalytics, part, searchOf, table } from './support/analytics.ts';
import { shows } from './support/feed.ts';

const windowOf = (daysAgo: number) => ({
  view: 'feed',
  since: day(daysAgo).toISOString(),
  until: day(daysAgo - 1).toISOString(),
});

inBrowser('the analytics', (open) => {
  test('the table of a key metric lists its days', async () => {
    const { page } = await openAnalytics(open);
    expect(await table(page, 'Lead time')).toEqual([
      ...[7, 6].map((daysAgo) => [named(daysAgo), 'none']),
      [named(5), '27.2 h'],
      ...[4, 3, 2, 1].map((daysAgo) => [named(daysAgo), 'none']),
    ]);
    const rates = ['0 %', '0 %', '0 %', '50 %', '33.3 %', '0 %', '0 %'];
    expect(await table(page, 'Change failure rate')).toEqual(rates.map((rate, index) => [named(7 - index), rate]));
  });

  test('the tables by day show the deployments that ended and the share of failures', async () => {
    const { page } = await openAnalytics(open);
    await part(page, 'Deployments per day').getByText('period before').waitFor();
    const ended = ['0 0', '2 0', '1 0', '1 1', '2 1', '2 0', '0 0'].map((counts) => counts.split(' '));
    const before = ['0', '0', '0', '0', '1', '0', '0'];
    const days = ended.map((counts, index) => [named(7 - index), ...counts, before[index]]);
    expect(await table(page, 'Deployments per day')).toEqual(days);
    const rates = ['0 %', '0 %', '0 %', '50 %', '33.3 %', '0 %', '0 %'];
    expect(await table(page, 'Change failure rate per day')).toEqual(
      rates.map((rate, index) => [named(7 - index), rate, rate === '0 %' ? 'yes' : 'no']),
    );
  });

  test('the tables of durations, stages, statuses and deployers agree with the log', async () => {
    const { page } = await openAnalytics(open);
    const bins = ['0–10', '10–20', '20–30', '30–60', '60–120', '120+'];
    expect(await table(page, 'Durations')).toEqual([
      ...bins.map((bin) => [bin, bin === '10–20' ? '1' : '0']),
      ['half within', '12 min'],
      ['95 % within', '12 min'],
    ]);
    expect(await table(page, 'Promotion')).toEqual([
      ['dev', '2', '—', '0'],
      ['staging', '3', '66.7 %', '1'],
      ['qa', '2', '0 %', '0'],
      ['preprod', '0', '—', '0'],
      ['prod', '3', '—', '3'],
    ]);
    const counts = { running: '1', succeeded: '8', failed: '2' };
    const statuses = ['pending', 'queued', 'waiting', 'running', 'succeeded', 'failed', 'cancelled', 'rejected'];
    expect(await table(page, 'Statuses')).toEqual(
      statuses.map((name) => [name, Object.entries(counts).find(([other]) => other === name)?.[1] ?? '0']),
    );
    expect(await table(page, 'Top deployers')).toEqual([
      ['bob', '6'],
      ['alice', '3'],
      ['unknown', '2'],
    ]);
  });

  test('the table of hours of the week counts each event of the log in its hour', async () => {
    const { page } = await openAnalytics(open);
    const expected = Array.from({ length: 24 }, (_, hour) => [
      `${String(hour).padStart(2, '0')}:00`,
      ...[1, 2, 3, 4, 5, 6, 0].map((weekday) => {
        const here = log.filter(
          ([daysAgo, time]) =>
            daysAgo < 8 && day(daysAgo).getUTCDay() === weekday && Number.parseInt(time, 10) === hour,
        );
        return String(here.length);
      }),
    ]);
    expect(await table(page, 'Hours of the week')).toEqual(expected);
  });

  test('the list and the table of incidents have the open incident first, and each incident links to its slot history', async () => {
    const { page } = await openAnalytics(open);
    const incidents = part(page, 'Incidents').locator('.incident');
    await incidents.nth(1).waitFor();
    const [open1, closed] = await incidents.allInnerTexts();
    expect(open1?.replace(/\s+/g, ' ')).toMatch(new RegExp(`^not production pay dev since ${named(3)} 14:00 open`));
    expect(closed?.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`^medium shop prod ${named(4)} 08:00 to ${named(4)} 09:30 1.5 h`),
    );
    expect(await table(page, 'Incidents')).toEqual([
      ['pay', 'dev', 'not production', `${named(3)} 14:00`, 'open', 'open'],
      ['shop', 'prod', 'medium', `${named(4)} 08:00`, `${named(4)} 09:30`, '1.5 h'],
    ]);
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('dialog', { name: 'History of shop in prod' }).waitFor();
    expect(searchOf(page)).toEqual({ view: 'analytics', environment: '*', history: 'shop', in: 'prod' });
  });

  test('the chart mark of a day links only to the events of that day and status', async () => {
    const { page } = await openAnalytics(open);
    const leads = async (label: string, rows: readonly string[], status: string) => {
      await page.getByRole('link', { name: label }).click();
      await shows(page, rows);
      expect(searchOf(page)).toEqual({ ...windowOf(Number(label.startsWith(named(4)) ? 4 : 3)), status });
      await page.goBack();
    };
    await leads(`${named(4)}: 1 failed. Show the events`, ['b-1'], 'failure');
    await leads(`${named(3)}: 2 succeeded. Show the events`, ['d-2', 'd-1'], 'success');
    await leads(`${named(3)}: 33.3 % failed. Show the failures`, ['c-1'], 'failure');
  });

  test('a day, a status, a stage and an actor in a chart link to their events', async () => {
    const { page } = await openAnalytics(open);
    await table(page, 'Deployments per day');
    await part(page, 'Deployments per day')
      .getByRole('link', { name: named(5), exact: true })
      .click();
    await shows(page, ['a-3', 'a-3']);
    expect(searchOf(page)).toEqual(windowOf(5));
    await page.goBack();
    await part(page, 'Statuses')
      .getByRole('link', { name: /^running/ })
      .click();
    await shows(page, ['a-3']);
    await page.goBack();
    await part(page, 'Promotion').getByRole('link', { name: /qa/ }).click();
    await shows(page, ['e-2', 'e-1']);
    expect(searchOf(page)).toMatchObject({ environment: 'qa', grouped: '1' });
    await page.goBack();
    const deployers = part(page, 'Top deployers');
    await deployers.getByText('unknown', { exact: true }).waitFor();
    expect(await deployers.getByRole('link').allInnerTexts()).toHaveLength(2);
    await deployers.getByRole('link', { name: /^alice/ }).click();
    await shows(page, ['c-1', 'a-2', 'a-1']);
  });

  test('arrow keys move between chart marks, and Enter opens the events of a mark', async () => {
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

  test('hostile names are shown as plain text, and no chart is wider than a phone', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const { page } = await openAnalytics(open, [
      [2, '10:00', 'x', hostile, 'dev', { actor: hostile, status: 'failure' }],
    ]);
    await part(page, 'Top deployers').getByText(hostile).waitFor();
    await part(page, 'Incidents').getByText(hostile).waitFor();
    await expect.poll(() => page.locator('main img').count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => overflow(page)).toBe(0);
  });
});
