import type { OpenPage, Page, PageOptions } from '@shiplog/testing/browser';
import { isLive, type TestDashboard, testDashboard } from './dashboard.ts';

type Fields = Parameters<TestDashboard['post']>[0];

const dayMs = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** The UTC day this many days ago. */
export function day(daysAgo: number): Date {
  return new Date(Math.floor(Date.now() / dayMs) * dayMs - daysAgo * dayMs);
}

/** The day in the format of the page: "3 May". */
export function named(daysAgo: number): string {
  return `${day(daysAgo).getUTCDate()} ${months[day(daysAgo).getUTCMonth()]}`;
}

type Row = readonly [daysAgo: number, time: string, id: string, service: string, environment: string, more?: Fields];

/**
 * Eight successes, two failures and a start within the window, a failure in the week before it, and a much older event.
 */
export const log: readonly Row[] = [
  [100, '07:00', 'y-1', 'old', 'dev', { actor: 'carol', status: 'queued' }],
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

/** The page with all environments and the last seven days. */
export const everywhere = '?view=analytics&environment=*&range=7d';

export async function openAnalytics(
  open: OpenPage,
  rows = log,
  search = everywhere,
  { catalogFile, ...options }: PageOptions & { readonly catalogFile?: string } = {},
): Promise<{ page: Page; dashboard: TestDashboard }> {
  const dashboard = await testDashboard(catalogFile === undefined ? {} : { catalogFile });
  for (const [daysAgo, time, id, service, environment, more] of rows) {
    const happened_at = `${day(daysAgo).toISOString().slice(0, 10)}T${time}:00Z`;
    await dashboard.post({ deployment_id: id, version: id, service, environment, happened_at, ...more });
  }
  const page = await open(`${dashboard.url}${search}`, options);
  await isLive(page);
  return { page, dashboard };
}

export function part(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}

/** The number of a key metric with its unit, and its performance class. */
export async function key(page: Page, title: string): Promise<string[]> {
  await part(page, title).locator('.value').waitFor();
  const value = await words(part(page, title).locator('.value'));
  const level = await part(page, title).locator('.class').allInnerTexts();
  return [value.replace(/ ?: show the evidence$/, ''), ...level];
}

export async function words(place: ReturnType<Page['locator']>): Promise<string> {
  return (await place.innerText()).replace(/\s+/g, ' ').trim();
}

/** Opens the charts behind the first screen. */
export async function openMore(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^More charts/ }).click();
}

/** The texts of the rows in a part of the page: table rows or list items. */
export async function rowsOf(page: Page, title: string, rows: string): Promise<string[]> {
  const found = part(page, title).locator(rows);
  await found.first().waitFor();
  return (await found.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

export function searchOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}
