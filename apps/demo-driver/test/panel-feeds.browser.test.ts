import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { deployed, live, openPanel, reported, resetId, rows, rowWith } from './support/panel.ts';
import { routes } from './support/upstream.ts';

const correlation = '4f6d2c1e-0b7a-4a55-9d0e-7c1f52b8a9d3';

inBrowser('the feeds of the driver panel', (open) => {
  test('at most ten deployments are listed, newest first, each beginning with its version', async () => {
    const { page, upstream } = await openPanel(open);
    await page.getByText('No deployments yet').waitFor();
    for (let index = 1; index <= 12; index += 1) await deployed(upstream, { version: `1.0.${index}`, actor: 'alice' });
    await rowWith(page, 'deployments', '1.0.12');
    const shown = await rows(page, 'deployments');
    expect(shown).toHaveLength(10);
    expect(shown[0]).toMatch(/^1\.0\.12\s+payments-api in staging succeeded by alice/);
    expect(shown[9]).toMatch(/^1\.0\.3\b/);
  });

  test.each([
    ['in-progress', 'running', 'run'],
    ['success', 'succeeded', 'ok'],
    ['failure', 'failed', 'bad'],
    ['waiting', 'waiting', 'pause'],
    ['not-yet-known', 'not-yet-known', 'dot'],
  ])('the status %s is shown as the word %s and a mark', async (status, word, mark) => {
    const { page, upstream } = await openPanel(open);
    await deployed(upstream, { status, version: '1.4.2' });
    await page.locator(`#deployments > li.${mark} svg`).waitFor();
    expect(await rows(page, 'deployments')).toEqual([expect.stringContaining(word)]);
  });

  test('a run is linked only if its address is http or https', async () => {
    const { page, upstream } = await openPanel(open);
    await deployed(upstream, { version: '1', run_url: 'https://ci.example.com/runs/1' });
    await deployed(upstream, { version: '2', run_url: 'javascript:document.title="hit"' });
    await deployed(upstream, { version: '3', run_url: 'data:text/html,hit' });
    await rowWith(page, 'deployments', '3');
    const links = page.locator('#deployments a');
    expect(await links.count()).toBe(1);
    expect(await links.getAttribute('href')).toBe('https://ci.example.com/runs/1');
    expect(await links.getAttribute('rel')).toBe('noreferrer');
  });

  test('control frames and component events share a feed, which can be filtered by correlation id', async () => {
    const { page, upstream } = await openPanel(open);
    await reported(upstream, { event_type: 'heartbeat' });
    await reported(upstream, { detail: 'polling', correlation_id: correlation });
    await upstream.tell('reset-started', resetId);
    await rowWith(page, 'events', 'polling');
    await rowWith(page, 'events', 'reset-started');
    await rowWith(page, 'events', 'heartbeat');
    const chip = page.getByRole('button', { name: 'b8a9d3: only this correlation' });
    await chip.click();
    expect(await rows(page, 'events')).toEqual([expect.stringContaining('polling')]);
    await page.getByText(correlation).waitFor();
    await chip.click();
    expect(await rows(page, 'events')).toHaveLength(3);
    await chip.click();
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await rows(page, 'events')).toHaveLength(3);
  });

  test('the heartbeats of a component share one row with their count', async () => {
    const { page, upstream } = await openPanel(open);
    await reported(upstream, { detail: 'polling' });
    for (let beat = 0; beat < 25; beat += 1) {
      await reported(upstream, { event_type: 'heartbeat', correlation_id: beat === 24 ? correlation : null });
      if (beat === 3) await reported(upstream, { event_type: 'heartbeat', component_id: 'web-fetcher', state: 'idle' });
    }
    await reported(upstream, { event_type: 'error', detail: 'away' });
    await rowWith(page, 'events', 'away');
    const shown = [
      expect.stringMatching(/^error/),
      expect.stringMatching(/^heartbeat\s+dashboard-fetcher · running · 25 times/),
      expect.stringMatching(/^heartbeat\s+web-fetcher · idle\s/),
      expect.stringContaining('polling'),
    ];
    expect(await rows(page, 'events')).toEqual(shown);
    await page.reload();
    await live(page);
    expect(await rows(page, 'events')).toEqual(shown);
    await reported(upstream, { event_type: 'heartbeat' });
    await rowWith(page, 'events', '26 times');
    expect(await rows(page, 'events')).toHaveLength(4);
  });

  test('rate limits have a card per adapter, show unknown values as unknown, and are not listed as events', async () => {
    const { page, upstream } = await openPanel(open);
    const full = { adapter: 'github-actions', ci_limit: 5000, ci_remaining: 3719, own_budget: 1500, own_used: 412 };
    const event_type = 'rate-limit';
    await reported(upstream, { event_type, payload: { ...full, reset_at: '2026-05-04T10:00:00Z' } });
    const nothing = { ci_limit: null, ci_remaining: null, own_budget: null, own_used: null, reset_at: null };
    await reported(upstream, { event_type, payload: { adapter: 'gitlab-ci', ...nothing } });
    await reported(upstream, { event_type, payload: { ...full, own_used: 413, reset_at: null } });
    const github = page.getByRole('region', { name: 'Rate limit of github-actions' });
    await github.getByText('413 of 1,500').waitFor();
    await github.getByText('3,719 of 5,000').waitFor();
    expect(await github.getByRole('meter').getAttribute('value')).toBe('413');
    const gitlab = page.getByRole('region', { name: 'Rate limit of gitlab-ci' });
    expect(await gitlab.getByText('unknown').count()).toBe(3);
    expect(await gitlab.getByRole('meter').count()).toBe(0);
    expect(await page.locator('#limits button').count()).toBe(0);
    expect(await rows(page, 'events')).toEqual([]);
  });

  test('the rows survive a reload, and can be cleared permanently', async () => {
    const { page, upstream } = await openPanel(open);
    await deployed(upstream, { version: '1.4.2' });
    await reported(upstream, { detail: 'polling' });
    await rowWith(page, 'deployments', '1.4.2');
    await rowWith(page, 'events', 'polling');
    await page.reload();
    await rowWith(page, 'deployments', '1.4.2');
    await rowWith(page, 'events', 'polling');
    await page.getByRole('button', { name: 'Clear list' }).first().click();
    await page.reload();
    await rowWith(page, 'events', 'polling');
    await page.getByText('No deployments yet').waitFor();
  });

  test.each([
    'no JSON {',
    '{"items":1}',
    '[null,1,"<b>",{},{"service":"x"},{"kind":"constructor","data":{}},{"kind":"posted"}]',
  ])('broken storage is ignored: %s', async (text) => {
    const { page, upstream } = await openPanel(open);
    await page.evaluate(
      `for (const feed of ['deployments', 'events']) localStorage.setItem('shiplog-driver-' + feed, ${JSON.stringify(text)})`,
    );
    await page.reload();
    await live(page);
    expect((await rows(page, 'deployments')).length).toBe(0);
    await deployed(upstream, { version: '1.4.2' });
    await rowWith(page, 'deployments', '1.4.2');
  });

  test('a second tab shares the feeds of the first', async () => {
    const { page, upstream, driver } = await openPanel(open);
    const second = await page.context().newPage();
    await second.goto(`${driver.url}/demo/`);
    await live(second);
    await deployed(upstream, { version: '1.4.2' });
    await rowWith(page, 'deployments', '1.4.2');
    await rowWith(second, 'deployments', '1.4.2');
    expect(upstream.of(routes.deployments)).toHaveLength(1);
  });

  test('a stream that ends is reconnected', async () => {
    const { page, upstream } = await openPanel(open, { expectedLines: /502|ERR_/ });
    upstream.end(routes.deployments);
    await page.locator('#live', { hasText: 'reconnecting: deployments' }).waitFor();
    await live(page);
    await deployed(upstream, { version: '1.4.2' });
    await rowWith(page, 'deployments', '1.4.2');
  });
});
