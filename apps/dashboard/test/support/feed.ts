import type { OpenPage, Page } from '@shiplog/testing/browser';
import { expect } from 'vitest';
import { isLive, type TestDashboard } from './dashboard.ts';

export async function openFeed(open: OpenPage, dashboard: TestDashboard, search = ''): Promise<Page> {
  const page = await open(`${dashboard.url}?view=feed${search}`);
  await isLive(page);
  return page;
}

/** The versions of the rows in the page, from top to bottom. */
export async function versions(page: Page): Promise<string[]> {
  return page.locator('.feed .event .version').allTextContents();
}

export async function shows(page: Page, expected: readonly string[]): Promise<void> {
  await expect.poll(() => versions(page), { timeout: 20_000 }).toEqual(expected);
}
