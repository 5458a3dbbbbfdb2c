import { type EmulatorConfig, startEmulator, VirtualClock } from '@shiplog/ci-emulator';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { testLogger } from '@shiplog/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pickDeployments, pickRepositories, pickStatuses } from '../src/adapters/github/api.ts';
import { Translator } from '../src/adapters/github/translator.ts';
import type { Change } from '../src/change.ts';
import { emulatedTool } from './support/github-tool.ts';

const signal = AbortSignal.timeout(60_000);
const startsAt = new Date('2026-05-04T09:00:00Z');

const config: EmulatorConfig = {
  ...{ port: 0, host: '127.0.0.1', seedOnStartup: 'true', seedDataset: 'demo', seed: 1, clock: startsAt },
  ...{ scenariosDir: '', emitIntervalMs: 8000, emitStepMs: 0, requestLog: 0, requireToken: undefined },
  ...{ githubRateLimit: 0, githubSecondaryLimit: 0, gitlabRateLimit: 0, webhookHosts: '' },
  ...{ logLevel: 'silent', problemBase: '/problems' },
};

/** Deployments in the different orders in which a fetcher may find them. */
const orders = {
  'oldest first': (ids: number[]) => ids.toSorted((one, other) => one - other),
  'newest first': (ids: number[]) => ids.toSorted((one, other) => other - one),
  'each without knowledge of the others': undefined,
};

const empty = { environments: [], deployments: [] };
const workflow = {
  ...{ id: 900, name: 'Deploy', path: '.github/workflows/deploy.yml' },
  yaml: `jobs:
  build: {}
  dev: {needs: build, environment: dev}
  qa: {needs: dev, environment: qa}
  check: {needs: [dev, qa]}
  prod: {needs: check, environment: "prod-\${{ matrix.region }}", strategy: {matrix: {region: [eu, us]}}}
  page: {needs: prod, environment: page}
`,
};
const steps = [
  { job: 'dev', environment: 'dev', ends: { state: 'success' } },
  { job: 'qa', environment: 'qa', ends: { state: 'failure', job_conclusion: 'cancelled' } },
  { job: 'prod', environment: 'prod-eu', ends: { state: 'success' } },
  { job: 'prod', environment: 'prod-us', ends: { state: 'inactive' } },
  { job: 'page', environment: 'page', ends: { state: 'failure', rejected_by: 'heidi' } },
];

let emulator: Awaited<ReturnType<typeof startEmulator>>;
let exported: readonly object[];

beforeAll(async () => {
  emulator = await startEmulator({
    config,
    logger: testLogger(undefined),
    clock: new VirtualClock(startsAt.getTime()),
  });
  const response = await fetch(`${emulator.url}/_ci/export`);
  const { items } = (await response.json()) as { items: DeploymentEventIngest[] };
  exported = items.filter(({ deployment_id: id }) => id.startsWith('gh-')).map(comparable);
});

afterAll(() => emulator.stop());

test('the test data contains every kind of deployment that is compared', () => {
  expect(exported.length).toBeGreaterThan(400);
});

test.each(Object.entries(orders))(
  'all changes of the demo match those that the emulator implies: %s',
  async (_, order) => {
    expect(sorted((await allChanges(order)).map(told))).toEqual(sorted(exported));
  },
);

test('polling after each step produces the same events as polling at the end', async () => {
  const shop = '/repos/acme/shop';
  const send = (path: string, body: object) =>
    fetch(`${emulator.url}/_ci${path}`, { method: 'POST', body: JSON.stringify(body) }).then((answer) => answer.json());
  await send('/seed', {
    data: { projects: [], repos: [{ owner: 'acme', repo: 'shop', workflows: [workflow], ...empty }] },
  });
  const tool = emulatedTool(emulator.url);
  const translator = new Translator(tool, { adapter: 'github-actions' });
  const seen = new Map<string, object>();
  const look = async (by: Translator) => {
    for (const deployment of (await tool.get(`${shop}/deployments?per_page=100`, signal, pickDeployments)).body) {
      const { body } = await tool.get(`${shop}/deployments/${deployment.id}/statuses`, signal, pickStatuses);
      const { changes, held } = await by.changesOf('acme/shop', deployment, body, signal);
      expect(held).toBe(false);
      for (const change of changes) {
        const key = `${change.id} ${change.order}`;
        expect(told(change)).toEqual(seen.get(key) ?? told(change));
        seen.set(key, told(change));
      }
    }
  };
  for (const { job, environment, ends } of steps) {
    const made = { repository: 'acme/shop', environment, job, run: 77, sha: 'e'.repeat(40), creator: 'alice' };
    const { id } = (await send('/deployments', made)) as { id: number };
    for (const state of [undefined, { state: 'in_progress' }, ends]) {
      await send('/clock', { advance_ms: 60_000 });
      if (state) await send(`/deployments/${id}/statuses`, state);
      await look(translator);
      await look(new Translator(tool, { adapter: 'github-actions' }));
    }
  }
  const { items } = (await (await fetch(`${emulator.url}/_ci/export`)).json()) as { items: DeploymentEventIngest[] };
  expect(sorted([...seen.values()])).toEqual(sorted(items.filter(({ service }) => service === 'shop').map(comparable)));
});

async function allChanges(order: ((ids: number[]) => number[]) | undefined): Promise<Change[]> {
  const tool = emulatedTool(emulator.url);
  let translator = new Translator(tool, { adapter: 'github-actions' });
  const changes: Change[] = [];
  const { body: repositories } = await tool.get('/orgs/demo-org/repos?per_page=100', signal, pickRepositories);
  for (const { fullName } of repositories) {
    const listed = new Map<number, Awaited<ReturnType<typeof pickDeployments>>[number]>();
    for await (const { body } of tool.pages(`/repos/${fullName}/deployments?per_page=100`, signal, pickDeployments))
      for (const one of body) listed.set(one.id, one);
    const ids = [...listed.keys()];
    for (const id of order?.(ids) ?? ids) {
      const deployment = listed.get(id);
      if (!deployment || deployment.transient) continue;
      if (!order) translator = new Translator(tool, { adapter: 'github-actions' });
      const { body } = await tool.get(
        `/repos/${fullName}/deployments/${id}/statuses?per_page=100`,
        signal,
        pickStatuses,
      );
      changes.push(...(await translator.changesOf(fullName, deployment, body, signal)).changes);
    }
  }
  return changes;
}

/** Mapped by the default rules. */
function told({ id, status, at, parents, vars }: Change): object {
  const event = { deployment_id: id, status, happened_at: at, actor: vars.actor, ref: vars.ref, sha: vars.sha };
  const run = { run_url: vars.run_url || undefined, run_number: vars.run_number || undefined };
  return { ...event, ...run, service: vars.name, version: vars.sha7, parents };
}

function comparable(event: DeploymentEventIngest): object {
  const { deployment_id, status, happened_at, actor, ref, sha, run_url, run_number, service, version } = event;
  const own = { deployment_id, status, happened_at, actor, ref, sha, run_url, run_number, service, version };
  return { ...own, parents: event.parent_deployments ?? [] };
}

function sorted(events: readonly object[]): string[] {
  return events.map((event) => JSON.stringify(event, Object.keys(event).sort())).sort();
}
