import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoSet, driverEndpoints, driverPanelPath, mockEndpoints } from '@shiplog/companions';
import { type ComponentEvent, endpoints, headerNames, keyHeaders, type RateLimit } from '@shiplog/contract';
import { launchBrowser, type Page } from '@shiplog/testing/browser';
import { ProgramProcess } from '@shiplog/testing/process';

// Takes the screenshots for docs/images: the built service, driver, mock and CI emulator, with the demo set posted and
// reports like those of a fetcher. An optional argument names another folder, which also gets the pictures for phones.

const apiKey = 'key-of-the-pictures';
const controlKey = 'control-key-of-the-pictures';
const folder = process.argv[2] ?? fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const forPhones = process.argv[2] !== undefined;

const data = await mkdtemp(join(tmpdir(), 'shiplog-pictures-'));
const keys = { API_KEY: apiKey, CONTROL_API_KEY: controlKey, PORT: '0' };
const service = ProgramProcess.start('service', { ...keys, DATA_DIR: join(data, 'service') });
const mock = ProgramProcess.start('mock', { PORT: '0' });
const emulator = ProgramProcess.start('ci-emulator', { PORT: '0' });
const serviceUrl = await service.ready();
const driver = ProgramProcess.start('demo-driver', {
  ...keys,
  WRITE_API_URL: serviceUrl,
  CI_EMULATOR_URL: await emulator.ready(),
});
const browser = await launchBrowser();
try {
  const driverUrl = await driver.ready();
  const panelUrl = new URL(driverPanelPath, driverUrl).href;
  for (const look of looks('driver-panel')) {
    await picture({
      ...look,
      url: panelUrl,
      prepare: (page) => report(page, { driverUrl, serviceUrl }),
      shows: '571 of 600',
    });
  }
  const mockUrl = await mock.ready();
  await post(new URL(mockEndpoints.switchMockEmission.path, mockUrl), { enabled: true });
  for (const look of looks('mock-panel').slice(0, forPhones ? 3 : 1)) {
    await picture({ ...look, url: mockUrl, prepare: () => arrive(mockUrl), shows: 'emittedRun' });
  }
} finally {
  await browser.close();
  await Promise.all([driver, emulator, mock, service].map((program) => program.terminate()));
  await rm(data, { recursive: true, force: true });
}

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

function looks(name: string): Look[] {
  const desk: Look[] = [
    { name, colorScheme: 'light', width: 1280 },
    { name: `${name}-dark`, colorScheme: 'dark', width: 1280 },
  ];
  return forPhones ? [...desk, { name: `${name}-phone`, colorScheme: 'light', width: 375 }] : desk;
}

async function picture({
  name,
  colorScheme,
  width,
  url,
  prepare,
  shows,
}: Look & {
  readonly url: string;
  readonly prepare: (page: Page) => Promise<void>;
  readonly shows: string;
}): Promise<void> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 640 }, reducedMotion: 'reduce' });
  await page.goto(url);
  await page.locator('#live', { hasText: /^live$/ }).waitFor();
  await prepare(page);
  await page.locator('main', { hasText: shows }).waitFor();
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.close();
}

/** Posts the demo set, and the reports that a fetcher would send meanwhile. */
async function report(
  page: Page,
  { driverUrl, serviceUrl }: { readonly driverUrl: string; readonly serviceUrl: string },
): Promise<void> {
  await post(new URL(driverEndpoints.startIngest.path, driverUrl), {});
  await page.getByText(`Ingest done: ${demoSet.events} of ${demoSet.events} sent`).waitFor();
  const occurred_at = new Date().toISOString();
  const reset_at = new Date(Date.now() + 34 * 60_000).toISOString();
  const limits: RateLimit[] = [
    { adapter: 'github-actions', ci_limit: 5000, ci_remaining: 3719, own_budget: 1500, own_used: 412, reset_at },
    { adapter: 'gitlab-ci', ci_limit: null, ci_remaining: null, own_budget: 600, own_used: 571, reset_at: null },
  ];
  const events: ComponentEvent[] = [
    { event_type: 'status', state: 'running', detail: 'polling every 60 s', occurred_at },
    ...limits.map((payload) => ({ event_type: 'rate-limit', state: 'running' as const, occurred_at, payload })),
    { event_type: 'error', state: 'error', detail: 'gitlab-ci answered 502; next try in 30 s', occurred_at },
    { event_type: 'heartbeat', state: 'running', occurred_at },
  ];
  for (const event of events) {
    await post(new URL(endpoints.reportComponentEvent.path, serviceUrl), event, {
      [headerNames.componentId]: 'dashboard-fetcher',
      [headerNames.correlationId]: '4f6d2c1e-0b7a-4a55-9d0e-7c1f52b8a9d3',
    });
  }
}

/** Posts events to the mock as pipelines do, in addition to its emitted ones. */
async function arrive(mockUrl: string): Promise<void> {
  const happened_at = new Date().toISOString();
  for (const [service, version, environment, status] of [
    ['catalog-edge', '3.0.0-rc.2', 'qa', 'success'],
    ['order-svc', '2.11.0', 'dev', 'success'],
    ['order-svc', '2.11.0', 'staging', 'in-progress'],
    ['order-svc', '2.11.0', 'staging', 'failure'],
    ['payments-api', '1.4.2', 'dev', 'success'],
    ['payments-api', '1.4.2', 'staging', 'success'],
    ['payments-api', '1.4.2', 'qa', 'in-progress'],
  ]) {
    const deployment_id = `${service}-${version}-${environment}`;
    const event = { deployment_id, service, version, environment, status, happened_at, actor: 'alice' };
    await post(new URL(endpoints.appendDeployment.path, mockUrl), event, { [keyHeaders.api]: 'dev-api-key' });
  }
}

async function post(url: URL, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const sent = { [keyHeaders.api]: apiKey, ...headers };
  const { ok, status } = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
  if (!ok) throw new Error(`${url.pathname} answered ${status}`);
}
