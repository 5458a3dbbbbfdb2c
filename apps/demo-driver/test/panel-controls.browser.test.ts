import { neighbourPaths } from '@shiplog/companions';
import { answers } from '@shiplog/testing';
import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { anItem, scenarioFolder } from './support/driver.ts';
import { openPanel, resetId, rows, rowWith } from './support/panel.ts';
import { routes } from './support/upstream.ts';

inBrowser('the controls of the driver panel', (open) => {
  test('the panel posts the demo set and shows the progress and each event', async () => {
    const { page, upstream } = await openPanel(open);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('47 of 47 sent · 0 errors').waitFor();
    await page.locator('#ingest-state', { hasText: 'done' }).waitFor();
    expect(upstream.posts).toHaveLength(47);
    await expect.poll(() => page.locator('#events > li', { hasText: 'posted' }).count()).toBe(20);
    expect(await page.evaluate('document.querySelector("progress").position')).toBe(1);
  });

  test('a run with pauses can be stopped, and its counters can be reset', async () => {
    const { page, driver } = await openPanel(open);
    await page.getByLabel('Pause in ms').fill('60000');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('#ingest-state', { hasText: 'running' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('#ingest-state', { hasText: 'stopped early' }).waitFor();
    await page.getByRole('button', { name: 'Reset counters' }).click();
    await page.locator('#ingest-counts', { hasText: '0 of 47 sent' }).waitFor();
    expect((await driver.status()).state).toBe('idle');
  });

  test('exactly the requested number of random services is generated', async () => {
    const { page, upstream } = await openPanel(open);
    await page.getByLabel('What to post').selectOption('Random services');
    await page.getByLabel('Services, 1 to 10').fill('11');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('#ingest-count:out-of-range').waitFor();
    await page.getByLabel('Services, 1 to 10').fill('2');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('#ingest-state', { hasText: 'done' }).waitFor();
    expect(new Set(upstream.posts.map(({ service }) => service)).size).toBe(2);
  });

  test('each dataset and scenario is listed once', async () => {
    const { page } = await openPanel(open);
    await page.locator('#ingest-source option', { hasText: 'history' }).waitFor({ state: 'attached' });
    expect(await page.locator('#ingest-source option').allInnerTexts()).toEqual([
      'Demo set',
      'Random services',
      'history',
    ]);
    const scenariosDir = await scenarioFolder({});
    const { page: without } = await openPanel(open, { driver: { config: { scenariosDir } } });
    expect(await without.locator('#ingest-source option').allInnerTexts()).toEqual(['Demo set', 'Random services']);
    expect(await without.locator('#ingest-source optgroup').evaluateAll((all) => all.length)).toBe(1);
  });

  test('choosing a scenario shows which of its events the target will refuse', async () => {
    const { page, upstream } = await openPanel(open);
    const status = { enum: ['in-progress', 'success', 'failure'] };
    const schema = { properties: { status } };
    const post = { requestBody: { content: { 'application/json': { schema } } } };
    upstream.script('GET /openapi.json', answers(200, JSON.stringify({ paths: { '/api/deployments': { post } } })));
    const note = page.locator('#ingest-outlook');
    expect(await note.isVisible()).toBe(false);
    await page.getByLabel('What to post').selectOption('history');
    await note.waitFor();
    expect(await note.innerText()).toMatch(
      /^The target will refuse \d+ of 958 events, those with status pending, queued, waiting, cancelled, rejected\.$/,
    );
    await page.getByLabel('What to post').selectOption('Demo set');
    await note.waitFor({ state: 'hidden' });
  });

  test('a scenario file is listed by name and can be run', async () => {
    const scenariosDir = await scenarioFolder({ 'friday night.json': { events: [anItem({ service: 'night-svc' })] } });
    const { page, upstream } = await openPanel(open, { driver: { config: { scenariosDir } } });
    await page.getByLabel('What to post').selectOption('friday night');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('#ingest-counts', { hasText: '1 of 1 sent · 0 errors · friday night' }).waitFor();
    expect(upstream.posts.map(({ service }) => service)).toEqual(['night-svc']);
  });

  test("an event that the service refuses is counted and shown with the service's response", async () => {
    const scenariosDir = await scenarioFolder({ 'refused.json': { events: [anItem({ deployment_id: 'gha-1' })] } });
    const { page, upstream } = await openPanel(open, { driver: { config: { scenariosDir } } });
    upstream.script(routes.post, answers(422, '{}'));
    await page.getByLabel('What to post').selectOption('refused');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('0 of 1 sent · 1 error ·').waitFor();
    expect(await page.locator('#ingest-counts').evaluate((counts) => counts.getClientRects()[0]?.height)).toBe(16);
    await rowWith(page, 'events', 'answered 422 · 1 attempt · demo-driver/refused');
    expect(await page.locator('#events > li', { hasText: 'not stored' }).innerText()).toContain('gha-1');
  });

  test('live emission is switched on and off', async () => {
    const { page, upstream, clock } = await openPanel(open);
    const emission = page.getByRole('switch', { name: 'Live emission' });
    await page.locator('#emission-switch[aria-checked=false]', { hasText: 'Off' }).waitFor();
    await emission.click();
    await page.locator('#emission-switch[aria-checked=true]', { hasText: 'On' }).waitFor();
    await clock.pass(8000);
    await rowWith(page, 'events', 'demo-driver/emit');
    await emission.click();
    await page.locator('#emission-switch[aria-checked=false]').waitFor();
    await upstream.until(() => upstream.reports.some((report) => report.startsWith('status idle')));
  });

  test('the emission switch ignores a status requested before it was pressed', async () => {
    const { page, upstream } = await openPanel(open);
    const emission = page.locator('#emission-switch');
    const asked = () => page.waitForRequest((one) => one.method() === 'GET' && one.url().endsWith('/demo/emit'));
    let answer = () => {};
    const released = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const fetched = new Promise<void>((resolve) => {
      void page.route('**/demo/emit', async (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const response = await route.fetch();
        resolve();
        await released;
        await route.fulfill({ response });
      });
    });
    await fetched;
    await emission.click();
    await page.locator('#emission-switch[aria-checked=true]').waitFor();
    // A later response may restore the state before the assertion sees it.
    await page.evaluate(`new MutationObserver(([{ target }]) => {
      if (target.getAttribute('aria-checked') !== 'true') document.title = 'turned back';
    }).observe(document.getElementById('emission-switch'), { attributes: true, attributeFilter: ['aria-checked'] })`);
    // The page sends another request, but only after it has handled the first response.
    await upstream.tell('reset-aborted', resetId);
    await rowWith(page, 'events', 'reset-aborted');
    const next = asked();
    answer();
    await next;
    expect(await emission.getAttribute('aria-checked')).toBe('true');
    expect(await page.title()).not.toBe('turned back');
    // The page keeps sending requests and may be closed during one.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('buttons seed and clear the emulator and switch its emission while it is up', async () => {
    const { page, upstream } = await openPanel(open, { emulator: true });
    const emission = `POST ${neighbourPaths.emulatorEmission}`;
    for (const route of [neighbourPaths.emulatorSeed, neighbourPaths.emulatorClear]) {
      upstream.script(`POST ${route}`, answers(200, '{}'));
    }
    upstream.script(emission, answers(200, '{"emitting":true}'));
    const card = page.locator('#emulator');
    await card.waitFor();
    await card.getByText('<b>demo</b>').waitFor();
    await card.getByRole('button', { name: 'Seed' }).click();
    await upstream.until(() => upstream.of(`POST ${neighbourPaths.emulatorSeed}`).length === 1);
    await card.getByRole('button', { name: 'Clear' }).click();
    await upstream.until(() => upstream.of(`POST ${neighbourPaths.emulatorClear}`).length === 1);
    await card.getByRole('switch').click();
    await upstream.until(() => upstream.of(emission).length === 1);
    expect(JSON.parse(upstream.of(emission)[0]?.body.toString() ?? '')).toEqual({ enabled: true });
  });

  test("the emulator's contents are the first six members of its status", async () => {
    const { page, upstream } = await openPanel(open, { emulator: true });
    const holds = { dataset: 'demo', repos: 13, deployments: 174, statuses: 490, workflows: 17, environments: 44 };
    const status = { ...holds, emitting: false, seeded_at: null, seed: 1 };
    upstream.script(`GET ${neighbourPaths.emulatorStatus}`, answers(200, JSON.stringify(status)));
    const facts = page.locator('#emulator-facts > *');
    await page.getByRole('definition').getByText('174').waitFor();
    expect(await facts.allInnerTexts()).toEqual(Object.entries(holds).flat().map(String));
    const cleared = { ...status, dataset: '', repos: 0 };
    upstream.script(`GET ${neighbourPaths.emulatorStatus}`, answers(200, JSON.stringify(cleared)));
    await page.getByRole('definition').getByText('none').waitFor();
    expect((await facts.allInnerTexts()).slice(0, 4)).toEqual(['dataset', 'none', 'repos', '0']);
  });

  test('a refusal is shown with the detail of its problem', async () => {
    const { page, upstream } = await openPanel(open, { emulator: true, expectedLines: /409/ });
    const problem = { title: 'Conflict', status: 409, detail: 'The emulator is being seeded.' };
    upstream.script(`POST ${neighbourPaths.emulatorSeed}`, answers(409, JSON.stringify(problem)));
    await page.getByRole('button', { name: 'Seed' }).click();
    await page.getByRole('alert').getByText('The emulator is being seeded.').waitFor();
  });

  test("the health line names programs that are down, and the emulator's card is hidden while the emulator is down", async () => {
    const { page } = await openPanel(open);
    for (const words of ['driver up', 'api up', 'emulator down', 'fetcher down']) {
      await page.locator('#health li', { hasText: words }).waitFor();
    }
    expect(await page.locator('#emulator').isVisible()).toBe(false);
  });

  test('if the driver is not reachable, the page says how to start it', async () => {
    const { page, driver } = await openPanel(open, { expectedLines: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/ });
    await driver.stop();
    await page.getByText('npm run driver').waitFor();
    await page.locator('#live', { hasText: 'reconnecting' }).waitFor();
    // The event that the browser fires when a connection ends is not a frame of the feed (reading 9.9).
    expect(await rows(page, 'events')).toEqual([]);
  });
});
