import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient } from '@shiplog/client';
import { launchBrowser, type Page } from '@shiplog/testing/browser';
import { makeFolder, removeFolder } from '@shiplog/testing/folder';
import { storeLargeDataset } from '@shiplog/testing/large-database';
import type { Figure } from './harness/figure.ts';
import { built, fillAndBuild } from './harness/fill.ts';
import type { Outcome } from './harness/outcome.ts';
import { requireProgram } from './harness/programs.ts';
import { keys, openStage, type Stage } from './harness/stage.ts';

const small = { services: 20, environments: 5 };
const large = { services: 1000, environments: 50 };
const days = 30;
const rounds = 5;
const scrollMs = 2000;
const changesPerSecond = 50;
const changesMs = 4000;
/** The slots of the first services and environments are visible. */
const inSight = { services: 8, environments: 5 };

/** The cost of the dashboard in a browser: script size, first paint, scrolling on a large board, and updates. */
export async function dashboard(): Promise<Outcome> {
  requireProgram('chromium');
  const folder = await makeFolder();
  const stage = await openStage({ CATALOG_FILE: await catalogIn(folder) });
  const browser = await launchBrowser();
  const newPage = async () => (await browser.newContext({ viewport: { width: 1360, height: 900 } })).newPage();
  try {
    await storeLargeDataset(stage.databaseUrl);
    await built(stage);
    const untidyPage = await newPage();
    const untidy = await scrolledBoard(untidyPage, stage.url);
    await untidyPage.context().close();
    await fillAndBuild(stage, { rows: 2 * small.services * small.environments * 10, days, ...small });
    const painted: number[] = [];
    const drawn: number[] = [];
    const scripts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await newPage();
      const times = await open(page, stage.url);
      painted.push(times.paintedMs);
      drawn.push(times.drawnMs);
      scripts.push(await scriptKb(page));
      await page.context().close();
    }
    await fillAndBuild(stage, { rows: 2 * large.services * large.environments, days, ...large });
    const page = await newPage();
    const board = await scrolledBoard(page, stage.url);
    const changes = await change(page, stage);
    return {
      figures: [
        ...figures({ scriptKb: scripts, painted, drawn, changes, still: board.still }),
        ...boardFigures(`${(large.services * large.environments).toLocaleString('en')} slots`, board),
        ...boardFigures('the large dataset', untidy),
      ],
    };
  } finally {
    await browser.close();
    await stage.close();
    await removeFolder(folder);
  }
}

/** A catalog with ten teams, one per last digit of the service name, so that the board is grouped. */
async function catalogIn(folder: string): Promise<string> {
  const file = join(folder, 'catalog.yaml');
  const teams = Array.from({ length: 10 }, (_, n) => `  - { name: 'service-*${n}', team: team-${n} }`);
  await writeFile(file, `services:\n${teams.join('\n')}\n`);
  return file;
}

/** Opens the board. Returns the times from the start of the navigation to the first paint and to the first cells. */
async function open(page: Page, url: string): Promise<{ readonly paintedMs: number; readonly drawnMs: number }> {
  await page.goto(url);
  await page.locator('.cell').first().waitFor();
  await page.locator('.live.ok').waitFor();
  return (await page.evaluate(`({
    paintedMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    drawnMs: performance.getEntriesByName('board-drawn')[0].startTime,
  })`)) as { paintedMs: number; drawnMs: number };
}

interface ScrolledBoard {
  readonly drawnMs: number;
  /** Frames per second, in each round. */
  readonly still: readonly number[];
  readonly scrolled: readonly number[];
}

/** Opens the board and measures how smoothly it scrolls. */
async function scrolledBoard(page: Page, url: string): Promise<ScrolledBoard> {
  const { drawnMs } = await open(page, url);
  const still: number[] = [];
  const scrolled: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    still.push(await framesPerSecond(page, 0));
    scrolled.push(await framesPerSecond(page, 60));
  }
  return { drawnMs, still, scrolled };
}

