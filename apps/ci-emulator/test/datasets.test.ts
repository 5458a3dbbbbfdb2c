import { readFileSync } from 'node:fs';
import type { SeedData, SeedDeployment } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { checkedDataset, readDataset } from '../src/datasets.ts';
import { testEmulator } from './support/emulator.ts';

const demo = JSON.parse(readFileSync(new URL('../../../demo/data/ci/demo.json', import.meta.url), 'utf8')) as SeedData;

const all = demo.repos.flatMap(({ repo, deployments }) => deployments.map((deployment) => ({ repo, ...deployment })));

async function exportedDemo() {
  const emulator = await testEmulator({ SEED_ON_STARTUP: 'true' });
  return emulator.exported();
}

function states({ statuses }: Pick<SeedDeployment, 'statuses'>): string {
  return statuses.map(({ state }) => state).join(' ');
}

describe('§6: the demo dataset', () => {
  test('the demo dataset has ten repositories, three projects and no errors', () => {
    expect(checkedDataset(demo)).toBe(demo);
    expect(new Set(demo.repos.map(({ owner }) => owner))).toEqual(new Set(['demo-org']));
    expect(demo.repos).toHaveLength(10);
    expect(demo.projects.map(({ path }) => path.split('/')[0])).toEqual(['demo-group', 'demo-group', 'demo-group']);
  });

  test('ids of deployments and statuses increase with creation across all repositories', () => {
    const statuses = all.flatMap((deployment) => deployment.statuses);
    for (const made of [all, statuses]) {
      const minutes = ({ elapsed_minutes = 0 }: (typeof made)[number]) => elapsed_minutes;
      const byAge = made.toSorted((one, other) => minutes(other) - minutes(one) || one.id - other.id);
      const ids = byAge.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    }
  });

  test('payments-api has one waiting run, and one run through five environments, each the parent of the next', async () => {
    const events = (await exportedDemo()).filter(({ service }) => service === 'payments-api');
    const chain = events.filter(({ status, run_number }) => status === 'success' && run_number === '4830');
    expect(
      chain.map(({ deployment_id, environment, parent_deployments }) => [
        deployment_id,
        environment,
        parent_deployments,
      ]),
    ).toEqual([
      ['gh-deploy-4830001', 'dev', undefined],
      ['gh-deploy-4830002', 'staging', ['gh-deploy-4830001']],
      ['gh-deploy-4830003', 'qa', ['gh-deploy-4830002']],
      ['gh-deploy-4830004', 'preprod', ['gh-deploy-4830003']],
      ['gh-deploy-4830005', 'prod', ['gh-deploy-4830004']],
    ]);
    expect(
      events.filter(({ deployment_id }) => deployment_id === 'gh-deploy-4840005').map(({ status }) => status),
    ).toEqual(['pending']);
  });

  test('the demo dataset produces all eight statuses', async () => {
    const statuses = new Set((await exportedDemo()).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([
      'cancelled',
      'failure',
      'in-progress',
      'pending',
      'queued',
      'rejected',
      'success',
      'waiting',
    ]);
  });

  test('a job after a fan-out or a matrix has two parents', async () => {
    const parents = (await exportedDemo()).map(({ parent_deployments = [] }) => parent_deployments.join(' '));
    expect(parents).toEqual(
      expect.arrayContaining(['gh-deploy-4828445 gh-deploy-4828639', 'gh-deploy-4829124 gh-deploy-4829221']),
    );
  });

  test('a job of a reusable workflow can be the parent of another', async () => {
    const events = await exportedDemo();
    expect(events.find(({ deployment_id }) => deployment_id === 'gh-deploy-4826796')?.parent_deployments).toEqual([
      'gh-deploy-4826699',
    ]);
  });

  test.each<[string, (deployment: (typeof all)[number]) => boolean]>([
    ['a run that was repeated', ({ run_attempt }) => run_attempt === 2],
    [
      'several services in one deployment',
      ({ payload }) => Array.isArray((payload as { services?: unknown } | undefined)?.services),
    ],
    ['a deployment without Actions', ({ run_id }) => run_id === undefined],
    ['a deployment created by a bot', ({ creator }) => creator.endsWith('[bot]')],
    ['the status inactive after success', (one) => states(one).includes('success inactive')],
    ['the status inactive after in_progress', (one) => states(one).includes('in_progress inactive')],
    [
      'two statuses in one second',
      ({ statuses }) => new Set(statuses.map((status) => status.elapsed_minutes)).size < statuses.length,
    ],
    ['a transient environment', ({ transient }) => transient === true],
    ['an environment of 80 characters', ({ environment }) => environment.length === 80],
    ['a cancelled run', ({ run_conclusion }) => run_conclusion === 'cancelled'],
    ['a rejection', ({ reviews = [] }) => reviews.some(({ state }) => state === 'rejected')],
    ['a deleted branch', ({ ref }) => demo.repos.some(({ deleted_branches = [] }) => deleted_branches.includes(ref))],
  ])('the demo dataset has %s', (_, isSo) => {
    expect(all.filter(isSo)).not.toEqual([]);
  });

  test('every deployment of search-indexer has its version in an artifact', () => {
    const versions = all
      .filter(({ repo }) => repo === 'search-indexer')
      .map(({ artifact }) => [artifact?.name, artifact?.content]);
    expect(new Set(versions.map(String))).toEqual(new Set(['version.txt,v0.8.0']));
  });

  test('one repository has more than a hundred deployments', () => {
    expect(Math.max(...demo.repos.map(({ deployments }) => deployments.length))).toBeGreaterThan(100);
  });
});

describe('§6: the random dataset', () => {
  const random = (seed: number, count: number) => readDataset({ name: 'random', folder: '/nowhere', seed, count });

  test('the seed determines the dataset, and adding services keeps existing ones', () => {
    expect(random(1, 3)).toEqual(random(1, 3));
    expect(random(2, 3)).not.toEqual(random(1, 3));
    expect(random(1, 5).repos.slice(0, 3)).toEqual(random(1, 3).repos);
  });

  test('the random dataset has no errors and the requested number of services', () => {
    const data = random(7, 100);
    expect(checkedDataset(data)).toBe(data);
    expect(new Set(data.repos.map(({ repo }) => repo)).size).toBe(100);
  });

  test('chains begin in the last 14 days and continue with the expected probability', () => {
    const rows = random(3, 100).repos.flatMap(({ deployments }) => deployments);
    const count = (environment: string) => rows.filter((row) => row.environment === environment).length;
    expect(Math.max(...rows.map(({ elapsed_minutes = 0 }) => elapsed_minutes))).toBeLessThanOrEqual(14 * 24 * 60);
    expect(Math.min(...rows.map(({ elapsed_minutes = 0 }) => elapsed_minutes))).toBeGreaterThanOrEqual(0);
    const succeeds = 0.85;
    for (const [from, to, share] of [
      ['dev', 'staging', 0.85],
      ['staging', 'qa', 0.75],
      ['qa', 'preprod', 0.7],
      ['preprod', 'prod', 0.55],
    ] as const) {
      expect(Math.abs(count(to) / count(from) - share * succeeds)).toBeLessThan(0.1);
    }
    const failed = rows.filter(({ statuses }) => statuses.at(-1)?.state === 'failure').length;
    expect(Math.abs(failed / rows.length - 0.15)).toBeLessThan(0.03);
  });
});

test('§6: errors in a dataset are reported with their positions', () => {
  const [repo] = demo.repos;
  const bad = {
    repos: [
      {
        ...repo,
        deployments: [
          { id: 1, sha: 'a', ref: 'main', environment: 'dev', creator: 'a', statuses: [{ id: 1, state: 'queued' }] },
          {
            id: 1,
            sha: 'a',
            ref: 'main',
            environment: 'dev',
            creator: 'a',
            elapsed_minutes: 1,
            created_at: '2026-01-01T00:00:00Z',
            workflow: 9,
            statuses: [],
          },
        ],
      },
    ],
    projects: [],
  };
  const errorsOf = () => {
    try {
      checkedDataset(bad);
    } catch (error) {
      return (error as { errors: { pointer: string; message: string }[] }).errors;
    }
    return [];
  };
  expect(errorsOf()).toEqual([
    { pointer: '/repos/0/deployments/1/id', message: 'occurs twice: 1' },
    { pointer: '/repos/0/deployments/0/created_at', message: 'is required unless elapsed_minutes is sent' },
    { pointer: '/repos/0/deployments/0/statuses/0/created_at', message: 'is required unless elapsed_minutes is sent' },
    { pointer: '/repos/0/deployments/1/created_at', message: 'must not be combined with elapsed_minutes' },
    { pointer: '/repos/0/deployments/1/workflow', message: 'is not a workflow of the repository: 9' },
  ]);
});
