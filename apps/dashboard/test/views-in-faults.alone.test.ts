import { NetworkProxy } from '@shiplog/testing';
import { inBrowser, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { postBoard, restarted, type TestDashboard, testDashboard } from './support/dashboard.ts';
import { coloured, openAlone, postNews, saidBy, type ViewCase, viewCases } from './support/views.ts';

/**
 * What calls that fail leave in the console. 422: a page whose clock has run ahead asks about a day that has not begun
 * for the service, until it has heard the service's time.
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

/** Lets the time of all pages pass, as a computer does that slept: each timer is late, and runs once. */
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

/** A view says that there is no answer, calls nothing live and has lost its colours; a past board stays as it is. */
async function saysNoAnswer({ name, page, view }: Viewed): Promise<void> {
  await page.locator(band).first().waitFor();
  if (view.isPast) {
    await expect.poll(() => page.locator('.outage-band').innerText()).toMatch(/past board below is not affected/);
  } else {
    expect(await page.locator('.live.ok').count(), name).toBe(0);
    expect([name, await coloured(page)]).toEqual([name, []]);
  }
}

/** Each fault, from its beginning to its end; what happens meanwhile is posted in between. */
const faults: Readonly<Record<string, (stage: Stage, meanwhile: () => Promise<void>) => Promise<void>>> = {
  'an outage': async ({ way, all }, meanwhile) => {
    way.way = 'refused';
    await pass(all, 60_000);
    await each(all, saysNoAnswer);
    await meanwhile();
    way.way = 'open';
  },
  'a server that takes calls and answers nothing': async ({ way, all }, meanwhile) => {
    way.way = 'silent';
    await pass(all, 18_000);
    await pass(all, 3000);
    await pass(all, 60_000);
    await each(all, saysNoAnswer);
    await meanwhile();
    way.way = 'open';
  },
  'a service that is started again': async ({ dashboard, all }, meanwhile) => {
    await dashboard.service.stop();
    await each(all, ({ page, view }) => page.locator(view.isPast ? '.live' : '.live:not(.ok)').waitFor());
    await restarted(dashboard);
    await meanwhile();
  },
  'a computer that slept for an hour, and whose connections are dead': async ({ way, all }, meanwhile) => {
    way.strand();
    await meanwhile();
    await pass(all, 3_600_000);
  },
};

inBrowser('every view', (open) => {
  test('reports an outage, and shows afterwards what happened meanwhile, without a reload', {
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
      // The next attempt is not waited for.
      await pass(all, 9000);
      await each(all, isLiveAgain);
      await tells(({ told }) => told(news), fault);
    }
    await dashboard.reset();
    await pass(all, 9000);
    await tells(({ empty }) => empty, 'a reset');
    await each(all, async ({ name, page }) => expect(await saidBy(page), name).not.toMatch(/9\.9\.|order-svc|robot/));
  });
});
