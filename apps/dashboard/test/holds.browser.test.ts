import { clientOf } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, openBoard, postBoard, shifts, testDashboard } from './support/dashboard.ts';

const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const head = (page: Page, environment: string) => page.locator('.head', { hasText: environment });

inBrowser('holds on the board', (open) => {
  test('a freeze, a lock and a bad version appear at once with their reasons, and disappear when released', async () => {
    const { page, dashboard } = await openBoard(open);
    const client = clientOf(dashboard.url);
    const hold = async (body: Parameters<typeof client.makeHold>[0]['body']) => (await client.makeHold({ body })).body;
    const band = page.getByRole('region', { name: 'Freeze' });
    expect(await band.count()).toBe(0);
    const freeze = await hold({
      ...{ kind: 'freeze', services: ['*'], environments: ['prod*'], until: hour(30), reason: 'Christmas', by: 'Ines' },
    });
    await expect.poll(() => band.innerText()).toMatch(/^Frozen until .*: Christmas \(Ines\)\s+all services in prod\*/);
    const title = (at: ReturnType<typeof head>) => at.locator('.notice-icon').getAttribute('title');
    expect(await title(head(page, 'prod'))).toMatch(/^frozen until /);
    expect(await head(page, 'staging').locator('.notice-icon').count()).toBe(0);
    await hold({
      ...{ kind: 'lock', services: ['order-svc'], environments: ['staging'], until: hour(1), reason: 'load test' },
    });
    await expect.poll(() => title(cell(page, 'order-svc', 'staging'))).toMatch(/^locked until .*: load test$/);
    await hold({
      ...{ kind: 'bad', services: ['*'], environments: ['*'], version: '7.1.9', reason: 'loses orders', by: 'Ben' },
    });
    // The last success of search in prod is 7.1.9.
    await expect.poll(() => title(cell(page, 'search', 'prod'))).toBe('7.1.9 is marked bad: loses orders (Ben)');
    expect(await cell(page, 'search', 'prod').locator('.unseen').textContent()).toContain('7.1.9 is marked bad');
    await expect.poll(() => page.locator('.attention-list').innerText()).toContain('bad version, marked');
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await client.exceptHold({
      ...{ params: { id: freeze.id }, body: { services: ['search'], until: hour(2), reason: 'hotfix' } },
    });
    await expect.poll(() => band.innerText()).toContain('except search');
    await client.releaseHold({ params: { id: freeze.id }, body: {} });
    await expect.poll(() => band.count()).toBe(0);
    expect(await head(page, 'prod').locator('.notice-icon').count()).toBe(0);
  });

  test('an upcoming freeze is announced, and neither it nor its script moves the board; a past board has no holds', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    await clientOf(dashboard.url).makeHold({
      body: {
        ...{
          kind: 'freeze',
          services: ['*'],
          environments: ['*'],
          from: hour(3),
          until: hour(30),
          reason: 'Christmas',
        },
      },
    });
    const page = await open(dashboard.url);
    await isLive(page);
    const band = page.getByRole('region', { name: 'Freeze' });
    await expect.poll(() => band.innerText()).toMatch(/^From .* frozen until .*: Christmas/);
    expect(await page.locator('.notice-icon').count()).toBe(0);
    expect(await shifts(page)).toEqual([]);
    await page.goto(`${dashboard.url}?asof=${new Date(Date.now() - 60_000).toISOString()}`);
    await page.locator('.past-band').waitFor();
    await expect.poll(() => page.locator('.past-band').innerText()).toContain('Ages are relative');
    expect(await band.count()).toBe(0);
  });
});
