import { inGroups } from '@shiplog/testing';
import { inBrowser, type OpenPage, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { isLive, type TestDashboard, testDashboard } from './support/dashboard.ts';

type Fields = Parameters<TestDashboard['post']>[0];

/** On a busy machine, a page may be slow. */
const patient = { timeout: 20_000 };

/** Posts a deployment of payments-api whose `deployment_id` ends with its environment. */
async function promote(
  { post }: TestDashboard,
  id: string,
  environment: string,
  minutesAgo: number,
  fields: Fields = {},
): Promise<void> {
  await post({ deployment_id: id, environment, version: '1.0', ...fields }, minutesAgo);
}

/** Posts a promotion from dev through staging to prod, with this final status. */
async function promoteAll(
  dashboard: TestDashboard,
  name: string,
  minutesAgo: number,
  status: Fields['status'] = 'success',
): Promise<void> {
  await promote(dashboard, `${name}-dev`, 'dev', minutesAgo, { version: name });
  const fromDev = { version: name, parent_deployments: [`${name}-dev`] };
  await promote(dashboard, `${name}-staging`, 'staging', minutesAgo - 1, fromDev);
  const fromStaging = { version: name, status, parent_deployments: [`${name}-staging`] };
  await promote(dashboard, `${name}-prod`, 'prod', minutesAgo - 2, fromStaging);
}

async function openLanes(open: OpenPage, { url }: TestDashboard, search = '&service=payments-api'): Promise<Page> {
  const page = await open(`${url}?view=swimlanes${search}`);
  await isLive(page);
  return page;
}

/** The graph node with this `deployment_id`. */
function node(page: Page, id: string) {
  return page.locator(`.deployment-node[title="${id}"]`);
}

async function boxOf(page: Page, id: string) {
  const box = await node(page, id).boundingBox();
  if (!box) throw new Error(`${id} is not visible`);
  return box;
}

/** The ends of the graph's lines in page pixels, from left to right. */
async function lines(page: Page): Promise<{ left: number; right: number }[]> {
  const boxes = await page
    .locator('.graph-edges .edge-path')
    .evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect()));
  return boxes
    .map(({ left, right }) => ({ left: Math.round(left), right: Math.round(right) }))
    .sort((one, other) => one.left - other.left);
}

