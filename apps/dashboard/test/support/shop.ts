import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { testFolder } from '@shiplog/testing';
import { type TestDashboard, testDashboard } from './dashboard.ts';

const catalog = `services:
  - { name: checkout-api, team: Orders, owner: ines, repository: 'https://github.com/acme/checkout-api', runbook: 'https://wiki.acme.test/checkout/on-call' }
  - { name: 'orders-*', team: Orders, repository: 'https://gitlab.com/acme/shop/orders' }
  - { name: 'payments-*', team: Payments, repository: 'javascript:alert(1)' }
  - { name: search-indexer, team: Catalog }
`;

type Post = readonly [
  service: string,
  environment: string,
  version: string,
  status: DeploymentEventIngest['status'],
  minutesAgo: number,
  more?: Partial<DeploymentEventIngest>,
];

const hour = 60;
const day = 24 * hour;
const run = (number: string) => ({ run_number: number, run_url: `https://github.com/acme/runs/${number}` });
const tobias = { actor: 'tobias', sha: '26d88eb0c1d2e3f40516', ref: 'release/4.18' };
const old = { actor: 'ines', sha: '77aa10b0c1d2e3f40516' };

/** Events of a release on its promotion path, and of two environments with every kind of difference. */
const posts: readonly Post[] = [
  ['checkout-api', 'dev', '4.17.2', 'success', 10 * day, old],
  ['checkout-api', 'staging', '4.17.2', 'success', 10 * day - 60, old],
  ['checkout-api', 'preprod', '4.17.2', 'success', 9 * day + 60, old],
  ['checkout-api', 'prod', '4.17.2', 'success', 9 * day, old],
  ['checkout-api', 'dev', '4.18.0-rc.2', 'success', 2 * day, { actor: 'deploy-bot' }],
  ['checkout-api', 'dev', '4.18.0', 'in-progress', 25 * hour + 4, { ...tobias, ...run('20411'), deployment_id: 'd-1' }],
  ['checkout-api', 'dev', '4.18.0', 'success', 25 * hour, { ...tobias, ...run('20411'), deployment_id: 'd-1' }],
  [
    'checkout-api',
    'staging',
    '4.18.0',
    'in-progress',
    23 * hour + 8,
    { ...tobias, ...run('20417'), deployment_id: 'd-2' },
  ],
  ['checkout-api', 'staging', '4.18.0', 'success', 23 * hour, { ...tobias, ...run('20417'), deployment_id: 'd-2' }],
  ['checkout-api', 'preprod', '4.18.0', 'waiting', 90, { ...tobias, ...run('20433'), deployment_id: 'd-3' }],
  ['checkout-api', 'preprod', '4.18.0', 'in-progress', 75, { ...tobias, ...run('20433'), deployment_id: 'd-3' }],
  ['checkout-api', 'preprod', '4.18.0', 'failure', 64, { ...tobias, ...run('20433'), deployment_id: 'd-3' }],
  ['checkout-api', 'dev', '4.19.0-rc.1', 'success', 120, { actor: 'tobias' }],
  ['orders-api', 'staging', '7.1.4', 'success', 6 * day, { sha: 'aaaaaaa111111' }],
  ['orders-api', 'preprod', '7.1.4', 'success', 6 * day - 60, { sha: 'aaaaaaa111111' }],
  ['orders-api', 'prod', '7.1.4', 'success', 6 * day - 120, { sha: 'aaaaaaa111111' }],
  ['orders-api', 'preprod', '7.1.5', 'success', 3 * day, { sha: 'bbbbbbb111111' }],
  ['orders-api', 'preprod', '7.2.0', 'success', 5 * hour, { sha: 'ccccccc111111' }],
  ['orders-api', 'prod', '7.2.0', 'failure', 12, { sha: 'ccccccc111111', actor: 'ines' }],
  ['orders-worker', 'preprod', '2026.11.19+build.4417.g3f2c1a9', 'success', 4 * day],
  ['orders-worker', 'prod', '2026.11.12+build.4352.gb7702ae', 'success', 8 * day],
  ['payments-reconciliation-worker-eu', 'preprod', '5.6.1', 'success', 5 * day],
  ['payments-reconciliation-worker-eu', 'prod', '5.6.1', 'success', 4 * day],
  ['payments-api', 'prod', '743129967a45', 'success', 20 * day],
  ['payments-gateway', 'preprod', '2.0.0', 'success', 2 * day],
  ['search-indexer', 'preprod', '7.1.9', 'success', 30 * day],
  ['search-indexer', 'prod', '7.1.9', 'success', 29 * day],
];

/** Starts the dashboard of a shop with three teams: Orders, Payments and Catalog. */
export async function shop(): Promise<TestDashboard> {
  const catalogFile = join(await testFolder(), 'catalog.yaml');
  await writeFile(catalogFile, catalog);
  const dashboard = await testDashboard({ catalogFile });
  for (const [service, environment, version, status, minutesAgo, more = {}] of posts) {
    const deployment_id = `${service} ${environment} ${version}`;
    await dashboard.post({ service, environment, version, status, deployment_id, ...more }, minutesAgo);
  }
  return dashboard;
}
