import { clientOf } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, isLive, testDashboard } from './support/dashboard.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const spite = 'Deployed despite a freeze';

inBrowser('deployments that breach a hold', (open) => {
  test('the history, the changes, a release and the evidence mark the deployment, and no other', async () => {
    const dashboard = await testDashboard();
    const client = clientOf(dashboard.url);
    const post = (deployment_id: string, version: string, status: 'in-progress' | 'success', minutes: number) =>
      dashboard.post({
        deployment_id,
        service: 'billing',
        environment: 'prod',
        version,
        status,
        happened_at: at(minutes),
      });
    await post('d-1', '1.0.0', 'in-progress', -120);
    await post('d-1', '1.0.0', 'success', -110);
    await client.makeHold({
      body: {
        kind: 'freeze',
        services: ['*'],
        environments: ['prod'],
        from: at(-4),
        until: at(60),
        reason: 'Christmas',
      },
    });
    await post('d-2', '1.1.0', 'in-progress', -3);
    await post('d-2', '1.1.0', 'success', -1);
    const marks = (page: Page, rows: string) => page.locator(rows).filter({ has: page.locator('.breach') });
    let asked = 0;
    const page = await open(dashboard.url);
    page.on('request', (request) => {
      if (request.url().includes('/api/holds/breaches')) asked += 1;
    });
    await isLive(page);

    await cell(page, 'billing', 'prod').click();
    // Only the event with which the deployment began.
    const events = marks(page, '[role=dialog] .event-line');
    await expect.poll(() => events.count()).toBe(1);
    expect(await events.innerText()).toMatch(/running[\s\S]*1\.1\.0/);
    expect(await events.locator('.notice-icon').getAttribute('title')).toBe(spite);
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);

    // An idle page sends no more requests.
    const before = asked;
    const frames = `new Promise((done) => { let left = 60; const next = () => (left-- > 0 ? requestAnimationFrame(next) : done()); next(); })`;
    await page.evaluate(frames);
    expect(asked).toBe(before);

    await page.goto(`${dashboard.url}?view=changes&environment=*`);
    const changes = marks(page, '.change');
    await expect.poll(() => changes.count()).toBe(1);
    expect(await changes.innerText()).toContain('1.1.0');
    expect(await changes.locator('.breach .unseen').textContent()).toBe(spite);
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);

    await page.goto(`${dashboard.url}?view=releases&service=billing&release=1.1.0`);
    const happened = marks(page, '.release-parts tr');
    await expect.poll(() => happened.count()).toBe(1);
    expect(await happened.innerText()).toContain('running');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);

    await page.goto(`${dashboard.url}?view=analytics&environment=prod&range=7d&evidence=deployment_frequency`);
    const items = marks(page, '.evidence-items li');
    await expect.poll(() => items.count()).toBe(1);
    await expect.poll(() => items.innerText()).toContain('1.1.0');
    expect([await axeViolations(page), await overflow(page)]).toEqual([[], 0]);
  });
});
