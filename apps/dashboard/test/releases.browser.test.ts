import { axeViolations, inBrowser, overflow } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive } from './support/dashboard.ts';
import { shop } from './support/shop.ts';

/** The page loads answers over the network, which takes longer. */
const poll = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 20_000 });

inBrowser('releases', (open) => {
  test('the board links to the live answer about a commit in staging, and to the list of what production is missing', async () => {
    const dashboard = await shop();
    const page = await open(`${dashboard.url}?history=checkout-api&in=staging`);
    await isLive(page);
    const answer = page.locator('.answer-sentence');
    const answered = (text: string) => poll(() => answer.allInnerTexts()).toEqual([text]);

    // The version in a slot history links to its release.
    await page.locator('.standing .release-link').click();
    await answered('Yes, it has run in staging for 23 h');
    expect(new URL(page.url()).search).toBe('?view=releases&of=checkout-api&release=4.18.0&into=staging');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => page.locator('.answer').innerText())
      .toContain('Not in prod: 4.17.2 runs there. It failed in preprod 1 h ago.');
    const way = page.getByRole('list', { name: '4.18.0 on its way to production' });
    await poll(async () => (await way.locator('.path-state').allInnerTexts()).join(', ')).toBe(
      'was here, runs here, failed, not yet',
    );
    await expect.poll(() => way.locator('[aria-current]').innerText()).toBe('staging');

    // Each place names the last good version before the release.
    const place = (name: string) =>
      way.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    await poll(() => place('staging').innerText()).toMatch(/before:\s+4\.17\.2\s+for 9 d, until\s+(yesterday|today) /);
    expect(await place('dev').innerText()).toMatch(/before:\s+4\.18\.0-rc\.2\s+for 23 h, until/);
    expect(await place('prod').innerText()).toContain('runs now');

    // The events, and the facts from the catalog.
    const happened = page.getByRole('region', { name: /^Events/ });
    await expect.poll(() => happened.locator('tbody tr').count()).toBe(7);
    await expect
      .poll(() => happened.locator('tbody tr').first().innerText())
      .toMatch(/failed\s+preprod\s+tobias\s+11 min\s+Run 20433/);
    const compare = page.getByRole('link', { name: 'compare with 4.17.2' }).first();
    expect(await compare.getAttribute('href')).toBe(
      'https://github.com/acme/checkout-api/compare/77aa10b0c1d2e3f40516...26d88eb0c1d2e3f40516',
    );
    await expect
      .poll(() => page.getByRole('region', { name: 'This release' }).innerText())
      .toMatch(/Team\s+Orders\s+Owner\s+ines/);

    // The question is asked for another environment, and the answer changes with the log.
    await way.getByRole('link', { name: 'preprod' }).click();
    await answered('No, it failed in preprod 1 h ago');
    await dashboard.post(
      { service: 'checkout-api', environment: 'preprod', version: '4.18.0', deployment_id: 'd-4' },
      2,
    );
    await answered('Yes, it has run in preprod for 2 min');

    // A commit without a service, and an unknown version.
    const field = page.getByLabel('Version or commit');
    await page.getByLabel('Service').selectOption('any service');
    await field.fill('cccc');
    await field.press('Enter');
    // Without an environment, the answer says where the release is.
    await page.getByLabel('Environment').selectOption('any environment');
    await poll(() => answer.innerText()).toMatch(/^In preprod since (today|yesterday) \d\d:\d\d; failed in prod$/);
    await expect.poll(() => page.getByText('you asked').count()).toBe(0);
    await page.getByLabel('Environment').selectOption('prod');
    await answered('No, it failed in prod 12 min ago');
    await page.goto(`${dashboard.url}?view=releases&of=checkout-api&release=4.18.9`);
    await page.getByRole('heading', { name: 'No event names 4.18.9' }).waitFor();
    await expect
      .poll(() => page.locator('tbody .version').allTextContents())
      .toEqual(['4.18.0', '4.17.2', '4.18.0-rc.2']);
    await page.getByRole('link', { name: 'Show the newest releases' }).click();
    await page.getByLabel('Service').selectOption('any service');
    await poll(() => page.locator('tbody tr').count()).toBe(13);
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/4\.18\.0\s+checkout-api/);

    // The list applies the page's filter and shows how many releases it leaves out. A missing repository is reported,
    // too.
    await page.goto(`${dashboard.url}?view=releases&teams=Payments`);
    await page.getByText('3 releases of the 13; 10 more outside the filter.').waitFor();
    await expect
      .poll(() => page.locator('tbody .version').allTextContents())
      .toEqual(['2.0.0', '5.6.1', '743129967a45']);
    await page.getByRole('link', { name: '2.0.0' }).click();
    await page.getByText('No links to changes').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Show all' }).click();
    await poll(() => page.locator('tbody tr').count()).toBe(13);

    // The page lists what production is missing that the previous stage has.
    await page.getByRole('link', { name: 'Compare environments' }).click();
    const rows = () => page.locator('.differences tbody tr').allInnerTexts();
    await poll(async () => (await rows()).join('\n').replace(/\s+/g, ' ')).toMatch(
      /^Orders 3 differ orders-api 7\.2\.0 7\.1\.4 7\.2\.0 failed 12 min 2 behind oldest 3 d · compare checkout-api 4\.18\.0 4\.17\.2 1 behind .* Payments 2 differ 1 the same .* Catalog 1 the same$/,
    );
    const chips = page.locator('.bar .chip');
    expect((await chips.allInnerTexts()).slice(0, 8).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Differ 5',
      'prod behind 2',
      'Arriving 0',
      'prod ahead 0',
      'Diverged 1',
      'Only in preprod 1',
      'Only in prod 1',
      'The same 2',
    ]);
    const notes = page.locator('.notes pre');
    const link = 'https://gitlab.com/acme/shop/orders/-/compare/aaaaaaa111111...ccccccc111111';
    await expect.poll(() => notes.innerText()).toContain(`- orders-api [7.1.4 → 7.2.0](${link}), 2 releases`);
    await expect
      .poll(() => page.locator('.notes-left').innerText())
      .toMatch(
        /Left out: 2 services\s+orders-worker: its prod release was never in preprod\s+payments-api: only in prod/,
      );
    await expect
      .poll(() => notes.innerText())
      .toContain('**Left out:** orders-worker (its prod release was never in preprod), payments-api (only in prod)');

    // The table head stays in place while the rows scroll.
    await page.setViewportSize({ width: 1440, height: 420 });
    const headStays = `(() => {
      const main = document.querySelector('main');
      main.scrollTo(0, 250);
      const head = document.querySelector('.differences thead th').getBoundingClientRect();
      return main.scrollTop > 100 && Math.abs(head.top - main.getBoundingClientRect().top) < 2;
    })()`;
    await poll(() => page.evaluate(headStays)).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });

    // A service whose releases diverge is listed as diverged, unless a release is arriving.
    await page.getByRole('button', { name: 'Diverged 1' }).click();
    await page.getByText('Neither has ever had the other’s release').waitFor();
    // The headings of the teams and the release notes have the chosen kind, too.
    await poll(async () => (await rows()).join('\n').replace(/\s+/g, ' ')).toMatch(
      /^Orders 1 of 3 services orders-worker /,
    );
    await poll(() => notes.innerText()).toMatch(
      /^# preprod → prod, [^\n]*\n\nNo listed service would reach prod\.\n\n\*\*Left out:\*\* orders-worker \([^)]*\)$/,
    );
    const build = '2026.11.19+build.4417.g3f2c1a9';
    await dashboard.post({ service: 'orders-worker', environment: 'prod', version: build, status: 'in-progress' });
    await page.getByRole('button', { name: 'Arriving 1' }).click();
    await poll(async () => (await rows()).join('\n').replace(/\s+/g, ' ')).toMatch(
      /orders-worker .* arriving (now|\d+ s|1 min) arriving diverged until it has succeeded/,
    );
    await poll(() => notes.innerText()).toMatch(/- orders-worker \[.*\]\(.*\), arriving/);
    await page.getByRole('button', { name: 'The same 2' }).click();

    await page.getByRole('button', { name: 'Swap the two sides' }).click();
    await page.getByRole('button', { name: 'preprod ahead 2' }).click();
    expect(new URL(page.url()).search).toBe('?view=releases&tab=reach&source=prod&target=preprod&relation=behind');
    await poll(() => page.locator('.difference-service').allInnerTexts()).toEqual(['checkout-api', 'orders-api']);

    // The team filter applies to the table and the notes, and the page says what it leaves out.
    await page.goto(`${dashboard.url}?view=compare&teams=Payments`);
    await page.getByText('4 more services outside the filter').waitFor();
    await expect
      .poll(() => notes.innerText())
      .toMatch(/^# preprod → prod, .*\n\n## Payments\n- payments-gateway new: 2\.0\.0\n\n\*\*Left out/);
    await dashboard.post({ service: 'payments-gateway', environment: 'prod', version: '2.0.0' });
    await poll(() => notes.innerText()).toContain('No listed service would reach prod.');
  });

  test('what would reach an environment can be sorted by age and limited to old differences, which the address keeps', async () => {
    const dashboard = await shop();
    const tagged = { service: 'checkout-api', version: '4.20.0', ref: 'refs/tags/v4.20.0' };
    await dashboard.post({ ...tagged, environment: 'preprod' }, 30);
    const page = await open(`${dashboard.url}?view=releases&tab=reach&source=preprod&target=prod`);
    const named = () => page.locator('.difference-service').allInnerTexts();
    const [orders, checkout, worker, gateway, api] = [
      'orders-api',
      'checkout-api',
      'orders-worker',
      'payments-gateway',
      'payments-api',
    ];
    await poll(named).toEqual([orders, checkout, worker, gateway, api]);
    const notes = page.getByRole('link', { name: 'release notes of checkout-api' });
    expect(await notes.getAttribute('href')).toBe('https://github.com/acme/checkout-api/releases/tag/v4.20.0');

    const column = page.getByRole('columnheader', { name: 'Missing for' });
    const head = column.getByRole('button');
    // The arrow is that of the ages: the oldest release has the highest one.
    const shownOrder = async () => [
      await column.getAttribute('aria-sort'),
      (await head.innerText()).replace(/[^↑↓]/g, ''),
    ];
    await poll(shownOrder).toEqual([null, '']);
    await head.click();
    await poll(named).toEqual([worker, orders, checkout, gateway, api]);
    await poll(shownOrder).toEqual(['descending', '↓']);
    await head.click();
    await poll(named).toEqual([checkout, orders, worker, gateway, api]);
    await poll(shownOrder).toEqual(['ascending', '↑']);
    await head.click();
    await poll(named).toEqual([orders, checkout, worker, gateway, api]);
    await poll(shownOrder).toEqual([null, '']);
    expect(new URL(page.url()).search).not.toContain('sort');

    await head.click();
    await page.getByLabel('How long a release has been missing').selectOption('Missing: over 3 d');
    await poll(named).toEqual([worker, orders]);
    expect(new URL(page.url()).search).toContain('&sort=oldest&older=3d');
    await page.reload();
    await poll(named).toEqual([worker, orders]);
    await page.getByText('5 more services outside the filter').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await poll(named).toEqual([worker, orders, checkout, gateway, api]);
  });

  test('the pages of releases and differences are accessible', async () => {
    const { url } = await shop();
    const found: string[] = [];
    for (const options of [{ width: 1440 }, { width: 390, colorScheme: 'dark' as const }]) {
      for (const search of [
        '?view=releases&of=checkout-api&release=4.18.0&into=preprod',
        '?view=releases&release=nothing',
        '?view=compare',
      ]) {
        const page = await open(`${url}${search}`, options);
        await isLive(page);
        await page.locator('main table').first().waitFor();
        for (const line of await axeViolations(page)) found.push(`${search} ${options.width}: ${line}`);
        if ((await overflow(page)) > 0) found.push(`${search} ${options.width}: wider than its window`);
      }
    }
    expect(found).toEqual([]);
  });
});