/** The transferred bytes of the scripts before the first paint, and of the worker. Other views load after it. */
async function scriptKb(page: Page): Promise<number> {
  const loaded = (await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ startTime }) => startTime < performance.getEntriesByName('first-contentful-paint')[0].startTime)
    .map(({ name }) => name)`)) as string[];
  const scripts = loaded.filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
  // The page's resource timings do not include those of a shared worker.
  const worker = /worker-[\w-]+\.js/.exec(texts.join('\n'))?.[0] ?? '';
  texts.push(await (await fetch(new URL(worker, scripts[0]))).text());
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0) / 1000;
}

/** The frames per second while the board scrolls by this many pixels per frame, down and sideways. */
async function framesPerSecond(page: Page, pixels: number, ms = scrollMs): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector('.grid');
    grid.scrollTo(0, 0);
    let frames = 0;
    let startedAt;
    const step = (now) => {
      startedAt ??= now;
      if (now - startedAt >= ${ms}) return resolve(1000 * frames / (now - startedAt));
      frames += 1;
      grid.scrollBy(${pixels} / 4, ${pixels});
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`)) as number;
}

interface Changes {
  readonly framesPerSecond: number;
  /** The number of cells that were redrawn although they had not changed. */
  readonly idle: number;
}

/** Posts changes to visible cells at the given rate, and records which cells the browser redraws. */
async function change(page: Page, stage: Stage): Promise<Changes> {
  await page.evaluate('document.querySelector(".grid").scrollTo(0, 0)');
  const places = (await page.evaluate(
    `[...document.querySelectorAll('.cell')].map(({ dataset: { service, environment } }) => ({ service, environment }))`,
  )) as {
    service: string;
    environment: string;
  }[];
  const chosen = places.slice(0, inSight.services * inSight.environments);
  await page.evaluate(`window.touched = new Set();
    new MutationObserver((list) => {
      for (const { target } of list) {
        const element = target.nodeType === 1 ? target : target.parentElement;
        // Ages and messages change without events.
        if (element.closest('.age, .unseen')) continue;
        const cell = element.closest('.cell');
        if (cell) window.touched.add(cell.dataset.service + ' ' + cell.dataset.environment);
      }
    }).observe(document.querySelector('.grid'), { subtree: true, childList: true, characterData: true, attributes: true });`);
  const client = createClient({ baseUrl: stage.url, keys: { api: keys.api } });
  const posted: Promise<unknown>[] = [];
  const drawing = framesPerSecond(page, 0, changesMs);
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const place = chosen[posted.length % chosen.length];
      const status = posted.length % 3 === 0 ? 'failure' : 'success';
      const version = `9.${posted.length}`;
      const happened_at = new Date().toISOString();
      if (place)
        posted.push(
          client.appendDeployment({ body: { ...place, deployment_id: version, version, status, happened_at } }),
        );
      if (posted.length < (changesMs / 1000) * changesPerSecond) return;
      clearInterval(timer);
      resolve();
    }, 1000 / changesPerSecond);
  });
  await Promise.all(posted);
  const measured = await drawing;
  const touched = (await page.evaluate('[...window.touched]')) as string[];
  const changed = new Set(chosen.map(({ service, environment }) => `${service} ${environment}`));
  return { framesPerSecond: measured, idle: touched.filter((cell) => !changed.has(cell)).length };
}

interface Measured {
  readonly scriptKb: readonly number[];
  readonly painted: readonly number[];
  readonly drawn: readonly number[];
  /** Frames per second of the board without changes. */
  readonly still: readonly number[];
  readonly changes: Changes;
}

const goal = 'dashboard';

function figures({ scriptKb, painted, drawn, still, changes }: Measured): Figure[] {
  return [
    { goal, title: 'script of the board, gzipped', measured: scriptKb, unit: 'KB', reach: { atMost: 64 } },
    { goal, title: 'first paint', measured: painted, unit: 'ms', reach: { atMost: 1000 } },
    { goal, title: 'time to draw a board of 100 slots', measured: drawn, unit: 'ms', reach: { atMost: 1000 } },
    {
      goal,
      title: `frames a second during ${changesPerSecond} visible changes a second`,
      measured: [changes.framesPerSecond],
      unit: '/s',
      yardstick: { title: 'the same board, still', measured: [still.at(-1) ?? Number.NaN] },
      reach: { atLeast: 0.95 },
    },
    { goal, title: 'unchanged cells that were redrawn', measured: [changes.idle], unit: '', reach: { atMost: 0 } },
  ];
}

function boardFigures(name: string, { drawnMs, still, scrolled }: ScrolledBoard): Figure[] {
  return [
    { goal, title: `time to draw a board of ${name}`, measured: [drawnMs], unit: 'ms', reach: { atMost: 1500 } },
    {
      goal,
      title: `frames a second, scrolling ${name}`,
      measured: scrolled,
      unit: '/s',
      yardstick: { title: 'the same board, still', measured: still },
      reach: { atLeast: 0.95 },
    },
  ];
}
