import type { OpenPage, Page, PageOptions } from '@shiplog/testing/browser';
import { isLive, type TestDashboard } from './dashboard.ts';

/** A view of the page, with the log of `postBoard` and the events of `postNews`. */
export interface ViewCase {
  readonly search: string;
  /** The selector of an element that shows that the view is ready. */
  readonly ready: string;
  /** The width of the window; 1280 by default. */
  readonly width?: number;
  /** Matches the text of the view after this many calls of `postNews`. */
  readonly told: (news: number) => RegExp;
  /** Matches the text of the view on an empty log. */
  readonly empty: RegExp;
  /** Whether the view shows the past and is therefore never live. */
  readonly isPast?: boolean;
}

const version = (news: number) => new RegExp(`\\b9\\.9\\.${news}\\b`);
const actor = (news: number) => new RegExp(`\\brobot-${news}\\b`);
const firstSteps = /No deployments yet/;
const tenMinutesAgo = () => new Date(Date.now() - 600_000).toISOString();

/** Every view of the page, by name. */
export const viewCases: Readonly<Record<string, ViewCase>> = {
  board: { search: '', ready: '.cell, .phone-service', told: version, empty: firstSteps },
  phone: { search: '', ready: '.phone-service', width: 390, told: version, empty: firstSteps },
  wall: { search: '?layout=wall', ready: '.wall-cell, .wall-narrow', told: version, empty: /Nothing to show/ },
  past: {
    search: `?asof=${tenMinutesAgo()}`,
    ready: '.past-band',
    // Five events of the initial log happened after that time.
    told: (news) => new RegExp(`\\b${5 + 3 * news} events since`),
    empty: /No events since/,
    isPast: true,
  },
  drawer: {
    search: '?history=payments-api&in=prod',
    ready: '[role=dialog] .event',
    told: version,
    empty: /Nothing has been deployed here yet/,
  },
  pipelines: { search: '?layout=progress', ready: '.progress-row', told: version, empty: firstSteps },
  'an opened pipeline': {
    search: '?layout=progress&service=payments-api',
    ready: '.attempt',
    told: version,
    empty: firstSteps,
  },
  releases: { search: '?view=releases', ready: '.releases tbody tr', told: version, empty: /No release yet/ },
  'a release': {
    search: '?view=releases&of=payments-api&release=1.4.2&into=dev',
    ready: '.answer-sentence',
    told: actor,
    empty: /No event names 1\.4\.2/,
  },
  compare: {
    search: '?view=compare&source=staging&target=prod',
    ready: '.compare tbody tr',
    told: version,
    empty: /Nothing to compare/,
  },
  changes: {
    search: '?view=changes&environment=*',
    ready: '.changes > .changes-list .change',
    told: version,
    empty: firstSteps,
  },
  'net changes': { search: '?view=changes&environment=*&net=1', ready: '.net td', told: version, empty: firstSteps },
  analytics: {
    search: '?view=analytics',
    ready: 'main svg',
    told: (news) => new RegExp(`${3 + news} deployments ended in production`),
    empty: /No data yet/,
  },
  evidence: {
    search: '?view=analytics&evidence=change_failure_rate',
    ready: '.evidence-bar',
    told: (news) => new RegExp(`\\bnews-${news}\\b`),
    empty: /No data yet/,
  },
  'data quality': {
    search: '?view=analytics&tab=quality',
    ready: '.reporters td',
    told: (news) => new RegExp(`\\b${14 + 3 * news}\\s+events in 24 h`),
    empty: /No data yet/,
  },
};

/** Posts one event of each kind that a view shows. */
export async function postNews({ post }: TestDashboard, news: number): Promise<void> {
  const service = 'payments-api';
  const deployment_id = `news-${news}`;
  await post({ service, environment: 'dev', version: '1.4.2', actor: `robot-${news}`, deployment_id });
  await post({ service, environment: 'staging', version: `9.9.${news}`, deployment_id });
  await post({ service, environment: 'prod', version: `9.9.${news}`, status: 'failure', deployment_id });
}

/** Opens a view in a page with its own event source. The test may control the page's clock. */
export async function openAlone(
  open: OpenPage,
  url: string,
  { search, ready, width = 1280 }: ViewCase,
  { isTimed = false, ...options }: PageOptions & { readonly isTimed?: boolean } = {},
): Promise<Page> {
  const page = await open(`${url}mark.svg`, { ...options, width });
  await page.addInitScript('delete window.SharedWorker');
  if (isTimed) await page.clock.install();
  await page.goto(`${url}${search}`);
  await page.locator(ready).first().waitFor();
  return page;
}

/** Waits until a view is complete. */
export async function isComplete(page: Page, { ready, isPast }: Pick<ViewCase, 'ready' | 'isPast'>): Promise<void> {
  await page.locator(ready).first().waitFor();
  if (!isPast) await isLive(page);
  await page.locator('main', { hasNotText: /Asking|Loading/ }).waitFor();
}

/** The complete text of a page. */
export function saidBy(page: Page): Promise<string> {
  return page.evaluate(
    `[...document.querySelectorAll('main, .past-room, .drawer')].map((part) => part.innerText).join('\\n')`,
  ) as Promise<string>;
}

/** The classes of elements that have a state colour. */
export function coloured(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    const tones = ['ok', 'run', 'bad'].flatMap((tone) => [tone, tone + '-line', ...(tone === 'ok' ? [] : [tone + '-bg'])]);
    const colours = new Set(tones.map((name) => {
      probe.style.color = 'var(--' + name + ')';
      return getComputedStyle(probe).color;
    }));
    probe.remove();
    const worn = (element) => {
      const style = getComputedStyle(element);
      return [style.color, style.backgroundColor, style.borderLeftColor, style.borderTopColor, style.fill, style.stroke];
    };
    return [...document.querySelectorAll('main *, .drawer *, .evidence *')]
      .filter((element) => worn(element).some((colour) => colours.has(colour)))
      .map((element) => element.getAttribute('class') ?? element.tagName);
  })()`);
}
