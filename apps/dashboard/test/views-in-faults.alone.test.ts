import { NetworkProxy } from '@shiplog/testing';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { postBoard, restarted, type TestDashboard, testDashboard } from './support/dashboard.ts';
import { coloured, openAlone, postNews, saidBy, type ViewCase, viewCases } from './support/views.ts';

/**
 * Console messages of failed requests. 422: after the sleep, the clock of the page is ahead until the page gets the
 * service's time, so it may request a day that has not begun for the service.
 */
const expectedLines = /net::ERR|404|422|503/;

const band = '.outage-band, .wall.outage';

interface Viewed {
  readonly name: string;
  readonly view: ViewCase;
  readonly page: Page;
}

interface Stage {
  readonly dashboard: TestDashboard;
  readonly way: NetworkProxy;
  readonly all: readonly Viewed[];
}

/** Advances the time of all pages as if the computer had slept: every timer that is due runs late and only once. */
async function pass(all: readonly Viewed[], ms: number): Promise<void> {
  await Promise.all(all.map(({ page }) => page.clock.fastForward(ms)));
}

async function each(all: readonly Viewed[], look: (viewed: Viewed) => Promise<unknown>): Promise<void> {
  await Promise.all(all.map(look));
}

async function isLiveAgain({ page, view }: Viewed): Promise<void> {
  await page.locator(view.isPast ? '.live:not(.bad)' : '.live.ok').waitFor();
  await page.locator(band).first().waitFor({ state: 'detached' });
}

/**
 * Checks that the view reports the outage, is not live and has lost its state colours. A past board stays unchanged.
 */
async function saysNoAnswer({ name, page, view }: Viewed): Promise<void> {
  await page.locator(band).first().waitFor();
  if (view.isPast) {
    await expect.poll(() => page.locator('.outage-band').innerText()).toMatch(/past board below is not affected/);
  } else {
    expect(await page.locator('.live.ok').count(), name).toBe(0);
    expect([name, await coloured(page)]).toEqual([name, []]);
  }
}

/** Each fault from its beginning to its end. `meanwhile` posts events during the fault. */
const faults: Readonly<Record<string, (stage: Stage, meanwhile: () => Promise<void>) => Promise<void>>> = {
  'an outage': async ({ way, all }, meanwhile) => {
    way.way = 'refused';
    await pass(all, 60_000);
    await each(all, saysNoAnswer);
    await meanwhile();
    way.way = 'open';
  },
  'a server that accepts connections and never answers': async ({ way, all }, meanwhile) => {
    way.way = 'silent';
    await pass(all, 18_000);
    await pass(all, 3000);
    await pass(all, 60_000);
    await each(all, saysNoAnswer);
    await meanwhile();
    way.way = 'open';
  },
  'a restart of the service': async ({ dashboard, all }, meanwhile) => {
    await dashboard.service.stop();
    await each(all, ({ page, view }) => page.locator(view.isPast ? '.live' : '.live:not(.ok)').waitFor());
    await restarted(dashboard);
    await meanwhile();
  },
  'a computer that slept for an hour and whose connections are dead': async ({ way, all }, meanwhile) => {
    way.strand();
    await meanwhile();
    await pass(all, 3_600_000);
  },
};

inBrowser('every view', (open) => {
  test('every view reports an outage, and shows all missed events afterwards without a reload', {
    timeout: 300_000,
  }, async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const way = await NetworkProxy.open(dashboard.url);
    const all: Viewed[] = [];
    for (const [name, view] of Object.entries(viewCases)) {
      all.push({ name, view, page: await openAlone(open, way.url, view, { expectedLines, isTimed: true }) });
    }
    await each(all, isLiveAgain);
    const tells = (what: (view: ViewCase) => RegExp, when: string) =>
      each(all, ({ name, view, page }) =>
        expect.poll(() => saidBy(page), { message: `${name} after ${when}` }).toMatch(what(view)),
      );
    let news = 0;
    for (const [fault, happens] of Object.entries(faults)) {
      news += 1;
      await happens({ dashboard, way, all }, () => postNews(dashboard, news));
      // The test does not wait for the next scheduled attempt.
      await pass(all, 9000);
      await each(all, isLiveAgain);
      await tells(({ told }) => told(news), fault);
    }
    await dashboard.reset();
    await pass(all, 9000);
    await tells(({ empty }) => empty, 'a reset');
    // Each part of a view sends its own requests, so one may still have its old response.
    await each(all, ({ name, page }) =>
      expect.poll(() => saidBy(page), { message: name }).not.toMatch(/9\.9\.|order-svc|robot/),
    );
  });
});