inBrowser('the pipelines view', (open) => {
  test('services are sorted by progress, and the graph of an opened service has the same columns and follows the log', async () => {
    const dashboard = await testDashboard();
    await promoteAll(dashboard, '1.4', 60);
    await promoteAll(dashboard, '1.5', 30, 'failure');
    await dashboard.post({ service: 'ledger', environment: 'dev', version: '2' }, 20);
    await dashboard.post({ service: 'ledger', environment: 'staging', version: '2', status: 'in-progress' }, 10);
    await dashboard.post({ service: 'web', environment: 'dev', version: '7' }, 9);
    for (const service of ['order-svc', 'cart']) {
      for (const environment of ['dev', 'staging', 'prod'])
        await dashboard.post({ service, environment, version: '3' }, 5);
    }
    const page = await openLanes(open, dashboard, '');
    const section = (title: string) => page.getByRole('region', { name: title, exact: true });
    const names = (title: string) => section(title).locator('.pipeline-toggle, .released-row .cut').allInnerTexts();
    await expect.poll(() => names('Halted'), patient).toEqual(['payments-api']);
    expect(await names('Moving')).toEqual(['ledger']);
    expect(await names('Not yet in prod')).toEqual(['web']);
    expect(await names('Released to prod')).toEqual(['cart', 'order-svc']);
    expect(await section('Halted').locator('.pipeline-row').innerText()).toMatch(
      /^payments-api\s+1\.5\s+dev succeeded, .*\s+failed in prod, 2\d min$/,
    );
    expect(await page.locator('.pipeline-stages .unseen').allTextContents()).toEqual([
      'dev succeeded, staging succeeded, prod failed',
      'dev succeeded, staging running, prod not yet',
      'dev succeeded, prod not yet',
    ]);
    await page.getByRole('link', { name: 'payments-api', exact: true }).click();
    await page.waitForURL('**/?view=swimlanes&opened=payments-api');
    await node(page, '1.5-prod').waitFor();
    const head = await page.locator('.pipelines-head .pipeline-stage', { hasText: 'prod' }).boundingBox();
    const { x, width } = await boxOf(page, '1.5-prod');
    expect(x + width / 2).toBeCloseTo((head?.x ?? 0) + (head?.width ?? 0) / 2, -1);
    const others = page.getByRole('list', { name: 'Other releases' });
    await others.getByText('runs in prod').waitFor();
    // The facts are to the left of the graph, not above it.
    const known = await page.locator('.pipeline-facts-side').boundingBox();
    const first = await boxOf(page, '1.5-dev');
    expect((known?.x ?? 0) + (known?.width ?? 0)).toBeLessThan(first.x);
    expect(known?.y).toBeCloseTo((await page.locator('.promotions').boundingBox())?.y ?? 0, 0);
    await others.getByRole('link', { name: '1.4' }).hover({ timeout: 10_000 });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('payments-api');
    await promote(dashboard, '1.5-again', 'prod', 0, { version: '1.5', parent_deployments: ['1.5-staging'] });
    await section('Halted').getByText('reached prod').first().waitFor();
    await node(page, '1.5-again').waitFor();
    await dashboard.post({ service: 'new', environment: 'dev', version: '1', status: 'in-progress' });
    await page.getByRole('button', { name: '2 lines would move. Update order' }).click();
    await expect.poll(() => names('Moving'), patient).toEqual(['ledger', 'new']);
    expect(await names('Released to prod')).toEqual(['cart', 'order-svc', 'payments-api']);
    expect(await section('Halted').count()).toBe(0);
    await page.getByRole('link', { name: 'payments-api', exact: true }).click();
    await page.waitForURL('**/?view=swimlanes');
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^payments-api/);
    await page.getByLabel('Filter by service, version or actor').fill('ledg');
    await expect.poll(() => page.locator('.pipeline-toggle').allInnerTexts(), patient).toEqual(['ledger']);
  });

  test('only visible rows of many services are rendered', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ service: 'web', environment: 'prod', version: '1' }, 5);
    await inGroups(
      Array.from({ length: 250 }, (_, index) => `service-${String(index).padStart(3, '0')}`),
      (service, index) => dashboard.post({ service, environment: 'dev', version: '1' }, 5 + index),
    );
    const page = await openLanes(open, dashboard, '');
    const drawn = () => page.locator('.pipeline-row').count();
    expect(await page.locator('.short .section-count').innerText()).toBe('250');
    await expect.poll(drawn, patient).toBeLessThan(150);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await page.getByText('service-249').waitFor();
    expect(await page.getByText('service-000').count()).toBe(0);
  });

  test('a promotion is drawn from left to right, with a line from each deployment to the next', async () => {
    const dashboard = await testDashboard();
    await promoteAll(dashboard, '1.4', 20);
    const page = await openLanes(open, dashboard);
    await node(page, '1.4-prod').waitFor();
    const [dev, staging, prod] = [
      await boxOf(page, '1.4-dev'),
      await boxOf(page, '1.4-staging'),
      await boxOf(page, '1.4-prod'),
    ];
    expect(dev.x + dev.width).toBeLessThan(staging.x);
    expect(staging.x + staging.width).toBeLessThan(prod.x);
    expect([staging.y, prod.y]).toEqual([dev.y, dev.y]);
    const near = (pixels: number) => expect.closeTo(pixels, -1);
    expect(await lines(page)).toEqual([
      { left: near(dev.x + dev.width), right: near(staging.x) },
      { left: near(staging.x + staging.width), right: near(prod.x) },
    ]);
    expect(await page.locator('.graph-head').allInnerTexts()).toEqual(['dev', 'staging', 'prod']);
    expect(await page.locator('.deployment-node .unseen').allTextContents()).toEqual([
      'payments-api 1.4 in dev succeeded 20 minutes ago',
      'payments-api 1.4 in staging succeeded 19 minutes ago, promoted from 1.4-dev in dev',
      'payments-api 1.4 in prod succeeded 18 minutes ago, promoted from 1.4-staging in staging',
    ]);
    expect(await page.locator('.chain-card summary').innerText()).toMatch(/1\.4\s+reached prod\s+3 deployments/);
  });

  test('the line to a failed deployment is recognizable without colour: dotted, with a cross, explained in the legend', async () => {
    const dashboard = await testDashboard();
    await promoteAll(dashboard, '1.4', 20, 'failure');
    const page = await openLanes(open, dashboard);
    await node(page, '1.4-prod').waitFor();
    const look = (outcome: string) =>
      page
        .locator(`.graph-edges .graph-edge.${outcome}`)
        .evaluateAll((edges) =>
          edges.map(({ children }) => [
            children.length,
            ...[...children].slice(0, 1).map((path) => getComputedStyle(path).strokeDasharray),
          ]),
        );
    expect(await look('ok')).toEqual([[2, 'none']]);
    expect(await look('bad')).toEqual([[3, '0.1px, 4px']]);
    expect(await page.locator('.graph-legend li').allInnerTexts()).toEqual(['succeeded', 'failed or rejected']);
    expect(await node(page, '1.4-prod').locator('.node-status').innerText()).toBe('failed');
    expect(await page.locator('.chain-card summary').innerText()).toMatch(/reached staging, failed in prod/);
  });

  test('an absent parent is drawn on the left with its reason until it arrives', async () => {
    const dashboard = await testDashboard();
    await promote(dashboard, 'child', 'staging', 5, { parent_deployments: ['gone'] });
    const page = await openLanes(open, dashboard);
    const absent = page.locator('.absent-node', { hasText: 'not in the log' });
    await absent.waitFor();
    expect(await absent.innerText()).toMatch(/^gone\s+not in the log$/);
    const [parent, child] = [await absent.boundingBox(), await boxOf(page, 'child')];
    expect(parent && parent.x + parent.width).toBeLessThan(child.x);
    expect(await page.locator('.graph-head').allInnerTexts()).toEqual(['before', 'staging']);
    expect(await page.locator('.chain-card summary').innerText()).toMatch(/1 deployment, 1 parent not in the log/);
    expect(await node(page, 'child').locator('.unseen').textContent()).toMatch(
      /promoted from gone \(not in the log\)$/,
    );
    await promote(dashboard, 'gone', 'dev', 10);
    await node(page, 'gone').waitFor();
    expect(await absent.count()).toBe(0);
    expect(await page.locator('.graph-head').allInnerTexts()).toEqual(['dev', 'staging']);
  });

  test('a parent in another service is drawn with its name', async () => {
    const dashboard = await testDashboard();
    await promote(dashboard, 'base-1', 'dev', 10, { service: 'base-image' });
    await promote(dashboard, 'child', 'dev', 5, { parent_deployments: ['base-1'] });
    const page = await openLanes(open, dashboard);
    await node(page, 'base-1').getByText('base-image', { exact: true }).waitFor();
    expect((await lines(page)).length).toBe(1);
  });

  test('the newest chain is open, and a click opens other chains', async () => {
    const dashboard = await testDashboard();
    await promoteAll(dashboard, '1.3', 60);
    await promoteAll(dashboard, '1.4', 20);
    const page = await openLanes(open, dashboard);
    const cards = page.locator('.chain-card');
    await node(page, '1.4-prod').waitFor();
    await expect.poll(() => cards.locator('.chain-version').allInnerTexts()).toEqual(['1.4', '1.3']);
    expect(await node(page, '1.3-prod').count()).toBe(0);
    await cards.nth(1).locator('summary').click();
    await node(page, '1.3-prod').waitFor();
    const [newer, older] = [await boxOf(page, '1.4-prod'), await boxOf(page, '1.3-prod')];
    expect(older.x).toBe(newer.x);
    await cards.nth(0).locator('summary').click();
    await node(page, '1.4-prod').waitFor({ state: 'detached' });
  });

  test("a new promotion appears in its chain, and a newer chain doesn't close others", async () => {
    const dashboard = await testDashboard();
    await promote(dashboard, 'a-dev', 'dev', 5);
    await promote(dashboard, 'a-staging', 'staging', 4, { parent_deployments: ['a-dev'] });
    const page = await openLanes(open, dashboard);
    await node(page, 'a-staging').waitFor();
    const sent = Date.now();
    await promote(dashboard, 'a-prod', 'prod', 0, { parent_deployments: ['a-staging'], status: 'in-progress' });
    await node(page, 'a-prod').filter({ hasText: 'running' }).waitFor();
    expect(Date.now() - sent).toBeLessThan(5000);
    expect((await boxOf(page, 'a-prod')).x).toBeGreaterThan((await boxOf(page, 'a-staging')).x);
    await promote(dashboard, 'a-prod', 'prod', 0, { status: 'success' });
    await node(page, 'a-prod').filter({ hasText: 'succeeded' }).waitFor();
    expect((await lines(page)).length).toBe(2);
    await promote(dashboard, 'b-dev', 'dev', 0, { version: '2.0' });
    await expect.poll(() => page.locator('.chain-version').allInnerTexts()).toEqual(['2.0', '1.0']);
    expect(await node(page, 'a-prod').isVisible()).toBe(true);
  });

  test('a click on a deployment opens the slot history, and the focus returns when it closes', async () => {
    const dashboard = await testDashboard();
    await promoteAll(dashboard, '1.4', 20);
    const page = await openLanes(open, dashboard);
    await node(page, '1.4-staging').click();
    await page.getByRole('dialog', { name: 'History of payments-api in staging' }).waitFor();
    await page.waitForURL('**/?view=swimlanes&service=payments-api&history=payments-api&in=staging');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.title')).toBe('1.4-staging');
  });

  test("cyclic parents and a deployment that is its own parent don't break the page", async () => {
    const dashboard = await testDashboard();
    const circle = ['dev', 'staging', 'prod'];
    for (const [index, environment] of circle.entries()) {
      const parent_deployments = [`c-${circle[(index + 2) % 3]}`];
      await promote(dashboard, `c-${environment}`, environment, 9 - index, { parent_deployments });
    }
    await promote(dashboard, 'self', 'dev', 1, { parent_deployments: ['self'] });
    const page = await openLanes(open, dashboard);
    await node(page, 'self').waitFor();
    await page.locator('.chain-card summary').nth(1).click();
    for (const environment of circle) await node(page, `c-${environment}`).waitFor();
    expect((await lines(page)).length).toBe(3);
    await node(page, 'c-prod').click();
    await page.getByRole('dialog', { name: 'History of payments-api in prod' }).waitFor();
  });

  test('deployments without parents share one drawing with a hint about how lines appear', async () => {
    const dashboard = await testDashboard();
    await promote(dashboard, 'one', 'dev', 2);
    await promote(dashboard, 'two', 'prod', 1);
    const page = await openLanes(open, dashboard);
    await page.getByText('No deployment names the one it was promoted from.').waitFor();
    expect((await boxOf(page, 'one')).x).toBeLessThan((await boxOf(page, 'two')).x);
    expect(await lines(page)).toEqual([]);
  });

  test('the view reports an unknown service and an empty log', async () => {
    const dashboard = await testDashboard();
    const page = await openLanes(open, dashboard, '');
    await page.getByText('No deployments yet').waitFor();
    await dashboard.post({ service: 'ledger', version: '1' });
    await page.getByRole('link', { name: /^ledger/ }).waitFor();
    await page.goto(`${dashboard.url}?view=swimlanes&service=nobody`);
    await page.getByText('The log has no events of nobody.').waitFor();
    await page.getByRole('link', { name: 'Show everything' }).click();
    await page.getByRole('link', { name: /^ledger/ }).waitFor();
  });
});
