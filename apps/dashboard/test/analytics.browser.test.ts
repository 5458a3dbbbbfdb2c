import { inBrowser, type OpenPage, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, type TestDashboard, testDashboard } from './support/dashboard.ts';

type Fields = Parameters<TestDashboard['post']>[0];

const dayMs = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The UTC day so many days ago; the last that is counted is 1. */
function day(daysAgo: number): Date {
  return new Date(Math.floor(Date.now() / dayMs) * dayMs - daysAgo * dayMs);
}

/** As the page writes it: "3 May". */
function named(daysAgo: number): string {
  return `${day(daysAgo).getUTCDate()} ${months[day(daysAgo).getUTCMonth()]}`;
}

type Row = readonly [daysAgo: number, time: string, id: string, service: string, environment: string, more?: Fields];

/** Ten rows that ended, eight of them well, and one that tells of a start; a failure of the week before. */
const log: readonly Row[] = [
  [10, '07:00', 'z-1', 'old', 'dev', { actor: 'carol', status: 'failure' }],
  [6, '09:00', 'a-1', 'shop', 'dev', { actor: 'alice' }],
  [6, '10:00', 'a-2', 'shop', 'staging', { actor: 'alice', parent_deployments: ['a-1'] }],
  [5, '12:00', 'a-3', 'shop', 'prod', { actor: 'bob', status: 'in-progress', parent_deployments: ['a-2'] }],
  [5, '12:12', 'a-3', 'shop', 'prod', { actor: 'bob', parent_deployments: ['a-2'] }],
  [4, '08:00', 'b-1', 'shop', 'prod', { actor: 'bob', status: 'failure' }],
  [4, '09:30', 'b-2', 'shop', 'prod', { actor: 'bob' }],
  [3, '10:00', 'd-1', 'pay', 'staging'],
  [3, '11:00', 'd-2', 'pay', 'staging'],
  [3, '14:00', 'c-1', 'pay', 'dev', { actor: 'alice', status: 'failure' }],
  [2, '15:00', 'e-1', 'pay', 'qa', { actor: 'bob' }],
  [2, '16:00', 'e-2', 'pay', 'qa', { actor: 'bob' }],
];

async function openAnalytics(open: OpenPage, rows = log): Promise<{ page: Page; dashboard: TestDashboard }> {
  const dashboard = await testDashboard();
  for (const [daysAgo, time, id, service, environment, more] of rows) {
    const happened_at = `${day(daysAgo).toISOString().slice(0, 10)}T${time}:00Z`;
    await dashboard.post({ deployment_id: id, version: id, service, environment, happened_at, ...more });
  }
  const page = await open(`${dashboard.url}?view=analytics`);
  await isLive(page);
  return { page, dashboard };
}

function part(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}

/** What a key says: its number with the unit, and the class. */
async function key(page: Page, title: string): Promise<string[]> {
  await part(page, title).locator('.value').waitFor();
  return [await words(part(page, title).locator('.value')), await words(part(page, title).locator('.class'))];
}

async function words(place: ReturnType<Page['locator']>): Promise<string> {
  return (await place.innerText()).replace(/\s+/g, ' ').trim();
}

/** The rows of the table behind a picture. */
async function table(page: Page, title: string): Promise<string[][]> {
  await part(page, title)
    .getByRole('button', { name: /^Table of/ })
    .click();
  const rows = page.getByRole('region', { name: `Table: ${title}`, exact: true }).locator('tbody tr');
  await rows.first().waitFor();
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim())),
  );
}

/** The versions of the feed's rows from top to bottom. */
async function shows(page: Page, expected: readonly string[]): Promise<void> {
  const versions = () => page.locator('.feed .event .version').allTextContents();
  await expect.poll(versions, { timeout: 20_000 }).toEqual(expected);
}

function searchOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

const windowOf = (daysAgo: number) => ({
  view: 'feed',
  since: day(daysAgo).toISOString(),
  until: day(daysAgo - 1).toISOString(),
});

