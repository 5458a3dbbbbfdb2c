import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { inGroups, testFolder } from '@shiplog/testing';
import { type TestDashboard, testDashboard } from './dashboard.ts';

/** Teams whose services have long names with a common beginning. */
const teams = {
  'Payments EU': [
    'acme-eu-west-1-',
    'payments-api fraud-scorer consent-api invoice-renderer payments-ledger-snapshot-worker payments-ledger-snapshot-export',
  ],
  Storefront: ['acme-web-', 'checkout search-suggestions cart'],
  Identity: ['acme-eu-west-1-idp-', 'session-store token-issuer'],
  Catalog: ['acme-cat-', 'prices'],
  Platform: ['acme-plt-', 'ingress'],
} as const;

const environments = ['dev', 'ci-1', 'staging', 'uat-anna', 'preprod', 'prod-eu', 'prod-us', 'dr'];
export const companyStages = 'Dev=dev|ci-*,Staging=staging|uat-*,Preprod=preprod,Production=prod-*|dr';
const build = '2026.11.26+build.4711.';

interface Posted extends Partial<DeploymentEventIngest> {
  readonly ago: number;
}

/** A company with five teams and eight environments in four stages. */
export async function testCompany(stages = companyStages, healthyOfTeam = 1): Promise<TestDashboard> {
  const catalogFile = join(await testFolder(), 'catalog.yaml');
  const services = Object.entries(teams).flatMap(([team, [prefix, named]]) =>
    [...named.split(' '), ...Array.from({ length: healthyOfTeam }, (_, n) => `worker-${n}`)].map((name) => ({
      team,
      name: `${prefix}${name}`,
    })),
  );
  const lines = services.map(({ team, name }) => `  - { name: "${name}", team: ${team} }`);
  await writeFile(catalogFile, `services:\n${lines.join('\n')}\n`);
  const dashboard = await testDashboard({ catalogFile, stages });
  const healthy = services.flatMap(({ name }) =>
    environments
      .filter((environment) => !name.endsWith('consent-api') || !/prod-|dr/.test(environment))
      .map((environment, index) => ({ service: name, environment, version: '1.4.2', ago: 9000 - index })),
  );
  await inGroups(healthy, ({ ago, ...event }) => dashboard.post({ status: 'success', ...event }, ago));
  const eu = 'acme-eu-west-1-';
  const places: readonly Posted[] = [
    ...['dev', 'ci-1', 'staging', 'preprod'].map((environment, n) => ({
      service: `${eu}payments-api`,
      environment,
      version: '2.10.0',
      ago: 300 - n,
    })),
    { service: `${eu}payments-api`, environment: 'prod-eu', version: '2.10.0', status: 'failure', ago: 12 },
    { service: `${eu}fraud-scorer`, environment: 'staging', version: 'model-011', status: 'failure', ago: 26 },
    { service: `${eu}consent-api`, environment: 'prod-eu', version: '1.0.0', status: 'waiting', ago: 120 },
    { service: `${eu}invoice-renderer`, environment: 'prod-eu', version: '1.5.0', ago: 50 },
    { service: `${eu}payments-ledger-snapshot-worker`, environment: 'dev', version: `${build}g3f2c1a9`, ago: 1200 },
    {
      service: `${eu}payments-ledger-snapshot-export`,
      environment: 'ci-1',
      version: `${build}g3f2c1a9`,
      status: 'in-progress',
      ago: 3,
    },
    { service: 'acme-web-checkout', environment: 'preprod', version: '4.18.0', status: 'failure', ago: 60 },
    { service: 'acme-web-search-suggestions', environment: 'preprod', version: '89', status: 'in-progress', ago: 4 },
    { service: 'acme-web-cart', environment: 'dev', version: '3.13.0-a', ago: 45 },
    { service: 'acme-web-cart', environment: 'dev', version: '3.13.0', ago: 40 },
    { service: `${eu}idp-session-store`, environment: 'uat-anna', version: '4.3.0', status: 'in-progress', ago: 400 },
    { service: `${eu}idp-token-issuer`, environment: 'prod-eu', version: '12.1.0', status: 'in-progress', ago: 2 },
    { service: 'acme-cat-prices', environment: 'uat-anna', version: '7', status: 'failure', ago: 3000 },
  ];
  for (const { ago, ...event } of places) await dashboard.post({ status: 'success', ...event }, ago);
  return dashboard;
}
