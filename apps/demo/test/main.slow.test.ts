import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type CiDeliveries, type CiStatus, emulatorEndpoints } from '@shiplog/companions';
import { endpoints, type IncidentsReport, type Matrix, type OutagePage, type Proof } from '@shiplog/contract';
import { gone, listedEvents, readJson, until } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { reportedBy, running, spawnDemo, urlOf } from './support/demo.ts';

test('one command starts a filled log and a panel; SIGINT ends all programs and leaves nothing behind', async () => {
  const demo = spawnDemo();
  const { processes, folder } = await running(demo, 'Ctrl-C');
  expect(demo.output).toContain('Shiplog is up');
  expect(demo.output).toContain(`The data is in ${folder} `);
  expect(demo.output).toMatch(/history: (\d+) of \1 events\n/);
  expect(demo.output).toMatch(/demo-set: 47 of 47 events\n/);
  expect(demo.output).toContain('operations: 3 holds, 2 outages\n');
  const board = urlOf(demo, 'Board');
  const page = await fetch(board);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  expect(await page.text()).toContain('<title>Shiplog</title>');
  const { rows, environments } = await readJson<Matrix>(new URL(endpoints.getMatrix.path, board).href);
  expect(demo.output).toContain(`${rows.length} services in ${environments.length} environments`);
  expect(rows.length).toBeGreaterThanOrEqual(10);
  const incidents = new URL(`${endpoints.getIncidents.path}?window=30d`, board).href;
  expect((await readJson<IncidentsReport>(incidents)).incidents).not.toEqual([]);
  const causes = async () => {
    const { items } = await readJson<OutagePage>(new URL(endpoints.listOutages.path, board).href);
    return items.map(({ source, outage_id, state, links }) => [source, outage_id, state, links[0]?.rule].join(' '));
  };
  const isReported = (each: string) => /^(alerts|gitlab|pagerduty) .* resolved suspected$/.test(each);
  await until(async () => (await causes()).filter(isReported).length === 3);
  expect((await causes()).filter((each) => !isReported(each)).toSorted()).toEqual([
    'pager INC-2038 resolved named',
    'pager INC-2041 open suspected',
  ]);
  const panel = await fetch(urlOf(demo, 'Panel'));
  expect([panel.status, panel.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  await panel.text();

  demo.child.kill('SIGINT');
  expect(await demo.exited()).toBe(0);
  await gone(processes);
  expect(existsSync(folder)).toBe(false);
});

test('DEMO_DATASET=large fills the log with every event of the large dataset', async () => {
  const demo = spawnDemo({ DEMO_DATASET: 'large', DEMO_FETCHER: 'off' });
  await running(demo, 'Ctrl-C', 2);
  expect(demo.output).toMatch(/large: (\d+) of \1 events\n/);
  expect(demo.output).toContain('400 services in 23 environments');
  expect(await listedEvents(new URL(urlOf(demo, 'Board')).origin)).toHaveProperty('size', 20_000);
});

test("the board shows the CI emulator's deployments by the rules of demo/fetcher.yaml, and webhooks add more", async () => {
  const demo = spawnDemo();
  await running(demo, 'Ctrl-C');
  const [, count] = /^ {2}fetcher: (\d+) events of 13 repositories$/m.exec(demo.output) ?? [];
  const emulator = urlOf(demo, 'CI emulator');
  const status = await readJson<CiStatus>(new URL(emulatorEndpoints.getCiStatus.path, emulator).href);
  expect(status).toMatchObject({ emitting: true, webhooks: 4 });
  // Emitted deployments are newer than those of the dataset.
  const seeded = Date.parse(status.seeded_at ?? '');
  const reported = await reportedBy(urlOf(demo, 'Board'), 'dashboard-fetcher/');
  const fetched = reported.filter(({ happened_at }) => Date.parse(happened_at) <= seeded);
  expect(fetched).toHaveLength(Number(count));
  // The repositories, named as on the board. The monorepo is listed by its services.
  expect([...new Set(fetched.map(({ service }) => service))].sort()).toEqual([
    ...['audit', 'feature-flags', 'gateway', 'infra-tools', 'ledger', 'legacy-billing', 'notifications'],
    ...['order-service', 'payments-core', 'reports', 'router', 'search-crawler', 'sessions', 'user-profile'],
    'web-frontend',
  ]);
  expect(fetched.filter(({ environment }) => environment.startsWith('pr-'))).toEqual([]);
  const versions = fetched.filter(({ service }) => service === 'search-crawler').map(({ version }) => version);
  expect(new Set(versions)).toEqual(new Set(['v0.8.0']));
  const parent = { deployment_id: 'gh-deploy-4830005', parent_deployments: ['gh-deploy-4830004'] };
  expect(fetched).toContainEqual(expect.objectContaining({ ...parent, version: '3.2.0', status: 'success' }));

  // Pipelines post with identity tokens of the emulator, and these prove what their events say.
  expect(demo.output).toMatch(/pipelines: 10 events without a key\n/);
  const keyless = await reportedBy(urlOf(demo, 'Board'), 'shiplog-post/');
  expect([...new Set(keyless.map(({ service }) => service))].sort()).toEqual(['ledger-worker', 'payments-worker']);
  for (const { id } of keyless) {
    const path = endpoints.getProof.path.replace('{id}', id);
    const { kind, claims } = await readJson<Proof>(new URL(path, urlOf(demo, 'Board')).href);
    expect([kind, claims.map(({ agrees }) => agrees)]).toEqual(['token', [true, true, true, true]]);
  }

  const deploy = new URL(emulatorEndpoints.createCiDeployment.path, emulator).href;
  for (const place of [
    { repository: 'demo-org/notifications' },
    { repository: 'demo-group/ledger', status: 'running' },
  ]) {
    const body = JSON.stringify({ ...place, environment: 'dev' });
    expect((await fetch(deploy, { method: 'POST', body })).status).toBe(201);
  }
  const deliveriesUrl = new URL(emulatorEndpoints.listCiDeliveries.path, emulator).href;
  const taken = async () => {
    const { items } = await readJson<CiDeliveries>(deliveriesUrl);
    expect(items.filter(({ status }) => status !== 202)).toEqual([]);
    return items.map(({ event }) => event);
  };
  const hooks = ['ping', 'deployment', 'deployment_status', 'Deployment Hook'];
  await until(async () => {
    const events = await taken();
    return hooks.every((hook) => events.includes(hook));
  });
});

test.each(['PORT', 'EMULATOR_PORT', 'FETCHER_PORT', 'DRIVER_PORT'])(
  'if the port of %s is in use, the demo prints one sentence and starts no program',
  async (variable) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const demo = spawnDemo({ [variable]: String(port) });
    expect(await demo.exited()).toBe(1);
    expect(demo.output.trim().split('\n').at(-1)).toBe(
      `Port ${port} is in use by another program. Stop it, or set ${variable} to a free port.`,
    );
    expect(demo.output).not.toContain('service');
  },
);
