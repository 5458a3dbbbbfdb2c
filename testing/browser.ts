import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';

export type { Page };

/** Where Debian's package has it. */
const executablePath = '/usr/bin/chromium';

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  /** Lines of the console that the test provokes, such as those of refused calls. */
  readonly expectedLines?: RegExp;
  /** What is done to the page before it goes to the address. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Opens a page with storage of its own. */
export type OpenPage = (url: string, options?: PageOptions) => Promise<Page>;

/**
 * Tests that need a browser: one for all of them. Without one they are skipped, and standard error says what to install.
 * When a test is over its page must have logged no error (a violated content security policy is one), and asked for
 * nothing from another host.
 */
export function inBrowser(name: string, tests: (open: OpenPage) => void): void {
  const missing = !existsSync(executablePath);
  if (missing) process.stderr.write(`Skipped: ${name}. Install Debian's "chromium" package to run it.\n`);
  describe.skipIf(missing)(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      // Where a machine has no graphics card, its stand-in takes an eighth of the browser's processor time.
      browser = await launchBrowser(['--disable-gpu']);
    });
    afterAll(() => browser.close());
    tests((url, options) => openPage(browser, url, options));
  });
}

/** Chromium refuses its sandbox to root. */
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
    if (new URL(request.url()).origin !== new URL(url).origin) faults.push(`asked for ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    if (faults.length > 0) throw new Error(`the page had faults:\n${faults.join('\n')}`);
  });
  await before?.(page);
  await page.goto(url);
  return page;
}

/** What axe finds wrong with a page, a line each: the rule and where. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated rather than added as a script, which the page's policy forbids.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Pixels by which a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;
}
