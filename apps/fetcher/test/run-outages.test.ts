import { fileURLToPath } from 'node:url';
import { createClient } from '@shiplog/client';
import { type OutageTool, outageTools } from '@shiplog/companions';
import type { OutageRow } from '@shiplog/contract';
import { sharedService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Run } from './support/run.ts';
import { hookSettings } from './support/run-hooks.ts';

const service = sharedService();
const secret = hookSettings.GITHUB_WEBHOOK_SECRET;
const demoFile = fileURLToPath(new URL('../../../demo/fetcher.yaml', import.meta.url));
const hookOf: Readonly<Record<OutageTool, string>> = {
  ...{ github: 'github', gitlab: 'gitlab', pagerduty: 'pagerduty', alertmanager: 'alerts' },
};
const issueEvent: Readonly<Partial<Record<OutageTool, string>>> = { github: 'issues', gitlab: 'issue' };

/** The fetcher with the demo's file, and the emulator with the demo's dataset and a target for each tool. */
async function started(mode: string): Promise<Run> {
  const secrets = { ...hookSettings, PAGERDUTY_SECRET: secret, ALERTS_PASSWORD: secret };
  const run = await Run.start({ service, fetcher: { ...secrets, FETCHER_CONFIG: demoFile } });
  await run.startFetcher({ GITHUB_REPOS: '', GITLAB_PROJECTS: '' });
  for (const tool of outageTools) {
    const event = issueEvent[tool];
    const target = { tool, mode, secret, past_outages: true, url: `${run.fetcherUrl}/webhooks/${hookOf[tool]}` };
    await run.ci('/webhooks', { ...target, ...(event !== undefined && { events: [event] }) });
  }
  return run;
}

async function outagesIn({ serviceUrl }: Run) {
  const { items } = (await createClient({ baseUrl: serviceUrl }).listOutages({})).body;
  return items;
}

async function statesOf({ serviceUrl }: Run, source: string, outageId: string): Promise<OutageRow['state'][]> {
  const { rows } = (await createClient({ baseUrl: serviceUrl }).getOutage({ params: { source, outage_id: outageId } }))
    .body;
  return rows.map(({ state }) => state);
}

test.each(['normal', 'duplicate'])(
  'the outages of a dataset and new ones of every tool are in the log once each, with %s deliveries',
  async (mode) => {
    const run = await started(mode);
    const facts = { service: 'router', environment: 'prod', severity: 'critical', title: 'No routes' };
    await run.ci('/outages', { tool: 'alertmanager', id: 'routes', ...facts });
    await run.ci('/outages', { tool: 'github', id: 'slow', title: 'Slow', repository: 'demo-org/web-frontend' });
    await until(async () => (await outagesIn(run)).length === 5);
    await until(async () => (await outagesIn(run)).filter(({ state }) => state === 'resolved').length === 3);
    await run.quiet();
    const told = (await outagesIn(run)).map(({ source, title, services, environments, state }) =>
      [source, title, ...(services ?? []), ...(environments ?? []), state].join(' | '),
    );
    expect(told.toSorted()).toEqual([
      'alerts | No routes | router | prod | open',
      'alerts | Payments: more than 5 % of the requests fail | payments-core | prod | resolved',
      'github | Slow | web-frontend | prod | open',
      'gitlab | Monthly totals are wrong | ledger | prod | resolved',
      'pagerduty | The shop shows an empty page | web-frontend | prod | resolved',
    ]);
    expect(await statesOf(run, 'pagerduty', 'Q1ZX8VN4LT0B2C')).toEqual(['opened', 'resolved']);
  },
);

test('deliveries with a wrong signature or password are refused', async () => {
  const run = await started('bad-signature');
  await until(async () => {
    const { items } = await run.ci<{ items: { status: number; event: string }[] }>('/deliveries');
    return items.filter(({ event, status }) => event !== 'ping' && status === 401).length === 6;
  });
  expect(await outagesIn(run)).toEqual([]);
});
