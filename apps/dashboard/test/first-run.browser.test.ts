import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createReporter } from '@shiplog/client';
import { developmentKeys } from '@shiplog/server';
import { builtDashboard, testDatabase, testService } from '@shiplog/testing';
import { axeViolations, inBrowser, overflow, type Page } from '@shiplog/testing/browser';
import { expect, test } from 'vitest';
import { cell, postBoard, scriptsOf, testDashboard } from './support/dashboard.ts';

/** Starts a service with an empty log and the development keys. */
async function emptyService(): Promise<string> {
  const keys = { api: [developmentKeys.api], control: [developmentKeys.control] };
  const databaseUrl = (await testDatabase()).url;
  return (await testService({ databaseUrl, config: { keys, dashboardDir: builtDashboard } })).url;
}

const door = (page: Page, name: string) => page.getByRole('region', { name });
const state = (page: Page, name: string) => door(page, name).getByRole('status');
const next = (page: Page) => page.getByRole('region', { name: 'What to do next' });

inBrowser('the first run', (open) => {
  test('the command that posts a first event works as pasted; the board opens and says what to do next', async () => {
    const page = await open(`${await emptyService()}/`);
    await page.getByText('No deployments yet').waitFor();
    await expect.poll(() => state(page, 'Post an event').innerText()).toBe('Listening for the first event …');
    const { API_KEY: _, ...env } = process.env;
    await promisify(execFile)('sh', ['-c', await door(page, 'Post an event').locator('pre').innerText()], { env });
    await cell(page, 'payments-api', 'dev').waitFor();
    await next(page).getByText('To do: Choose production').waitFor();
    await next(page).getByText('More ways to get events').click();
    expect(await state(page, 'Post an event').innerText()).toBe('The log has events');
  });

  test('a fetcher and the demo driver tick their doors without a reload, a fetcher with an error says what is wrong', async () => {
    const baseUrl = await emptyService();
    const page = await open(`${baseUrl}/`);
    const report = (componentId: string) => createReporter({ baseUrl, apiKey: developmentKeys.api, componentId });
    const connect = 'Connect GitHub or GitLab';
    await expect.poll(() => state(page, connect).innerText()).toBe('No fetcher connected yet');
    await report('dashboard-fetcher').heartbeat('running');
    await expect.poll(() => state(page, connect).innerText(), { timeout: 20_000 }).toBe('Fetcher connected');
    await report('dashboard-fetcher').error('the token was refused');
    await door(page, connect).getByText('the token was refused').waitFor();
    const look = 'Look at example data';
    expect(await state(page, look).innerText()).toBe('Not opened yet');
    await report('demo-driver').heartbeat('idle');
    await expect.poll(() => state(page, look).innerText(), { timeout: 20_000 }).toMatch(/demo driver/);
  });

  test('the next steps tick themselves, stay until they are closed, and are in the settings menu', async () => {
    const dashboard = await testDashboard();
    const page = await open(dashboard.url);
    await page.getByText('No deployments yet').waitFor();
    await dashboard.post({ service: 'first', environment: 'prod', version: '1' });
    await next(page).getByText('Done: Choose production').waitFor();
    expect(await next(page).locator('.first-list').getByText('To do: ').count()).toBe(3);
    await page.reload();
    await next(page).getByRole('button', { name: 'Close' }).click();
    await next(page).waitFor({ state: 'detached' });
    await page.reload();
    await cell(page, 'first', 'prod').waitFor();
    expect(await next(page).count()).toBe(0);
    await page.goto(`${dashboard.url}?view=analytics`);
    await page.locator('header summary').click();
    await page.getByRole('button', { name: 'First steps' }).click();
    await next(page).waitFor();
  });

  test('a viewer who never saw the empty board gets no next steps', async () => {
    const dashboard = await testDashboard();
    await postBoard(dashboard);
    const page = await open(dashboard.url);
    await cell(page, 'search', 'prod').waitFor();
    // The scripts of other views are loaded after those that the page shows.
    await expect.poll(() => scriptsOf(page)).toContain('analytics-view');
    expect(await next(page).count()).toBe(0);
  });

  test.each([1440, 390])('the doors are accessible and fit a window of %i pixels', async (width) => {
    const page = await open(`${await emptyService()}/`, { width });
    await door(page, 'Look at example data').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(
      await page.evaluate(
        '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("main"))',
      ),
    ).toBe(0);
    await door(page, 'Connect GitHub or GitLab').getByRole('button', { name: 'GitLab' }).click();
    expect(await door(page, 'Connect GitHub or GitLab').locator('pre').innerText()).toContain('GITLAB_TOKEN');
  });
});
