import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { deployed, type OpenPanel, openPanel, reported, resetId, rowWith } from './support/panel.ts';
import { routes } from './support/upstream.ts';

const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const reversed = '\u202egnp.exe\u0007\u2066';

/** Fills every part of the page. */
async function fillPage({ page, upstream }: OpenPanel): Promise<void> {
  await upstream.tell('reset-completed', resetId);
  await rowWith(page, 'events', 'reset-completed');
  for (const status of ['success', 'in-progress', 'failure', 'queued', 'waiting', 'cancelled', 'rejected']) {
    await deployed(upstream, { status, version: '1.4.2', run_url: 'https://ci.example.com/1', actor: 'alice' });
  }
  const limits = { ci_limit: 5000, ci_remaining: 10, own_budget: 100, own_used: 99, reset_at: null };
  await reported(upstream, { event_type: 'rate-limit', payload: { adapter: 'github-actions', ...limits } });
  await reported(upstream, { event_type: 'error', state: 'error', detail: 'away', correlation_id: resetId });
  await rowWith(page, 'deployments', 'rejected');
  await rowWith(page, 'events', 'away');
  await page.getByRole('button', { name: 'Reset the service…' }).click();
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(`${selector}:focus`).count()) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

inBrowser('accessibility of the driver panel', (open) => {
  test.each(['light', 'dark'] as const)(
    'axe finds no violation in the %s theme: empty, full and dimmed',
    async (colorScheme) => {
      const panel = await openPanel(open, { colorScheme, emulator: true });
      await panel.page.locator('#emulator').waitFor();
      expect(await axeViolations(panel.page)).toEqual([]);
      await fillPage(panel);
      expect(await axeViolations(panel.page)).toEqual([]);
      await panel.upstream.tell('reset-initiated', resetId);
      await panel.page.locator('#ingest[inert]').waitFor();
      expect(await axeViolations(panel.page)).toEqual([]);
    },
  );

  test('all controls work with the keyboard alone, and the focus stays in place', async () => {
    const { page, upstream } = await openPanel(open);
    await tabTo(page, '#ingest-source');
    await page.keyboard.type('Random');
    await tabTo(page, '#ingest-count');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.locator('#ingest-state', { hasText: 'done' }).waitFor();
    await tabTo(page, '#emission-switch');
    await page.keyboard.press('Space');
    await page.locator('#emission-switch[aria-checked=true]:focus').waitFor();
    await tabTo(page, '#reset-button');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#reset-button:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('button', { name: 'Clear everything' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await upstream.until(() => upstream.of(routes.reset).length === 1);
    await page.locator('#reset-button:focus').waitFor();
  });

  test('changes are announced to screen readers, each in one sentence', async () => {
    const { page } = await openPanel(open);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('status').getByText('Ingest done: 47 of 47 sent, 0 errors').waitFor();
  });

  test('a run that ends before the page asks again is announced, too', async () => {
    const { page, driver } = await openPanel(open);
    await page.locator('#ingest-state', { hasText: 'idle' }).waitFor();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await page.route('**/demo/status', async (route) => {
      await ended;
      await route.continue();
    });
    await driver.call('POST', '/demo/ingest', {
      body: '{"delay_ms":0}',
      headers: { 'content-type': 'application/json' },
    });
    await expect.poll(async () => (await driver.status()).state).toBe('done');
    end();
    await page.getByRole('status').getByText('Ingest done: 47 of 47 sent, 0 errors').waitFor();
  });

  test('hostile events are shown as text without breaking the page', async () => {
    const { page, upstream } = await openPanel(open);
    const before = await page.title();
    const long = 'x'.repeat(4096);
    const hostile = { service: markup, environment: reversed, status: markup, version: markup, actor: long };
    await deployed(upstream, { ...hostile, happened_at: markup, run_number: markup, run_url: 'javascript:alert(1)' });
    await reported(upstream, {
      component_id: markup,
      event_type: long,
      state: reversed,
      detail: long,
      correlation_id: markup,
    });
    await reported(upstream, {
      event_type: 'rate-limit',
      payload: { adapter: markup, own_used: markup, reset_at: long },
    });
    await rowWith(page, 'deployments', '<img src=x');
    await rowWith(page, 'deployments', '\\u{202e}gnp.exe\\u{7}\\u{2066}');
    await rowWith(page, 'events', '<script>');
    await page.getByRole('heading', { name: '<img src=x' }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe(before);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const tallest = 'Math.max(...[...document.querySelectorAll(".row")].map((row) => row.offsetHeight))';
      expect(await page.evaluate(tallest)).toBeLessThanOrEqual(80);
    }
  });

  test('the most used cards come first on a phone, also in keyboard order, and share a row on a desktop', async () => {
    const { page } = await openPanel(open, { width: 390, emulator: true });
    await page.locator('#emulator').waitFor();
    const cards = ['ingest', 'emission', 'feeds', 'emulator', 'reset', 'limits'];
    const boxes = async () => {
      const found = await Promise.all(cards.map((id) => page.locator(`#${id}`).boundingBox()));
      return found.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 });
    };
    const tops = (await boxes()).map(({ y }) => y);
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
    const inDocument = await page
      .locator(cards.map((id) => `#${id}`).join())
      .evaluateAll((all) => all.map(({ id }) => id));
    expect(inDocument).toEqual(cards);
    await page.setViewportSize({ width: 1280, height: 900 });
    const [ingest, emission, feeds, emulator] = await boxes();
    expect(feeds?.y).toBe(ingest?.y);
    expect(feeds?.x).toBeGreaterThan(ingest?.x ?? 0);
    expect(emulator?.x).toBe(ingest?.x);
    expect((emulator?.y ?? 0) - (emission?.y ?? 0) - (emission?.height ?? 0)).toBe(16);
  });

  test.each(['light', 'dark'] as const)(
    'the page needs no horizontal scrolling on a phone, full or empty (%s)',
    async (colorScheme) => {
      const panel = await openPanel(open, { width: 375, colorScheme, emulator: true });
      expect(await overflow(panel.page)).toBeLessThanOrEqual(0);
      await fillPage(panel);
      expect(await overflow(panel.page)).toBeLessThanOrEqual(0);
    },
  );
});
