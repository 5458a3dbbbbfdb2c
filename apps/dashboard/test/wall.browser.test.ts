import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { inGroups, testFolder } from '@shiplog/testing';
import { axeViolations, inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, restarted, type TestDashboard, testDashboard } from './support/dashboard.ts';

const environments = ['dev', 'staging', 'qa', 'preprod', 'prod'];
const kinds = ['api', 'worker', 'gateway', 'store', 'indexer', 'reconciliation-worker-eu'];
const areas = ['orders', 'checkout', 'identity', 'payments', 'catalog', 'search', 'shipping', 'pricing', 'media'];

/** The name of a service in the fleet. */
function fleetName(index: number): string {
  const [area, kind] = [areas[index % areas.length], kinds[Math.floor(index / areas.length) % kinds.length]];
  const round = Math.floor(index / areas.length / kinds.length);
  return `${area}-${kind}${round === 0 ? '' : `-${round}`}`;
}

/** The number of unhealthy services among the first `count` services of the fleet. */
function notWellOf(count: number): number {
  return Math.ceil(count / 7);
}

/**
 * Posts the services with these indexes. One service of seven is in five environments and unhealthy: some failed, the
 * first one in production, others are running or waiting.
 */
async function postFleet({ post }: TestDashboard, from: number, until: number): Promise<void> {
  const events: [Partial<DeploymentEventIngest>, number][] = [];
  for (let index = from; index < until; index += 1) {
    const service = fleetName(index);
    const version = index % 10 === 3 ? `2026.11.19+build.${index}.g3f2c1a9` : `${1 + (index % 12)}.${index % 7}.0`;
    const isHealthy = index % 7 !== 0;
    for (const environment of isHealthy ? ['dev', 'prod'] : environments) {
      events.push([{ service, environment, version }, 3000 + index]);
    }
    if (isHealthy) continue;
    const environment = environments[(index / 7 + 4) % 5] ?? 'dev';
    const status = (['failure', 'in-progress', 'failure', 'waiting'] as const)[(index / 7) % 4] ?? 'failure';
    // None becomes stuck, which takes an hour, while the test runs.
    const minutesAgo = ((index / 7) % 8 < 4 ? 12 : 90) + index / 13;
    events.push([{ service, environment, version: `${version}-rc.1`, status }, minutesAgo]);
  }
  await inGroups(events, ([event, minutesAgo]) => post(event, minutesAgo));
}

/** Console messages after the service stopped. */
const expectedLines = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|net::ERR|404|503/;

const screens = [
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
] as const;

/** Elements that are clipped, overflow or lie outside the window, one per line. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    const said = (element) => element.className + ': ' + element.textContent.slice(0, 60);
    for (const element of document.querySelectorAll('.wall-fit *')) {
      if (element.closest('.unseen, svg')) continue;
      const { right, bottom } = element.getBoundingClientRect();
      if (right > innerWidth + 0.5 || bottom > innerHeight + 0.5) found.push('outside ' + said(element));
      const isInline = getComputedStyle(element).display === 'inline';
      if (!isInline && element.scrollWidth > element.clientWidth + 1) found.push('too wide ' + said(element));
    }
    for (const element of document.querySelectorAll('.wall-inside, .wall-name, .wall-well li')) {
      const places = [...element.children].map((child) => child.getBoundingClientRect());
      places.push({ left: element.getBoundingClientRect().right + 1 });
      places.forEach(({ left }, index) => index > 0 && left < places[index - 1].right && found.push('over it ' + said(element)));
    }
    return found.slice(0, 5);
  })()`) as Promise<string[]>;
}

/** The type size, as a share of the window's height. */
function typeShare(page: Page): Promise<number> {
  return page.evaluate(
    `parseFloat(getComputedStyle(document.querySelector('.wall-fit')).fontSize) / innerHeight`,
  ) as Promise<number>;
}

