import { inGroups } from '@shiplog/testing';
import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { besideText, cell, isLive, testDashboard } from './support/dashboard.ts';
import { holder } from './support/memory.ts';

const areas = ['billing', 'catalog', 'checkout', 'identity', 'orders', 'payments', 'search', 'shipping'];
const services = Array.from({ length: 400 }, (_, index) => `${areas[index % areas.length]}-${index}`);
const environments = Array.from({ length: 23 }, (_, index) => `region-${String(index).padStart(2, '0')}`);
const [environment = ''] = environments;
/** One service per group. All of them fail, so all are visible. */
const failing = services.slice(0, 3);
const shareEvents = 50;

inBrowser('the memory of a board of 400 services', (open) => {
  test('the memory of a board stays constant while events are rendered, even after the whole page is rendered again', async () => {
    const dashboard = await testDashboard();
    await inGroups(services, (service) => dashboard.post({ service, environment }, 100));
    await inGroups(environments, (name) => dashboard.post({ service: services[0] ?? '', environment: name }, 90));
    await inGroups(failing, (service) => dashboard.post({ service, environment, status: 'failure' }, 80));
    const page = await open(dashboard.url);
    await isLive(page);
    // A change of the address renders the page from its root.
    await cell(page, failing[0] ?? '', environment).click(besideText);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const hold = await holder(page);
    // Each event is rendered before the next one is posted.
    const drawShare = async (share: number) => {
      for (let number = 0; number < shareEvents; number += 1) {
        const service = failing[number % failing.length] ?? '';
        const version = `2.${share}.${number}`;
        await dashboard.post({ service, environment, version, status: 'failure' });
        await cell(page, service, environment).filter({ hasText: version }).waitFor();
      }
      return hold();
    };
    await drawShare(0);
    let before = await drawShare(1);
    const growths: number[] = [];
    for (const share of [2, 3, 4]) {
      const after = await drawShare(share);
      growths.push((after.heapBytes - before.heapBytes) / shareEvents);
      before = after;
    }
    // A leak adds memory during every share of the events, but compiled code or an enlarged table only during one.
    expect(Math.min(...growths), `bytes per event, of ${growths.join(', ')}`).toBeLessThan(5000);
  });
});
