import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';

export type { Page };

/** The path of the program in Debian's package. */
const executablePath = '/usr/bin/chromium';

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** Console messages that the test causes, such as messages about failed calls. */
  readonly expectedLines?: RegExp;
  /** Prepares the page before it opens the URL. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Opens a page with separate storage. */
export type OpenPage = (url: string, options?: PageOptions) => Promise<Page>;

/**
 * Tests that share one browser. Without a browser they are skipped, and standard error says what to install. When a
 * test ends, its page must have logged no error (a violated content security policy counts as an error) and must have
 * sent no request to another host.
 */
export function inBrowser(name: string, tests: (open: OpenPage) => void): void {
  const missing = !existsSync(executablePath);
  if (missing) process.stderr.write(`Skipped: ${name}. Install Debian's "chromium" package to run it.\n`);
  describe.skipIf(missing)(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      // Without a graphics card, software rendering takes an eighth of the browser's CPU time.
      browser = await launchBrowser(['--disable-gpu']);
    });
    afterAll(() => browser.close());
    tests((url, options) => openPage(browser, url, options));
  });
}

/** Chromium refuses to run its sandbox as root. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const asRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: [...args, ...(asRoot ? ['--no-sandbox'] : [])] });
}

async function openPage(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1280, expectedLines, before }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  const faults: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error' && !expectedLines?.test(line.text())) faults.push(line.text());
  });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) faults.push(`requested ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    if (faults.length > 0) throw new Error(`the page logged errors or requested another host:\n${faults.join('\n')}`);
  });
  await before?.(page);
  await page.goto(url);
  return page;
}

/** The violations that axe finds on a page. Each line has the rule and the element. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Uses `evaluate`, because the page's content security policy forbids adding a script.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The number of pixels by which a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;
}

/** Pairs of texts in the window that lie over each other, except under what stays in place while the page scrolls. */
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const root = document.querySelector('dialog[open], [role=dialog]') ?? document.body;
    const chain = (element) => (element ? [element, ...chain(element.parentElement)] : []);
    const stuck = (element) => chain(element).filter((each) => /sticky|fixed/.test(getComputedStyle(each).position)).length;
    /** The visible part of a rectangle in an element. */
    const shown = (rect, element) => {
      const clips = chain(element).filter((each) => getComputedStyle(each).overflow !== 'visible');
      const boxes = [rect, ...clips.map((each) => each.getBoundingClientRect()), { left: 0, top: 0, right: innerWidth, bottom: innerHeight }];
      const edge = (name, pick) => pick(...boxes.map((box) => box[name]));
      // The letters take the middle of a line.
      const inset = rect.height * 0.22;
      return { left: edge('left', Math.max) + 1, right: edge('right', Math.min) - 1,
        top: edge('top', Math.max) + inset, bottom: edge('bottom', Math.min) - inset };
    };
    const texts = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.data.trim() === '' || element.closest('.unseen, svg, select') || !element.checkVisibility()) continue;
      if (chain(element).some((each) => getComputedStyle(each).clipPath !== 'none')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = shown(rect, element);
        if (box.right - box.left > 2 && box.bottom - box.top > 2) texts.push({ element, text: node.data.trim().slice(0, 30), ...box });
      }
    }
    const found = new Set();
    texts.sort((one, other) => one.top - other.top);
    texts.forEach((one, index) => {
      for (const other of texts.slice(index + 1)) {
        if (other.top > one.bottom - 2) break;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across <= 2 || down <= 2 || one.element === other.element) continue;
        if (stuck(one.element) === stuck(other.element)) found.add(one.text + ' | ' + other.text);
      }
    });
    return [...found].slice(0, 5);
  })()`) as Promise<string[]>;
}
