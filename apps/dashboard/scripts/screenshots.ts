import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { busiestService, largeDataset } from '@shiplog/scenarios';
import { launchBrowser, type Page } from '@shiplog/testing/browser';

// Takes the screenshots of the dashboard for docs/images: the built demo, filled with a month of history. An optional
// argument names another folder. With DEMO_DATASET=large, which needs that argument because docs/images shows the usual
// demo, the pictures show the large dataset.

const isLarge = process.env.DEMO_DATASET === 'large';
const [, , given] = process.argv;
if (isLarge && given === undefined) throw new Error('DEMO_DATASET=large: name a folder for the pictures');
const images = given ?? fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const demo = fileURLToPath(new URL('../../../demo/dist/main.js', import.meta.url));

interface Look {
  readonly name: string;
  readonly search: string;
  /** The selector of an element that shows that the page is ready. */
  readonly ready: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

const busiest = isLarge ? encodeURIComponent(busiestService(largeDataset(), 'prod-eu')) : '';
/** The places that the screenshots show. */
const shown = isLarge
  ? { history: `history=${busiest}&in=prod-eu`, opened: busiest, compared: '&source=staging&target=prod-eu' }
  : { history: 'history=identity-service&in=preprod', opened: 'shipping-rates', compared: '' };
const board: Look = { name: 'board', search: '', ready: '.cell' };
const looks: readonly Look[] = [
  board,
  { name: 'board-dark', search: '', ready: '.cell', colorScheme: 'dark' },
  { name: 'board-phone', search: '', ready: '.need', width: 390, height: 780 },
  { name: 'wall', search: '?quiet=1', ready: '.wall-cell', width: 1920, height: 1080 },
  { name: 'history', search: `?${shown.history}`, ready: 'body:has(.cell) [role=dialog] .version' },
  { name: 'progress', search: `?layout=progress&opened=${shown.opened}`, ready: '.attempt', height: 900 },
  { name: 'compare', search: `?view=compare${shown.compared}`, ready: 'main .version', height: 700 },
  { name: 'quality', search: '?view=analytics&tab=quality', ready: '.reporters td', height: 700 },
  { name: 'changes', search: '?view=changes', ready: '.change', height: 720 },
  { name: 'analytics', search: '?view=analytics', ready: '.teams tbody td .class', height: 980 },
];

const program = spawn(process.execPath, [demo], {
  env: { ...process.env, PORT: '0', DRIVER_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(program, 'exit');
try {
  const url = await boardUrl();
  const browser = await launchBrowser();
  for (const look of looks) await picture(await browser.newPage(optionsOf(look)), url, look);
  await pictureOfOutage(await browser.newPage(optionsOf(board)), url);
  await browser.close();
} finally {
  program.kill('SIGINT');
  await ended;
}

/** The address of the board, which the demo prints once it is filled. */
async function boardUrl(): Promise<string> {
  for await (const line of createInterface({ input: program.stdout })) {
    const [, url] = /^ {2}Board +(\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the demo ended before it was filled');
}

function optionsOf({ colorScheme = 'light', width = 1440, height = 900 }: Look) {
  return { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' as const };
}

/** Ends the demo, and advances the page's clock by six minutes. */
async function pictureOfOutage(page: Page, url: string): Promise<void> {
  await page.clock.install();
  await page.goto(url);
  await page.locator('.live.ok').waitFor();
  program.kill('SIGINT');
  await page.locator('.live.bad').waitFor();
  await page.clock.fastForward('06:00');
  await page.locator('.outage-band').waitFor();
  await page.screenshot({ path: join(images, 'outage.png') });
}

async function picture(page: Page, url: string, { name, search, ready }: Look): Promise<void> {
  await page.goto(`${url}${search}`);
  await page.locator('.live.ok').waitFor();
  await page.locator(ready).first().waitFor();
  await page.locator('main', { hasNotText: 'Asking' }).waitFor();
  await page.screenshot({ path: join(images, `${name}.png`) });
  await page.close();
}
