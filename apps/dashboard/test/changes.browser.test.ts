import { inBrowser } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { headline, openChanges, rowOf, shows } from './support/changes.ts';
import { testDashboard } from './support/dashboard.ts';

const minuteMs = 60_000;
const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * minuteMs).toISOString();

inBrowser('the changes', (open) => {
  test('production of the last day in one sentence, with a row per deployment, and the rest as a count', async () => {
    const dashboard = await testDashboard();
    const pay = { service: 'pay', environment: 'prod' };
    await dashboard.post({ ...pay, version: '1.0', deployment_id: 'p-0' }, 3000);
    await dashboard.post({ ...pay, version: '1.1', deployment_id: 'p-1', status: 'queued', actor: 'anna' }, 60);
    await dashboard.post({ ...pay, version: '1.1', deployment_id: 'p-1', actor: 'anna' }, 50);
    await dashboard.post({ ...pay, version: '1.2', deployment_id: 'p-2', status: 'failure', actor: 'ci-bot' }, 40);
    await dashboard.post({ ...pay, version: '1.0', deployment_id: 'p-3', actor: 'anna' }, 30);
    await dashboard.post({ service: 'web', environment: 'prod', version: '7', deployment_id: 'w-1' }, 20);
    await dashboard.post({ service: 'web', environment: 'qa', version: '8', deployment_id: 'w-2' }, 10);
    const page = await openChanges(open, dashboard, '');
    await shows(page, ['7', '1.0', '1.2', '1.1']);
    await expect.poll(() => headline(page)).toBe('In prod, last 24 hours: 1 service changed, 1 failed');
    await page.getByText('4 deployments by 1 person and ci-bot').waitFor();
    const row = (await rowOf(page, '1.1').innerText()).replace(/\s+/g, ' ');
    expect(row).toMatch(/^succeeded pay 1\.0 → 1\.1 prod anna 10 min (today|yesterday) \d\d:\d\d$/);
    await rowOf(page, '1.0').getByText('rollback').waitFor();
    await page.getByRole('link', { name: '1 deployment elsewhere' }).click();
    await page.waitForURL('**/?view=changes&environment=*');
    await shows(page, ['8', '7', '1.0', '1.2', '1.1']);
    await page.getByRole('button', { name: 'Failed 1' }).click();
    await shows(page, ['1.2']);
    await page.reload();
    await shows(page, ['1.2']);
    await page.goto(`${dashboard.url}?view=changes&actor=anna`);
    await shows(page, ['1.0', '1.1']);
    await page.getByText('of 4 deployments', { exact: true }).waitFor();
    await expect.poll(() => headline(page)).toBe('In prod, last 24 hours: 2 deployments match');
  });

  test('live changes are added above and move as they end, and changes outside the range are not added', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: '1', deployment_id: 'a' }, 20);
    const page = await openChanges(open, dashboard);
    await shows(page, ['1']);
    await dashboard.post({ version: '2', deployment_id: 'b', status: 'in-progress' }, 2);
    await shows(page, ['2', '1']);
    await dashboard.post({ version: '3', deployment_id: 'c' }, 1);
    await shows(page, ['3', '2', '1']);
    await dashboard.post({ version: '2', deployment_id: 'b', status: 'failure' });
    await shows(page, ['2', '3', '1']);
    await expect.poll(() => headline(page)).toBe('In all environments, last 24 hours: 1 service changed, 1 failed');
    await page.goto(`${dashboard.url}?view=changes&environment=*&from=${at(60)}&to=${at(10)}`);
    await shows(page, ['1']);
    await page.getByText('This range is over').waitFor();
    await dashboard.post({ version: '4', deployment_id: 'd' });
    await dashboard.post({ version: 'late', deployment_id: 'e' }, 30);
    await shows(page, ['1', 'late']);
    await page.getByRole('link', { name: 'Go live' }).click();
    await page.waitForURL('**/?view=changes&environment=*&range=24h');
    await shows(page, ['4', '2', '3', '1', 'late']);
  });

  test('while the viewer is scrolled down, new changes wait behind a button and nothing moves', async () => {
    const dashboard = await testDashboard();
    const newest = Date.now() - minuteMs;
    for (let index = 0; index < 60; index += 1) {
      const happened_at = new Date(newest - 1000 * index).toISOString();
      await dashboard.post({ version: `v${index}`, deployment_id: `d-${index}`, happened_at });
    }
    const page = await openChanges(open, dashboard);
    const read = rowOf(page, 'v40');
    await read.scrollIntoViewIfNeeded();
    const painted = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    await page.evaluate(painted);
    const before = await read.boundingBox();
    await dashboard.post({ version: 'news', deployment_id: 'news' });
    const button = page.getByRole('button', { name: '1 new change' });
    await button.waitFor();
    expect(await read.boundingBox()).toEqual(before);
    expect(await rowOf(page, 'news').count()).toBe(0);
    await button.click();
    await rowOf(page, 'news').waitFor();
    await button.waitFor({ state: 'detached' });
  });

  test('no row moves while the mouse moves over the rows; new changes appear when it rests', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: '1', deployment_id: 'a' }, 20);
    const page = await openChanges(open, dashboard);
    await shows(page, ['1']);
    const read = rowOf(page, '1');
    await read.hover();
    const before = await read.boundingBox();
    await dashboard.post({ version: '2', deployment_id: 'b' });
    const button = page.getByRole('button', { name: '1 new change' });
    let moves = 0;
    const moved = async () => {
      await page.mouse.move((before?.x ?? 0) + 100 + (moves++ % 2), (before?.y ?? 0) + 10);
      return button.isVisible();
    };
    await expect.poll(moved, { timeout: 20_000 }).toBe(true);
    expect(await read.boundingBox()).toEqual(before);
    await shows(page, ['2', '1']);
    await button.waitFor({ state: 'detached' });
  });

  test('pages load as the viewer scrolls, each change once and in order', async () => {
    const dashboard = await testDashboard();
    const names = Array.from({ length: 230 }, (_, index) => `v${index}`);
    const newest = Date.now() - minuteMs;
    await Promise.all(
      names.map((version, index) =>
        dashboard.post({
          ...{ version, deployment_id: `run-${index}` },
          happened_at: new Date(newest - 1000 * index).toISOString(),
        }),
      ),
    );
    const page = await openChanges(open, dashboard);
    await page.getByText('100 of 230 deployments loaded').waitFor();
    await expect
      .poll(
        async () => {
          await page.evaluate('document.querySelector("main").scrollTo(0, 1e9)');
          return page.locator('.change').count();
        },
        { timeout: 20_000 },
      )
      .toBe(230);
    await shows(page, names);
    const field = page.getByLabel(/^Filter by service/);
    await field.fill('run-22');
    await shows(page, ['v22', ...names.filter((name) => /^v22\d/.test(name))]);
    await expect.poll(() => headline(page)).toContain(': 11 deployments match');
  });

  test('what a range changed, with a column per environment and what the others still had', async () => {
    const dashboard = await testDashboard();
    const post = (service: string, environment: string, version: string, minutesAgo: number, status = 'success') =>
      dashboard.post(
        {
          service,
          environment,
          version,
          status: status as 'success',
          deployment_id: `${service} ${version} ${minutesAgo}`,
        },
        minutesAgo,
      );
    for (const environment of ['qa', 'prod']) await post('pay', environment, '1.0', 3000);
    await post('web', 'prod', '7', 3000);
    await post('pay', 'prod', '1.1', 90);
    await post('web', 'prod', '8', 80, 'failure');
    await post('pay', 'qa', '1.5', 10);
    const search = `&environment=prod&environment=qa&net=1&from=${at(120)}&to=${at(60)}`;
    const page = await openChanges(open, dashboard, search);
    const rows = () => page.locator('.net tr').allInnerTexts();
    await expect
      .poll(async () =>
        (await rows()).map((text) =>
          text
            .replace(/\s+/g, ' ')
            .trim()
            .replace(/\d\d:\d\d/, '00:00'),
        ),
      )
      .toEqual([
        'Service Before → after prod qa Deployments',
        'pay 1.0 → 1.1 changed 00:00 still 1.0',
        'No net change 1',
        'web 7 1 deployment, 1 failed —',
      ]);
    // All cells share one response.
    const boards = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/matrix?at=')).length,
      );
    await expect.poll(boards).toBe(1);
    await expect.poll(() => headline(page)).toMatch(/^In prod, qa, .*: 1 service changed, 1 failed$/);
    await page.getByRole('button', { name: /No net change/ }).click();
    await expect.poll(async () => (await rows()).length).toBe(3);
    await page.getByRole('link', { name: 'Deployments of pay' }).click();
    await shows(page, ['1.1']);
  });

  test('changes dated ahead are folded into one line above', async () => {
    const dashboard = await testDashboard();
    await dashboard.post({ version: '1', deployment_id: 'a' }, 5);
    await dashboard.post({ version: 'ahead', deployment_id: 'b' }, -180);
    const page = await openChanges(open, dashboard);
    await shows(page, ['ahead', '1']);
    expect(await rowOf(page, 'ahead').isVisible()).toBe(false);
    await page.getByText('1 change with events dated ahead').click();
    expect(await rowOf(page, 'ahead').isVisible()).toBe(true);
    await expect.poll(() => headline(page)).toBe('In all environments, last 24 hours: 1 service changed');
  });

  test('a deployment is shown wherever it is, whatever its age', async () => {
    const dashboard = await testDashboard();
    const run = { version: '1.9', deployment_id: 'gha 7' };
    await dashboard.post({ ...run, environment: 'qa', status: 'queued' }, 60 * 24 * 50);
    await dashboard.post({ ...run, environment: 'prod' }, 60 * 24 * 40);
    await dashboard.post({ version: '2', deployment_id: 'gha-8', environment: 'prod' }, 60 * 24 * 45);
    const page = await openChanges(open, dashboard, '&deployment=gha+7');
    await shows(page, ['1.9', '1.9']);
    await page.getByRole('heading', { name: 'gha 7' }).waitFor();
    await page.goto(`${dashboard.url}?view=changes&deployment=none`);
    await page.getByText('The log has no deployment none').waitFor();
    await page.getByRole('button', { name: 'Remove filter deployment none' }).click();
    await page.waitForURL('**/?view=changes');
  });
});
