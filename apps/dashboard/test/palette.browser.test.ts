import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive } from './support/dashboard.ts';
import { shop } from './support/shop.ts';

const poll = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 20_000 });

inBrowser('the palette and the shortcuts', (open) => {
  test('every view and command can be reached from the keyboard', async () => {
    const { url } = await shop();
    const page = await open(url);
    await isLive(page);
    await page.locator('.cell').first().waitFor();
    const { keyboard } = page;
    const search = () => new URL(page.url()).search;
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    const chosen = () => page.locator('[role=option][aria-selected=true]').innerText();

    // The palette keeps text that is typed while it loads, and finds releases that are only in the log.
    await keyboard.press('Control+k');
    await keyboard.type('4.18');
    await palette.waitFor();
    const field = palette.getByRole('combobox');
    await poll(() => field.inputValue()).toBe('4.18');
    await poll(chosen).toMatch(/^4\.18\.0 checkout-api\s+runs in staging; failed in preprod; was in dev$/);
    await poll(() =>
      page
        .getByRole('option')
        .first()
        .evaluate((hit) => hit.id),
    ).toBe((await field.getAttribute('aria-activedescendant')) ?? '');
    expect(await axeViolations(page)).toEqual([]);
    await keyboard.press('ArrowDown');
    await poll(chosen).toMatch(/^4\.18\.0-rc\.2 checkout-api/);
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowUp');
    await poll(chosen).toMatch(/^Is 4\.18 of checkout-api in prod\?/);
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await poll(search).toBe('?view=releases&of=checkout-api&release=4.18.0');
    await page.getByRole('heading', { name: /^In staging since .*; not in prod$/ }).waitFor();

    // Escape returns the focus. A result opened in a new tab leaves the page unchanged.
    await page.getByRole('button', { name: /^Search or jump to/ }).focus();
    await keyboard.press('Enter');
    await palette.waitFor();
    await keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.matches(".jump")')).toBe(true);
    await keyboard.press('Control+k');
    await keyboard.type('orders-api');
    await poll(chosen).toMatch(/^orders-api\s+service$/);
    const opened = page.context().waitForEvent('page');
    await keyboard.press('Control+Enter');
    const there = new URL((await opened).url()).searchParams;
    expect([there.get('view'), there.get('service')]).toEqual([null, 'orders-api']);
    expect(search()).toBe('?view=releases&of=checkout-api&release=4.18.0');
    await palette.waitFor({ state: 'detached' });

    // Each question opens the page that answers it.
    const asked = async (typed: string, first: RegExp, heading: RegExp) => {
      await keyboard.press('Control+k');
      await palette.waitFor();
      await keyboard.type(typed);
      await poll(chosen).toMatch(first);
      await keyboard.press('Enter');
      await palette.waitFor({ state: 'detached' });
      await poll(() => page.locator('main').innerText()).toMatch(heading);
    };
    await asked('staging vs production', /^Compare staging with prod$/, /4\.18\.0[\s\S]*4\.17\.2[\s\S]*1 behind/);
    expect(search()).toMatch(/source=staging&target=prod$/);
    await asked('26d88eb stg', /^Is 26d88eb in staging\?/, /Yes, it has run in staging for 23 h/);
    await asked(
      'changes since yesterday',
      /^What changed since yesterday 00:00\?/,
      /In all environments, .* – now: \d services changed/,
    );
    await asked('orders failure rate', /^Change failure rate for Orders/, /failed/i);
    expect(new URLSearchParams(search()).get('evidence')).toBe('change_failure_rate');
    await asked('what broke last in production', /^All failures in prod, newest first/, /7\.2\.0/);
    await asked('prod yesterday 14:05', /^What ran in prod yesterday at 14:05\?/, /Orders in prod/);
    expect([...new URLSearchParams(search()).keys()]).toEqual(expect.arrayContaining(['environment', 'asof']));
    await keyboard.press('n');

    // G followed by another key opens a view, and single keys set filters, except while the user types.
    await keyboard.press('g');
    await keyboard.press('b');
    await page.locator('.cell').first().waitFor();
    await keyboard.press('f');
    await poll(() => new URLSearchParams(search()).get('only')).toBe('failed');
    await keyboard.press('f');
    await keyboard.press('/');
    await keyboard.type('frog');
    await poll(() => new URLSearchParams(search()).get('q')).toBe('frog');
    expect(new URLSearchParams(search()).get('only')).toBeNull();
    await page.locator('main input[type=search]').fill('');
    await page.locator('main').focus();
    await keyboard.press('[');
    await poll(() => new URLSearchParams(search()).get('asof')).toMatch(/^20\d\d-/);
    await keyboard.press('n');
    await poll(() => new URLSearchParams(search()).get('asof')).toBeNull();

    // The list of keys has a switch that turns them off.
    await keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await keys.getByLabel('enable single-key shortcuts').uncheck();
    await keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    const before = search();
    await keyboard.press('f');
    await keyboard.press('Control+k');
    await palette.waitFor();
    expect(search()).toBe(before);
  });

  test('the palette opens on every press, however fast, and loses no typed text', async () => {
    const { url } = await shop();
    const page = await open(url);
    await isLive(page);
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    const field = palette.getByRole('combobox');
    const pressTwice = (first: string, second: string) => `(() => {
      const press = (on, key, ctrlKey) => on.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
      press(${first});
      press(${second});
    })()`;
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('releases');
    await poll(() => field.inputValue()).toBe('releases');

    // Pressed before the close event of the dialog arrives.
    await page.evaluate(pressTwice("document.activeElement, 'Enter', false", "document.body, 'k', true"));
    await poll(() => new URL(page.url()).searchParams.get('view')).toBe('releases');
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    await palette.waitFor();
    await page.keyboard.type('changes');
    await poll(() => field.inputValue()).toBe('changes');

    // One dialog replaces the other.
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await page.evaluate(pressTwice("document.body, '?', false", "document.body, 'k', true"));
    await palette.waitFor();
    await page.keyboard.type('board');
    await poll(() => field.inputValue()).toBe('board');
  });

  test('the palette and the header fit every width, with the header on one line if possible', async () => {
    const { url } = await shop();
    for (const width of [390, 641, 800, 1280, 2560]) {
      const page = await open(url, { width, colorScheme: width === 390 ? 'dark' : 'light' });
      await isLive(page);
      expect([width, await overflow(page)]).toEqual([width, 0]);
      await page.getByRole('button', { name: /^Search or jump to/ }).click();
      await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
      expect([width, await overflow(page)]).toEqual([width, 0]);
      // The placeholder is not cut off.
      const isWhole = `(() => {
        const field = document.querySelector('.palette input');
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(field).font;
        return pen.measureText(field.placeholder).width <= field.clientWidth;
      })()`;
      expect([width, await page.evaluate(isWhole)]).toEqual([width, true]);
      if (width === 390) expect(await axeViolations(page)).toEqual([]);
    }
  });
});
