import { nilId, resetExpectedComponents } from '@shiplog/contract';
import { answers } from '@shiplog/testing';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { deployed, openPanel, reported, resetId, rows, rowWith } from './support/panel.ts';
import { routes } from './support/upstream.ts';

const startedId = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e56';
const endedId = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e57';

/** For each visible control that would post, whether it is disabled. */
function disabled(page: Page): Promise<boolean[]> {
  const controls = page.locator('#ingest, #emission, #emulator, #reset').locator('input, select, button');
  return controls.filter({ visible: true }).evaluateAll((all) => all.map((control) => control.matches(':disabled')));
}

async function steps(page: Page): Promise<string[]> {
  const texts = await page.locator('#reset-steps li').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' '));
}

inBrowser('the reset in the driver panel', (open) => {
  test('needs a confirmation, which can be declined', async () => {
    const { page, upstream } = await openPanel(open);
    await page.getByRole('button', { name: 'Reset the service…' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await page.locator('#reset-question').isVisible()).toBe(false);
    expect(upstream.of(routes.reset)).toHaveLength(0);
    await page.getByRole('button', { name: 'Reset the service…' }).click();
    await page.getByRole('button', { name: 'Clear everything' }).click();
    await upstream.until(() => upstream.of(routes.reset).length === 1);
  });

  test('disables every control until it ends, and then enables only those that were enabled before', async () => {
    const { page, upstream } = await openPanel(open, { emulator: true });
    await page.locator('#emulator').waitFor();
    const free = await disabled(page);
    expect(free.length).toBeGreaterThan(8);
    expect(free).not.toContain(true);
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#ingest[inert]').waitFor();
    expect(await disabled(page)).toEqual(free.map(() => true));
    await upstream.tell('reset-completed', endedId, resetId);
    await page.locator('#ingest:not([inert])').waitFor();
    expect(await disabled(page)).toEqual(free);
    expect(await page.locator('#ingest-count').isDisabled()).toBe(true);
  });

  test('shows emission as off at once', async () => {
    const { page, upstream } = await openPanel(open);
    await page.getByRole('switch', { name: 'Live emission' }).click();
    await page.locator('#emission-switch[aria-checked=true]').waitFor();
    // Records the content of the page when it first shows that it is blocked.
    await page.evaluate(`new MutationObserver(() => {
      document.title = document.getElementById('emission-switch').ariaChecked;
    }).observe(document.getElementById('blocked'), { attributes: true })`);
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#ingest[inert]').waitFor();
    expect(await page.title()).toBe('false');
  });

  test('lists the components that it waits for, those awaited by default and those seen, until they have paused', async () => {
    const { page, upstream } = await openPanel(open);
    await reported(upstream, {
      component_id: 'web-fetcher',
      event_type: 'heartbeat',
      received_at: new Date().toISOString(),
    });
    await rowWith(page, 'events', 'web-fetcher');
    // Components seen before a reload are still known after it.
    await page.reload();
    await page.locator('#live', { hasText: /^live$/ }).waitFor();
    await upstream.tell('reset-initiated', resetId);
    // The driver may report that it is blocked before the frame with the reason has arrived.
    await expect
      .poll(() => steps(page))
      .toEqual([
        ...resetExpectedComponents.map((name) => `Waiting for ${name} · no report seen`),
        expect.stringMatching(/^web-fetcher has not paused · last report (now|\d+ s)/),
        expect.stringMatching(/^Components are pausing\. /),
      ]);
    await page.locator('#reset').getByText('RESET_EXPECTED_COMPONENTS').waitFor();
    const ack = { event_type: 'reset-ack', state: 'paused', correlation_id: resetId };
    await reported(upstream, { ...ack, component_id: 'web-fetcher' });
    await reported(upstream, { ...ack, component_id: 'demo-driver', correlation_id: nilId });
    await reported(upstream, { ...ack, component_id: 'dashboard-fetcher' });
    await page.locator('#reset-steps').getByText('dashboard-fetcher has paused').waitFor();
    expect(await steps(page)).toEqual([
      'web-fetcher has paused',
      'dashboard-fetcher has paused',
      expect.stringMatching(/^Waiting for demo-driver · last report /),
      expect.stringMatching(/^Components are pausing\. /),
    ]);
    await upstream.tell('reset-started', startedId, resetId);
    await page.locator('#reset-state', { hasText: 'clearing' }).waitFor();
    expect(await page.locator('#reset-steps').getByText('Waiting').count()).toBe(0);
    expect(await page.locator('#reset').getByText('RESET_EXPECTED_COMPONENTS').isVisible()).toBe(false);
  });

  test('removes cleared deployments from the list permanently, and leaves later ones', async () => {
    const { page, upstream } = await openPanel(open);
    await deployed(upstream, { version: '1.0.0', id: '019c5d1e-3f98-7000-9b1d-7f0f3a1c2e55' });
    await deployed(upstream, { version: '1.0.1' });
    await deployed(upstream, { version: '2.0.0', id: '019c5d1e-3fff-7000-9b1d-7f0f3a1c2e55' });
    await rowWith(page, 'deployments', '2.0.0');
    await upstream.tell('reset-initiated', resetId);
    await upstream.tell('reset-aborted', endedId, resetId);
    await page.locator('#reset-state', { hasText: 'aborted' }).waitFor();
    expect(await rows(page, 'deployments')).toHaveLength(3);
    await upstream.tell('reset-initiated', startedId);
    await upstream.tell('reset-completed', endedId, startedId);
    await page.locator('#reset-state', { hasText: 'done' }).waitFor();
    expect(await rows(page, 'deployments')).toEqual([expect.stringContaining('2.0.0')]);
    await page.reload();
    await rowWith(page, 'deployments', '2.0.0');
    expect(await rows(page, 'deployments')).toHaveLength(1);
  });

  test('dims the controls until it ends, shows each step and paused component, and leaves the feeds live', async () => {
    const { page, upstream } = await openPanel(open, { emulator: true });
    await page.locator('#emulator').waitFor();
    await upstream.tell('reset-initiated', resetId);
    for (const card of ['ingest', 'emission', 'emulator']) await page.locator(`#${card}[inert]`).waitFor();
    await page.getByText(/The controls come back when it ends, in \d+ s at the latest/).waitFor();
    await page.locator('#reset-state', { hasText: 'draining' }).waitFor();
    const ack = { event_type: 'reset-ack', state: 'paused', correlation_id: resetId };
    await reported(upstream, ack);
    await page.locator('#reset-steps').getByText('dashboard-fetcher has paused').waitFor();
    await deployed(upstream, { version: '1.4.2' });
    await rowWith(page, 'deployments', '1.4.2');

    await upstream.tell('reset-started', startedId, resetId);
    await page.locator('#reset-state', { hasText: 'clearing' }).waitFor();
    await upstream.tell('reset-completed', endedId, resetId);
    await page.locator('#reset-state', { hasText: 'done' }).waitFor();
    await page.locator('#ingest:not([inert])').waitFor();
    expect(await page.locator('#blocked').isVisible()).toBe(false);
  });

  test('shows that nothing was cleared if it is aborted', async () => {
    const { page, upstream } = await openPanel(open);
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#ingest[inert]').waitFor();
    await upstream.tell('reset-aborted', '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e58', resetId);
    await page.locator('#reset-steps').getByText('Nothing was cleared.').waitFor();
    await page.locator('#ingest:not([inert])').waitFor();
  });

  test('also dims the controls if it began before the page was opened', async () => {
    const { page, upstream } = await openPanel(open);
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#ingest[inert]').waitFor();
    await page.reload();
    await page.locator('#ingest[inert]').waitFor();
    await page.locator('#reset-state', { hasText: 'draining' }).waitFor();
    // The page can't know which components had paused before it was opened.
    expect(await steps(page)).toEqual([
      expect.stringMatching(/^Components are pausing\. /),
      'Components that paused before this page was opened are unknown.',
    ]);
  });

  test('returns the focus to the button that started it', async () => {
    const { page, upstream } = await openPanel(open);
    await page.locator('#reset-button').focus();
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#blocked:focus').waitFor();
    await upstream.tell('reset-completed', endedId, resetId);
    await page.locator('#reset-button:focus').waitFor();
  });

  test('returns the focus when it ends', async () => {
    const { page, upstream } = await openPanel(open);
    await page.locator('#ingest-delay').focus();
    await upstream.tell('reset-initiated', resetId);
    await page.locator('#blocked:focus').waitFor();
    await upstream.tell('reset-completed', endedId, resetId);
    await page.locator('#ingest-delay:focus').waitFor();
  });

  test.each([
    [401, 'Check CONTROL_API_KEY'],
    [404, 'the mock can’t'],
    [409, 'Another reset is in progress'],
    [500, 'The service answered 500'],
  ])('says what to try after a refusal with %i', async (status, words) => {
    const { page, upstream } = await openPanel(open);
    upstream.script(routes.reset, answers(status, '{}'));
    await page.getByRole('button', { name: 'Reset the service…' }).click();
    await page.getByRole('button', { name: 'Clear everything' }).click();
    await page.getByRole('alert').getByText(words).waitFor();
  });
});
