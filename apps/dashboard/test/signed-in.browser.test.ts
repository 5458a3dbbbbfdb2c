import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyDigest, newKey } from '@shiplog/access';
import { runSql, testFolder } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, postBoard, testDashboard } from './support/dashboard.ts';

const keys = { wall: newKey('walldisp', Buffer.alloc(32, 1)), other: newKey('otherkey', Buffer.alloc(32, 2)) };
/** Console messages after the session has ended. */
const expectedLines = /401|ERR_INCOMPLETE_CHUNKED_ENCODING/;

/** A service whose reads are guarded, with two keys that may read. */
async function guardedDashboard() {
  const path = join(await testFolder(), 'access.yaml');
  const entry = (id: string, name: string, key: string) =>
    `  - { id: ${id}, name: ${name}, sha256: ${keyDigest(key)}, may: { read: true } }\n`;
  writeFileSync(
    path,
    `keys:\n${entry('walldisp', 'wall-hall', keys.wall)}${entry('otherkey', 'wall-lab', keys.other)}`,
  );
  const readers = { readers: 'proxy', readerHeader: 'x-nobody', readerProxies: ['10.0.0.0/8'] } as const;
  return testDashboard({
    config: { ...readers, accessFile: path, publicUrl: 'http://127.0.0.1:9' },
    times: { streamJudgeMs: 20, sessionsPollMs: 50 },
  });
}

const outside = (dashboard: { readonly url: string }) => `${dashboard.url}signed-out`;

/** Opens the wall with a key, then the board. */
async function enter(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}wall#key=${key}`);
  await page.waitForURL(/layout=wall/);
  await page.goto(url);
  await isLive(page);
}

inBrowser('the reader of the page', (open) => {
  test.each(['light', 'dark'] as const)(
    'a session that ends elsewhere leaves the board readable, asks to sign in again, and never continues as another reader (%s)',
    async (colorScheme) => {
      const dashboard = await guardedDashboard();
      await postBoard(dashboard);
      const page = await open(outside(dashboard), { expectedLines, colorScheme });
      await enter(page, dashboard.url, keys.wall);
      await runSql(dashboard.databaseUrl, 'delete from session_keys');
      const band = page.locator('.page > .outage-band');
      await band.waitFor();
      expect(await band.innerText()).toMatch(/^Your session ended at \d\d:\d\d:\d\d.*no longer live.*Sign in again$/s);
      expect(await page.locator('.live').innerText()).toContain('not live');
      await page.locator('.cell').first().waitFor();
      expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
      // Another reader signs in in another tab: the first one stays as it is.
      const second = await page.context().newPage();
      await enter(second, dashboard.url, keys.other);
      const version = 'of-another-reader';
      await dashboard.post({ service: 'order-svc', environment: 'prod', version, status: 'success' });
      await second.getByText(version).first().waitFor();
      expect(await page.getByText(version).count()).toBe(0);
      await band.getByRole('button', { name: 'Sign in again' }).click();
      await isLive(page);
    },
  );

  test('the settings say who is signed in, and sign out', async () => {
    const dashboard = await guardedDashboard();
    await postBoard(dashboard);
    const page = await open(outside(dashboard), { expectedLines });
    await enter(page, dashboard.url, keys.wall);
    const other = await page.context().newPage();
    await other.goto(dashboard.url);
    await isLive(other);
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByText('Signed in as wall-hall').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/signed-out$/);
    await page.getByText('You are signed out').waitFor();
    await other.locator('.page > .outage-band').waitFor();
  });

  test('a wall display removes its key from the address, and says when its session has ended', async () => {
    const dashboard = await guardedDashboard();
    await postBoard(dashboard);
    const page = await open(outside(dashboard), { expectedLines });
    await page.goto(`${dashboard.url}wall#key=${keys.wall}`);
    await page.waitForURL(/\?layout=wall$/);
    await page.locator('.wall-top').waitFor();
    await runSql(dashboard.databaseUrl, 'delete from session_keys');
    await page.getByText(/^Signed out since/).waitFor();
    await page.goto(`${dashboard.url}wall#key=wrong`);
    await page.getByText('This key is unknown, withdrawn or expired').waitFor();
    expect(page.url()).toBe(`${dashboard.url}wall`);
  });

  test('where everyone may read, the settings name no reader', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url);
    await isLive(page);
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByText('single-key shortcuts').waitFor();
    expect(await page.getByText('Signed in as').count()).toBe(0);
  });
});
