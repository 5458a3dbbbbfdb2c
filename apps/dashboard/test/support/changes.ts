import type { OpenPage, Page } from '@shiplog/testing/browser';
import { expect } from 'vitest';
import { isLive, type TestDashboard } from './dashboard.ts';

/** Opens the changes in all environments. */
export async function openChanges(open: OpenPage, dashboard: TestDashboard, search = '&environment=*'): Promise<Page> {
  const page = await open(`${dashboard.url}?view=changes${search}`);
  await isLive(page);
  return page;
}

/** Waits until the rows have these versions, from top to bottom. */
export async function shows(page: Page, expected: readonly string[]): Promise<void> {
  const versions = () => page.locator('.change-line .release-link .version').allTextContents();
  await expect.poll(versions, { timeout: 20_000 }).toEqual(expected);
}

export function headline(page: Page): Promise<string> {
  return page.locator('.changes-headline h2').innerText();
}

export function rowOf(page: Page, version: string) {
  return page.locator('.change', { has: page.locator('.change-step .release-link', { hasText: version }) });
}
