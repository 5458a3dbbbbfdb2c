import { clientOf } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { day, log, openAnalytics, part } from './support/analytics.ts';

const production = '?view=analytics&environment=prod&range=7d';
const at = (daysAgo: number, time: string) => `${day(daysAgo).toISOString().slice(0, 10)}T${time}:00Z`;

inBrowser('outages on the analytics page', (open) => {
  test('what broke is next to the four keys, each figure with its evidence', async () => {
    const { page, dashboard } = await openAnalytics(open, log, production);
    const outages = part(page, 'Outages');
    await expect.poll(() => outages.innerText()).toContain('No outage opened in this period.');
    const client = clientOf(dashboard.url);
    const report = (outage_id: string, state: 'opened' | 'resolved', happened_at: string, more = {}) =>
      client.appendOutage({
        body: { source: 'pager', outage_id, state, happened_at, environments: ['prod'], ...more },
      });
    // a-3 succeeded at 12:12, b-2 at 09:30.
    const named = { services: ['shop'], caused_by: { deployment_id: 'a-3' } };
    await report('INC-1', 'opened', at(5, '12:20'), named);
    await report('INC-1', 'resolved', at(5, '12:50'));
    await report('INC-2', 'opened', at(4, '10:00'), { services: ['shop'] });
    await report('INC-3', 'opened', at(3, '10:00'), { services: [] });
    await page.reload();
    await expect
      .poll(() => outages.innerText())
      .toContain('3 outages opened: 1 with a named cause, 1 with a suspect, 1 without a deployment.');
    const value = (title: string) => part(page, title).locator('.value').innerText();
    expect(await value('Changes that broke something')).toMatch(/^50 %/);
    expect(await value('Length of outages')).toMatch(/^30 min/);
    expect(await value('Time to detect')).toMatch(/^8 min/);
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);

    await part(page, 'Changes that broke something').locator('button.value').click();
    const evidence = page.getByRole('dialog', { name: 'Evidence: Changes that broke something' });
    await expect.poll(() => evidence.innerText()).toContain('caused an outage');
    expect(await evidence.innerText()).toContain('only suspected');
    expect(await evidence.innerText()).toContain('pager INC-1');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
    await page.keyboard.press('Escape');
    await part(page, 'Length of outages').locator('button.value').click();
    const lengths = page.getByRole('dialog', { name: 'Evidence: Length of outages' });
    await expect.poll(() => lengths.innerText()).toContain('The only time: 30 min.');
    await lengths.getByRole('button', { name: /^Left out/ }).click();
    await expect.poll(() => lengths.innerText()).toMatch(/pager INC-3\s+Still open/);
    expect(new URL(page.url()).searchParams.get('evidence')).toBe('time_to_restore_observed');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
  });
});
