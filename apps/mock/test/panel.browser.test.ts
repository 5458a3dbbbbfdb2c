import {
  axeViolations,
  inBrowser,
  type OpenPage,
  overflow,
  type Page,
  type PageOptions,
} from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { type TestMock, testMock } from './support/mock.ts';

async function openPanel(open: OpenPage, options?: PageOptions): Promise<{ page: Page; mock: TestMock }> {
  const mock = await testMock({ times: { emitIntervalMs: 50 } });
  const page = await open(mock.url, options);
  await page.locator('#live', { hasText: /^live$/ }).waitFor();
  return { page, mock };
}

/** Waits until the panel shows this number of events. */
async function holds(page: Page, count: number): Promise<void> {
  await page.locator('#events-count', { hasText: new RegExp(`^${count}$`) }).waitFor();
}

async function arrived(page: Page, text: string): Promise<void> {
  await page.locator('#ingest > li', { hasText: text }).first().waitFor();
}

inBrowser('the mock panel', (open) => {
  test('arriving events are shown with their source', async () => {
    const { page, mock } = await openPanel(open);
    await page.getByText('No event has arrived since this page was opened').waitFor();
    await mock.append({ version: '1.4.2', run_url: 'https://ci.example.com/1' });
    await arrived(page, 'payments-api in staging succeeded');
    expect(await page.locator('#ingest > li').innerText()).toMatch(/^1\.4\.2\s(.|\s)*posted\s*Run/);
    await holds(page, 48);
  });

  test('emission can be switched on and off', async () => {
    const { page, mock } = await openPanel(open);
    await page.getByRole('switch', { name: 'Emission' }).click();
    await arrived(page, 'emitted');
    await page.locator('#emission-switch[aria-checked=true]').waitFor();
    await page.getByRole('switch', { name: 'Emission' }).click();
    await page.locator('#emission-switch[aria-checked=false]').waitFor();
    expect((await mock.status()).emitting).toBe(false);
  });

  test('demo data can be hidden and shown', async () => {
    const { page } = await openPanel(open);
    await holds(page, 47);
    await page.getByRole('switch', { name: 'Demo data' }).click();
    await holds(page, 0);
    await page.getByRole('switch', { name: 'Demo data' }).click();
    await holds(page, 47);
  });

  test('a demo reset deletes posted events after a confirmation', async () => {
    const { page, mock } = await openPanel(open);
    await mock.append();
    await holds(page, 48);
    await page.getByRole('button', { name: 'Reset demo…' }).click();
    await page.getByRole('button', { name: 'Keep them' }).click();
    expect((await mock.status()).event_count).toBe(48);
    await page.getByRole('button', { name: 'Reset demo…' }).click();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await holds(page, 47);
  });

  test('a full reset removes the listed adapters', async () => {
    const { page, mock } = await openPanel(open);
    await mock.putCursor('github-actions', 'cursor-1');
    await mock.append();
    await page.getByText('github-actions').waitFor();
    await page.getByRole('button', { name: 'Reset all…' }).click();
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.locator('#adapters-count', { hasText: /^0$/ }).waitFor();
    expect(await page.locator('#adapters').isVisible()).toBe(false);
  });

  test.each([390, 1280])('long content fits in its card (%i px)', async (width) => {
    const { page, mock } = await openPanel(open, { width });
    const card = page.getByRole('region', { name: 'Contents' });
    const widthOf = (text: string) => card.getByText(text).evaluate((element) => element.getBoundingClientRect().width);
    const before = await widthOf('Everything is in memory');
    for (const name of ['github-actions', 'gitlab-ci', 'x'.repeat(64)]) await mock.putCursor(name, 'cursor-1');
    await card.getByText('github-actions').waitFor();
    expect(await widthOf('Everything is in memory')).toBe(before);
    expect(await widthOf('github-actions')).toBe(before);
    const tops = await Promise.all(
      ['Contents', 'Fetcher adapters', 'github-actions', 'Everything is'].map(
        async (text) => (await card.getByText(text).boundingBox())?.y ?? 0,
      ),
    );
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test('on a phone, new events come before rarely used cards', async () => {
    const { page } = await openPanel(open, { width: 390 });
    const names = ['Contents', 'Emission', 'Arriving events', 'Demo data', 'Reset'];
    const tops = await Promise.all(
      names.map(async (name) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? 0),
    );
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
  });

  test('the panel links to the API page', async () => {
    const { page, mock } = await openPanel(open);
    await page.getByRole('link', { name: 'API docs' }).click();
    await page.waitForURL(`${mock.url}/docs`);
  });

  test('the command shown in an empty list posts an event', async () => {
    const { page, mock } = await openPanel(open);
    const command = await page.locator('#ingest-empty code').innerText();
    const [, url = '', body = ''] = /^curl -X POST (\S+) .* -d '(.*)'$/.exec(command) ?? [];
    expect(new URL(url).origin).toBe(mock.url);
    expect(command).toContain('-H "X-Api-Key: $API_KEY"');
    await mock.append(JSON.parse(body));
    await arrived(page, 'payments-api in dev');
  });

  test('hostile events are shown as text without breaking the page', async () => {
    const { page, mock } = await openPanel(open, { width: 375 });
    const markup = '<img src=x onerror="document.title=1">';
    await mock.append({
      service: markup,
      version: markup,
      actor: `${markup}${'x'.repeat(80)}`,
      environment: '\u202egnp',
    });
    await arrived(page, '<img src=x');
    await arrived(page, '\\u{202e}gnp');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds no violation, and the page needs no horizontal scrolling on a phone (%s)',
    async (colorScheme) => {
      const { page, mock } = await openPanel(open, { width: 375, colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      for (const status of ['success', 'failure', 'in-progress'] as const)
        await mock.append({ status, actor: 'alice' });
      await mock.putCursor('github-actions', 'cursor-1');
      await page.getByRole('button', { name: 'Reset all…' }).click();
      await arrived(page, 'running');
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    },
  );
});