inBrowser('the analytics', (open) => {
  test('the four keys are the figures of the log, and only the lead time is approximated', async () => {
    const { page } = await openAnalytics(open);
    // 10 rows that ended in 7 days; 2 failures of 10; 27 h 12 min from dev to prod; 90 min from b-1 to b-2.
    expect(await key(page, 'Deployment frequency')).toEqual(['1.4 a day', 'elite']);
    expect(await key(page, 'Lead time')).toEqual(['27.2 h', 'high']);
    expect(await key(page, 'Change failure rate')).toEqual(['20 %', 'high']);
    expect(await key(page, 'Time to restore')).toEqual(['1.5 h', 'high']);
    expect(await page.locator('.badge').allInnerTexts()).toEqual(['approximated']);
    expect(await part(page, 'Lead time').locator('.badge').count()).toBe(1);
    // 3 rows in the first 3 days, 7 in the last 4; no failure in the first half to compare with.
    expect(await words(part(page, 'Deployment frequency').locator('.trend'))).toBe(
      '▲ 75 % more than in the half before: better',
    );
    expect(await words(part(page, 'Change failure rate').locator('.trend'))).toBe('no trend');
  });

  test('filters of the link, which narrow nothing here, are named and taken away', async () => {
    const { page, dashboard } = await openAnalytics(open);
    expect(await page.locator('.note').count()).toBe(0);
    await page.goto(`${dashboard.url}?view=analytics&service=pay*&only=failed&actor=bob&window=14d`);
    await page.getByText('These figures count every event of the period').waitFor();
    expect(await words(page.locator('.note'))).toContain('service pay*, failed only, actor bob.');
    expect(await key(page, 'Deployment frequency')).toEqual(['0.79 a day', 'high']);
    await page.getByRole('link', { name: 'Remove the filters' }).click();
    await page.waitForURL('**/?view=analytics&window=14d');
    expect(await page.locator('.note').count()).toBe(0);
  });

  test('the days of a key are in its table', async () => {
    const { page } = await openAnalytics(open);
    expect(await table(page, 'Lead time')).toEqual([
      ...[7, 6].map((daysAgo) => [named(daysAgo), 'none']),
      [named(5), '27.2 h'],
      ...[4, 3, 2, 1].map((daysAgo) => [named(daysAgo), 'none']),
    ]);
    const rates = ['0 %', '0 %', '0 %', '50 %', '33.3 %', '0 %', '0 %'];
    expect(await table(page, 'Change failure rate')).toEqual(rates.map((rate, index) => [named(7 - index), rate]));
  });

  test('a sentence says which days are counted, and that today is not', async () => {
    const { page } = await openAnalytics(open);
    await page.getByText(`From ${named(7)} 00:00 UTC up to 00:00 UTC today.`).waitFor();
    expect(await page.locator('.clamped').innerText()).toBe('');
  });

  test('another period has its own link, figures and sentence', async () => {
    const { page } = await openAnalytics(open);
    expect(await key(page, 'Change failure rate')).toEqual(['20 %', 'high']);
    await page.getByRole('link', { name: '14 days' }).click();
    await page.waitForURL('**/?view=analytics&window=14d');
    await page.getByText(`From ${named(14)} 00:00 UTC up to 00:00 UTC today.`).waitFor();
    // 3 failures of 11 rows in 14 days.
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['27.3 %', 'high']);
    expect(await key(page, 'Deployment frequency')).toEqual(['0.79 a day', 'high']);
    expect(await page.locator('.periods [aria-current]').allInnerTexts()).toEqual(['14 days']);
    expect((await table(page, 'Deployments a day')).length).toBe(14);
    await page.reload();
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['27.3 %', 'high']);
    await page.goBack();
    await expect.poll(() => key(page, 'Change failure rate')).toEqual(['20 %', 'high']);
  });

  test('the tables of the days have the rows that ended, and the share of failures', async () => {
    const { page } = await openAnalytics(open);
    const ended = ['0 0', '2 0', '1 0', '1 1', '2 1', '2 0', '0 0'].map((counts) => counts.split(' '));
    expect(await table(page, 'Deployments a day')).toEqual(ended.map((counts, index) => [named(7 - index), ...counts]));
    const rates = ['0 %', '0 %', '0 %', '50 %', '33.3 %', '0 %', '0 %'];
    expect(await table(page, 'Change failure rate a day')).toEqual(
      rates.map((rate, index) => [named(7 - index), rate, rate === '0 %' ? 'yes' : 'no']),
    );
  });

  test('the tables of durations, stages, statuses and deployers have the figures of the log', async () => {
    const { page } = await openAnalytics(open);
    const bins = ['0–10', '10–20', '20–30', '30–60', '60–120', '120+'];
    expect(await table(page, 'Durations')).toEqual([
      ...bins.map((bin) => [bin, bin === '10–20' ? '1' : '0']),
      ['p50', '12 min'],
      ['p95', '12 min'],
    ]);
    expect(await table(page, 'Promotion')).toEqual([
      ['dev', '2', '150 %'],
      ['staging', '3', '66.7 %'],
      ['qa', '2', '0 %'],
      ['preprod', '0', '—'],
      ['prod', '3', '—'],
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

  test('the table of the hours of the week has each row of the log in its hour', async () => {
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

  test('incidents stand with the open one first, in the table too, and lead to the history of their slot', async () => {
    const { page } = await openAnalytics(open);
    const incidents = part(page, 'Incidents').locator('.incident');
    await incidents.nth(1).waitFor();
    const [open1, closed] = await incidents.allInnerTexts();
    expect(open1?.replace(/\s+/g, ' ')).toMatch(new RegExp(`^critical pay dev since ${named(3)} 14:00 open`));
    expect(closed?.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`^medium shop prod ${named(4)} 08:00 to ${named(4)} 09:30 1.5 h`),
    );
    expect(await table(page, 'Incidents')).toEqual([
      ['pay in dev', 'critical', `${named(3)} 14:00`, 'open', 'open'],
      ['shop in prod', 'medium', `${named(4)} 08:00`, `${named(4)} 09:30`, '1.5 h'],
    ]);
    await page.getByRole('link', { name: 'shop in prod' }).click();
    await page.getByRole('dialog', { name: 'History of shop in prod' }).waitFor();
    expect(searchOf(page)).toEqual({ view: 'analytics', history: 'shop', in: 'prod' });
  });

  test('a mark of a day leads to the rows behind it: that day, that status, and no others', async () => {
    const { page } = await openAnalytics(open);
    const leads = async (label: string, rows: readonly string[], status: string) => {
      await page.getByRole('link', { name: label }).click();
      await shows(page, rows);
      expect(searchOf(page)).toEqual({ ...windowOf(Number(label.startsWith(named(4)) ? 4 : 3)), status });
      await page.goBack();
    };
    await leads(`${named(4)}: 1 failed. Show the rows`, ['b-1'], 'failure');
    await leads(`${named(3)}: 2 succeeded. Show the rows`, ['d-2', 'd-1'], 'success');
    await leads(`${named(3)}: 33.3 % failed. Show the failures`, ['c-1'], 'failure');
  });

  test('a day of a table, a status, a stage and an actor lead to their rows', async () => {
    const { page } = await openAnalytics(open);
    await table(page, 'Deployments a day');
    await part(page, 'Deployments a day')
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

  test('the arrow keys lead from mark to mark, and Enter to its rows', async () => {
    const { page } = await openAnalytics(open);
    const bars = part(page, 'Deployments a day').locator('svg a');
    await bars.first().focus();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe(`${named(5)}: 1 succeeded. Show the rows`);
    await page.keyboard.press('End');
    expect(await focused()).toBe(`${named(2)}: 2 succeeded. Show the rows`);
    await page.keyboard.press('Enter');
    await shows(page, ['e-2', 'e-1']);
  });

  test('a log without events of these days says so, and what to do', async () => {
    const { page, dashboard } = await openAnalytics(open, []);
    await page.getByText('No events in this period').waitFor();
    await dashboard.post({ version: 'of-today' });
    await page.reload();
    await page.getByText('What happens today is counted once the period reaches it.').waitFor();
    expect(await page.locator('.kpi, .chart').count()).toBe(0);
    await page.getByRole('link', { name: 'Open the feed' }).click();
    await shows(page, ['of-today']);
  });

  test('names that are hostile stay text, and nothing is wider than a phone', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const { page } = await openAnalytics(open, [
      [2, '10:00', 'x', hostile, 'dev', { actor: hostile, status: 'failure' }],
    ]);
    await part(page, 'Top deployers').getByText(hostile).waitFor();
    await part(page, 'Incidents').getByText(hostile).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => overflow(page)).toBe(0);
  });
});