/** The classes of elements that have a state colour. */
const coloured = `(() => {
  const probe = document.body.appendChild(document.createElement('i'));
  const colours = new Set(['ok', 'run', 'run-bg', 'run-line', 'bad', 'bad-bg'].map((name) => {
    probe.style.color = 'var(--' + name + ')';
    return getComputedStyle(probe).color;
  }));
  probe.remove();
  const worn = ({ color, backgroundColor, fill, stroke }) => [color, backgroundColor, fill, stroke];
  return [...document.querySelectorAll('.wall *')]
    .filter((element) => worn(getComputedStyle(element)).some((colour) => colours.has(colour)))
    .map((element) => element.getAttribute('class') ?? element.tagName);
})()`;

const headline = (page: Page) => page.locator('.wall h1').innerText();

inBrowser('the wall', (open) => {
  test('the wall shows 10, 100 and 500 services at three sizes without truncated words, and changes pages', async () => {
    const dashboard = await testDashboard();
    await postFleet(dashboard, 0, 10);
    const page = await open(dashboard.url);
    await page.clock.install();
    await page.goto(`${dashboard.url}?quiet=1`);
    await isLive(page);
    expect(await headline(page)).toBe(`${fleetName(0)} failed in prod`);
    for (const [before, count] of [
      [10, 10],
      [10, 100],
      [100, 500],
    ] as const) {
      await postFleet(dashboard, before, count);
      const well = () => page.locator('.wall-well h2').innerText();
      await expect.poll(async () => Number.parseInt(await well(), 10)).toBe(count - notWellOf(count));
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height });
        await page.evaluate('new Promise(requestAnimationFrame)');
        await expect
          .poll(() => typeShare(page), { message: `${count} at ${height}` })
          .toBeGreaterThanOrEqual(0.0185 - 1e-6);
        await expect.poll(() => misfits(page)).toEqual([]);
        expect(await typeShare(page), `${count} at ${height}`).toBeLessThanOrEqual(0.05);
      }
    }
    expect(await headline(page)).toMatch(/^\d+ failed in prod$/);

    // Each unhealthy service is on a page, and failures in production are on every page. The page's time stands still,
    // but facts of the service may still arrive and move a deployment that is slow or stuck to an earlier page. It is seen
    // in the next round at the latest.
    await page.clock.setFixedTime((await page.evaluate('Date.now()')) as number);
    const place = () => page.locator('.wall-now').innerText();
    const pageShown = async () => (await place()).match(/(\d+) of \d+/)?.[1];
    await page.keyboard.press(' ');
    await expect.poll(place).toMatch(/\d of \d+ ‖$/);
    const count = Number((await place()).match(/of (\d+)/)?.[1]);
    expect(count).toBeGreaterThan(1);
    const seen = new Set<string>();
    const names = () => page.evaluate(`[...document.querySelectorAll('.wall tbody th')].map(({ title }) => title)`);
    for (let turned = 0; turned < count || (seen.size < notWellOf(500) && turned < 3 * count); turned += 1) {
      const onPage = (await names()) as string[];
      expect(onPage[0]).toBe(fleetName(0));
      for (const name of onPage) seen.add(name);
      expect(await misfits(page)).toEqual([]);
      const before = await pageShown();
      await page.keyboard.press('ArrowRight');
      await expect.poll(pageShown).toBe(String((Number(before) % count) + 1));
    }
    expect(seen.size).toBe(notWellOf(500));
    await page.keyboard.press(' ');
    await expect.poll(place).not.toContain('‖');
    const before = await pageShown();
    await page.clock.runFor(12_000);
    await expect.poll(pageShown).not.toBe(before);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('the wall follows filters and teams, keeps the screen awake, and closes on a key', async () => {
    const file = join(await testFolder(), 'catalog.yaml');
    await writeFile(file, 'services: [{ name: "orders-*", team: orders }]\n');
    const dashboard = await testDashboard({ catalogFile: file });
    const post = (service: string, environment: string, status: 'success' | 'failure') =>
      dashboard.post({ service, environment, version: '1.2.3', status }, 30);
    for (const service of ['orders-api', 'search-api']) {
      for (const environment of ['dev', 'prod']) await post(service, environment, 'success');
    }
    const page = await open(dashboard.url);
    await page.addInitScript(`{
      window.locks = 0;
      navigator.wakeLock.request = async () => { window.locks += 1; return { release: async () => {} }; };
    }`);
    await page.goto(`${dashboard.url}?quiet=1&teams=orders`);
    await isLive(page);
    expect(await headline(page)).toBe('prod is healthy');
    await expect
      .poll(() => page.locator('.wall-well li').allInnerTexts())
      .toEqual([expect.stringContaining('orders-api')]);
    await expect.poll(() => page.locator('.wall-sub').innerText()).toContain('only team orders');
    await post('search-api', 'prod', 'failure');
    await post('orders-api', 'dev', 'failure');
    await page.locator('.wall-cell.bad').waitFor();
    await expect.poll(() => page.locator('.wall tbody th').allInnerTexts()).toEqual(['orders-api']);
    expect(await headline(page)).toBe('prod is healthy');
    await expect.poll(() => page.locator('.wall-sub').innerText()).toContain('1 failed elsewhere');

    expect(await page.evaluate('window.locks')).toBe(1);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await page.evaluate('window.locks')).toBe(2);
    await page.getByRole('link', { name: 'Leave the wall' }).waitFor();
    const opacity = () => page.evaluate(`getComputedStyle(document.querySelector('.wall-way-out')).opacity`);
    expect(await opacity()).toBe('0');
    await page.mouse.move(10, 10);
    await expect.poll(opacity).toBe('1');
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByLabel(/^Filter by service/).waitFor();
    expect(new URL(page.url()).search).toBe('?teams=orders');
    await page.locator('summary', { hasText: 'Display' }).click();
    await page.getByRole('button', { name: 'Wall' }).click();
    await expect.poll(() => headline(page)).toBe('prod is healthy');
  });

  test('a window that is too narrow for the wall links to the grid', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({});
    const page = await open(`${dashboard.url}?layout=wall`, { width: 390 });
    await page.getByRole('heading', { name: 'The wall needs a wider screen' }).waitFor();
    expect(await page.locator('.wall-cell').count()).toBe(0);
    await page.getByRole('link', { name: 'Use the grid' }).click();
    await page.locator('.phone').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('the wall shows an outage in large type, its duration and the time of the board', async () => {
    const dashboard = await testDashboard();
    await postFleet(dashboard, 0, 31);
    const page = await open(dashboard.url, { expectedLines });
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.clock.install();
    await page.goto(`${dashboard.url}?quiet=1`);
    await isLive(page);
    expect(await page.evaluate(coloured)).not.toEqual([]);
    await dashboard.service.stop();
    await page.locator('.live.bad').waitFor();
    await page.clock.fastForward(6 * 60_000);
    await page.locator('.wall.outage').waitFor();
    expect(await headline(page)).toMatch(/^No response from Shiplog for ([6-9]|\d\d) min$/);
    await expect
      .poll(() => page.locator('.wall-sub').innerText())
      .toMatch(/The board below is from \d\d:\d\d\. It may be out of date/);
    await expect.poll(() => page.locator('.wall-now').innerText()).toMatch(/^\d\d:\d\d\s+board of \d\d:\d\d$/);
    await expect
      .poll(() => page.locator('.wall-cell.bad .wall-label').allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringMatching(/^at \d\d:\d\d$/)]));
    await expect.poll(() => page.locator('.wall-cell.run .wall-label').allInnerTexts()).toEqual(['unknown']);
    await expect.poll(() => page.locator('.wall-well h2').innerText()).toMatch(/were healthy/);
    expect(await page.evaluate(coloured)).toEqual([]);
    expect(await misfits(page)).toEqual([]);
    expect(await axeViolations(page)).toEqual([]);
    await restarted(dashboard);
    await isLive(page);
    expect(await headline(page)).toBe(`${fleetName(0)} failed in prod`);
  });
});
