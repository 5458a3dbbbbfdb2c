import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { deployed, openPanel, reported, resetId, rowWith } from './support/panel.ts';
import { answers, routes } from './support/upstream.ts';

inBrowser('the reset in the driver panel', (open) => {
  test('is asked for twice, and can be left at the second time', async () => {
    const { page, upstream } = await openPanel(open);
    await page.getByRole('button', { name: 'Reset the service…' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await page.locator('#reset-question').isVisible()).toBe(false);
    expect(upstream.of(routes.reset)).toHaveLength(0);
    await page.getByRole('button', { name: 'Reset the service…' }).click();
    await page.getByRole('button', { name: 'Clear everything' }).click();
    await upstream.until(() => upstream.of(routes.reset).length === 1);
  });

  test('dims the controls until it ends, shows each step and who has paused, and leaves the feeds live', async () => {
    const { page, upstream } = await openPanel(open, { emulator: true });
    await page.locator('#emulator').waitFor();
    await upstream.tell('reset-initiated', resetId);
    for (const card of ['ingest', 'emission', 'emulator']) await page.locator(`#${card}[inert]`).waitFor();
    await page.getByText(/The controls come back when it ends, in \d+ s at the latest/).waitFor();
    await page.locator('#reset-state', { hasText: 'draining' }).waitFor();
    expect(await page.locator('#reset-button').getAttribute('aria-disabled')).toBe('true');
    const ack = { event_type: 'reset-ack', state: 'paused', correlation_id: resetId };
    await reported(upstream, ack);
    await page.locator('#reset-steps').getByText('dashboard-fetcher has paused').waitFor();
    await deployed(upstream, { version: '1.4.2' });
    await rowWith(page, 'deployments', '1.4.2');

    await upstream.tell('reset-started', '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e56', resetId);
    await page.locator('#reset-state', { hasText: 'clearing' }).waitFor();
    await upstream.tell('reset-completed', '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e57', resetId);
    await page.locator('#reset-state', { hasText: 'done' }).waitFor();
    await page.locator('#ingest:not([inert])').waitFor();
    expect(await page.locator('#blocked').isVisible()).toBe(false);
  });

  test('that was aborted says that nothing was cleared', async () => {
    const { page, upstream } = await openPanel(open);
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#ingest[inert]').waitFor();
    await upstream.tell('reset-aborted', '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e58', resetId);
    await page.locator('#reset-steps').getByText('Nothing was cleared.').waitFor();
    await page.locator('#ingest:not([inert])').waitFor();
  });

  test('that is under way when the page is opened dims the controls as well', async () => {
    const { page, upstream } = await openPanel(open);
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#ingest[inert]').waitFor();
    await page.reload();
    await page.locator('#ingest[inert]').waitFor();
    await page.locator('#reset-state', { hasText: 'draining' }).waitFor();
  });

  test('gives the keyboard its place back when it is over', async () => {
    const { page, upstream } = await openPanel(open);
    await page.locator('#ingest-delay').focus();
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#blocked:focus').waitFor();
    await upstream.tell('reset-completed', '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e57', resetId);
    await page.locator('#ingest-delay:focus').waitFor();
  });

  test.each([
    [401, 'Check CONTROL_API_KEY'],
    [404, 'the mock has none'],
    [409, 'Another reset is under way'],
    [500, 'The service answered 500'],
  ])('that the service refuses with %i says what to try', async (status, words) => {
    const { page, upstream } = await openPanel(open);
    upstream.script(routes.reset, answers(status, '{}'));
    await page.getByRole('button', { name: 'Reset the service…' }).click();
    await page.getByRole('button', { name: 'Clear everything' }).click();
    await page.getByRole('alert').getByText(words).waitFor();
  });
});
