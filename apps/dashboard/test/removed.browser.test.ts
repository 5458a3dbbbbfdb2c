import { createClient } from '@shiplog/client';
import { testKeys } from '@shiplog/testing';
import { inBrowser } from '@shiplog/testing/browser';
import { test } from 'vitest';
import { openChanges, shows } from './support/changes.ts';
import { isLive, testDashboard } from './support/dashboard.ts';

inBrowser('a removed event', (open) => {
  test('a removed event disappears from board, changes and history without a reload', async () => {
    const dashboard = await testDashboard();
    const client = createClient({ baseUrl: dashboard.service.url, keys: { control: testKeys.control } });
    await dashboard.post({ version: '1.0' }, 30);
    const id = await dashboard.post({ version: '6.6' }, 10);
    const board = await open(dashboard.url);
    const changes = await openChanges(open, dashboard);
    const history = await open(`${dashboard.url}?history=payments-api&in=staging`);
    await isLive(board);
    await board.getByText('6.6').first().waitFor();
    await shows(changes, ['6.6', '1.0']);
    await history.locator('.drawer').getByText('6.6').first().waitFor();
    await client.removeDeployment({ params: { id }, body: { reason: 'posted by a test run' } });
    await shows(changes, ['1.0']);
    await board.getByText('1.0').first().waitFor();
    await history.locator('.drawer').getByText('6.6').first().waitFor({ state: 'detached' });
    await history.locator('.drawer').getByText('1.0').first().waitFor();
  });
});
