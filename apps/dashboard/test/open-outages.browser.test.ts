import { clientOf } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, openBoard } from './support/dashboard.ts';

inBrowser('outages on the board', (open) => {
  test('an outage appears at once on its cell and in attention with its suspect, and disappears when it is resolved', async () => {
    const { page, dashboard } = await openBoard(open);
    await isLive(page);
    const client = clientOf(dashboard.url);
    const report = (state: 'opened' | 'resolved', more = {}) =>
      client.appendOutage({
        body: {
          ...{ source: 'pager', outage_id: 'INC-7', state, happened_at: new Date().toISOString() },
          ...{ services: ['billing'], environments: ['prod'], title: 'Invoices are missing', ...more },
        },
      });
    await dashboard.post({ service: 'billing', environment: 'prod', version: '9.9.1', status: 'success' });
    await report('opened');
    const icon = cell(page, 'billing', 'prod').locator('.notice-icon');
    await expect
      .poll(() => icon.getAttribute('title'))
      .toMatch(/^outage .*, suspected: 9\.9\.1: Invoices are missing$/);
    const item = page.locator('.need.outage');
    await expect.poll(() => item.innerText()).toMatch(/outage .*, suspected: 9\.9\.1/);
    expect(await item.getAttribute('title')).toBe('Invoices are missing');
    await expect.poll(() => page.locator('.attention').innerText()).toContain('1 outage');
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await report('resolved');
    await expect.poll(() => icon.count()).toBe(0);
    await expect.poll(() => item.count()).toBe(0);
  });
});
