import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { openAnalytics, part, searchOf } from './support/analytics.ts';

type Rows = Parameters<typeof openAnalytics>[1];

const teams = ['Ants', 'Bees', 'Cats', 'Dogs', 'Eels', 'Foxes', 'Gnus', 'Hares', 'Ibis'];

/** Each team has a service; Bees had 12 deployments, of which 3 failed, Cats 10 successes, and the others one. */
const rows: Rows = teams.flatMap((team) => {
  const count = team === 'Bees' ? 12 : team === 'Cats' ? 10 : 1;
  return Array.from({ length: count }, (_, index) => {
    const status = team === 'Bees' && index < 3 ? ('failure' as const) : ('success' as const);
    return [
      3,
      `${String(index + 1).padStart(2, '0')}:00`,
      `${team}-${index}`,
      `${team}-api`,
      'prod',
      { status },
    ] as const;
  });
});

async function catalog(): Promise<string> {
  const file = join(await testFolder(), 'catalog.yaml');
  writeFileSync(file, `services:\n${teams.map((team) => `  - { name: ${team}-*, team: ${team} }`).join('\n')}\n`);
  return file;
}

inBrowser('the table of teams', (open) => {
  test('teams are compared by their four keys, and can be sorted and opened', async () => {
    const { page } = await openAnalytics(open, rows, '?view=analytics&range=7d', { catalogFile: await catalog() });
    const table = part(page, 'Teams');
    await table.getByText('highest change failure rate first').waitFor();
    const lines = async () =>
      (await table.locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect((await lines()).slice(0, 3)).toEqual([
      'Bees 1 12 3 Elite none 25 % High 3 h High',
      'Cats 1 10 2.5 Elite none 0 % Elite none',
      'Ants 1 1 0.25 too few to classify (1)',
    ]);
    expect(await lines()).toHaveLength(8);
    expect((await table.locator('tfoot').innerText()).replace(/\s+/g, ' ')).toMatch(
      /^All teams 9 29 7\.3 Elite none 10\.3 % Elite 3 h High/,
    );
    await table.getByRole('button', { name: '8 of 9 · Show all' }).click();
    await expect.poll(async () => (await lines()).length).toBe(9);
    await table.getByRole('button', { name: 'Team', exact: true }).click();
    await expect.poll(async () => (await lines()).map((line) => line.split(' ')[0])).toEqual(teams);
    await table.getByRole('link', { name: 'Cats' }).click();
    await expect.poll(() => searchOf(page)).toEqual({ view: 'analytics', range: '7d', teams: 'Cats' });
    await page.getByText('10 deployments ended in production').waitFor();
    await table.waitFor({ state: 'detached' });
  });

  test('the figures of three teams are requested at once, and no more once the view is closed', async () => {
    const asked: string[] = [];
    const held: (() => Promise<void>)[] = [];
    const { page } = await openAnalytics(open, rows, '?view=analytics&range=7d', {
      catalogFile: await catalog(),
      before: (opened) =>
        opened.route('**/api/analytics/dora?*teams=*', (route) => {
          const team = new URL(route.request().url()).searchParams.get('teams') ?? '';
          asked.push(team);
          if (team === 'Ants') return route.continue();
          held.push(() => route.continue());
          return undefined;
        }),
    });
    const table = part(page, 'Teams');
    await table.getByText('Loading 1 of 9 …').waitFor();
    await expect.poll(() => asked).toEqual(['Ants', 'Bees', 'Cats', 'Dogs']);
    await page.getByRole('link', { name: 'Board' }).click();
    await page.locator('.view-tabs').waitFor({ state: 'detached' });
    // Without the close, these responses would cause further requests.
    await Promise.all(held.map((release) => release().catch(() => undefined)));
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.locator('.releases tbody tr').first().waitFor();
    expect(asked).toHaveLength(4);
  });

  test('the CSV file has every number of the page, and its name has the scope and the period', async () => {
    const { page } = await openAnalytics(open, rows, '?view=analytics&range=7d', { catalogFile: await catalog() });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^shiplog-production-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    const text = readFileSync(await saved.path(), 'utf8');
    const titles = [
      'Four keys',
      'Deployments per day',
      'Teams',
      'Time in each status',
      'Stability',
      'Promotion',
      'Durations',
    ];
    for (const title of [...titles, 'Hours of the week', 'Deployers']) expect(text).toContain(`\r\n${title}\r\n`);
    expect(text).toContain('\r\nBees,1,12,');
  });
  test('the CSV file waits for the previous period', async () => {
    const held: (() => Promise<void>)[] = [];
    let asked = 0;
    const old: Rows = [[20, '01:00', 'old', 'Ants-api', 'prod', { status: 'success' }]];
    const { page } = await openAnalytics(open, [...rows, ...old], '?view=analytics&range=7d&compare=1', {
      before: (opened) =>
        opened.route('**/api/analytics/frequency?*', (route) => {
          // The page asks for the previous period once it knows this one.
          if (asked++ === 0) return route.continue();
          held.push(() => route.continue());
          return undefined;
        }),
    });
    const csv = page.getByRole('button', { name: 'CSV' });
    await part(page, 'Deployments per day').waitFor();
    await expect.poll(() => held.length).toBe(1);
    expect(await csv.isDisabled()).toBe(true);
    await held[0]?.();
    const [saved] = await Promise.all([page.waitForEvent('download'), csv.click()]);
    expect(readFileSync(await saved.path(), 'utf8')).toContain('\r\nPrevious from,');
  });
});
