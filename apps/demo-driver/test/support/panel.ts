import { driverPanelPath, neighbourPaths } from '@shiplog/companions';
import { answers, sends, type TestClock } from '@shiplog/testing';
import type { OpenPage, Page, PageOptions } from '@shiplog/testing/browser';
import { drivenUpstream, type TestDriver, type TestDriverOptions } from './driver.ts';
import { routes, type Upstream } from './upstream.ts';

export const resetId = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';

/** The panel of a real driver with scripted service, emulator and fetcher. */
export interface OpenPanel {
  readonly page: Page;
  readonly driver: TestDriver;
  readonly upstream: Upstream;
  readonly clock: TestClock;
}

export interface PanelOptions extends PageOptions {
  readonly emulator?: boolean;
  readonly driver?: TestDriverOptions;
}

/** Opens the panel and waits until it follows all feeds. */
export async function openPanel(open: OpenPage, options: PanelOptions = {}): Promise<OpenPanel> {
  const world = await drivenUpstream(options.driver);
  const { upstream, driver } = world;
  upstream.script(routes.deployments, sends(': hello\n\n'));
  upstream.script('GET /healthz', answers(200, '{}'));
  if (options.emulator) {
    upstream.script(`GET ${neighbourPaths.emulatorStatus}`, answers(200, '{"dataset":"<b>demo</b>","repos":13}'));
    upstream.script(`GET ${neighbourPaths.emulatorEmission}`, answers(200, '{"emitting":false}'));
  }
  const page = await open(`${driver.url}${driverPanelPath}`, options);
  await live(page);
  return { ...world, page };
}

/** Waits until the page follows all feeds. */
export async function live(page: Page): Promise<void> {
  await page.locator('#live', { hasText: /^live$/ }).waitFor();
}

/** Sends a deployment event on the service's stream. */
export function deployed(upstream: Upstream, fields: object): Promise<void> {
  const event = { service: 'payments-api', environment: 'staging', status: 'success', ...fields };
  return upstream.send(routes.deployments, `event: deployment\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Sends a component event on the service's stream. */
export function reported(upstream: Upstream, fields: object): Promise<void> {
  const record = {
    component_id: 'dashboard-fetcher',
    correlation_id: null,
    event_type: 'status',
    state: 'running',
    occurred_at: '2026-05-04T09:12:02Z',
    received_at: '2026-05-04T09:12:02Z',
    ...fields,
  };
  return upstream.send(routes.components, `event: component\ndata: ${JSON.stringify(record)}\n\n`);
}

/** The texts of the visible rows of a feed, newest first. */
export async function rows(page: Page, feed: 'deployments' | 'events'): Promise<string[]> {
  return page.locator(`#${feed} > li:visible`).allInnerTexts();
}

/** Waits for a row that contains a text. */
export async function rowWith(page: Page, feed: 'deployments' | 'events', text: string): Promise<void> {
  await page.locator(`#${feed} > li`, { hasText: text }).first().waitFor();
}
