import type { SeedDeployment } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { aRepo, aSeed, testEmulator } from './support/emulator.ts';

type State = SeedDeployment['statuses'][number]['state'];
type Steps = readonly (readonly [state: State, elapsed: number])[];

const [base] = aRepo().deployments;
if (!base) throw new Error('the seed has a deployment');

/** Deployments of the only repository, each with its statuses by age. */
function deployments(...rows: readonly (Partial<SeedDeployment> & { readonly steps?: Steps })[]): SeedDeployment[] {
  let status = 0;
  return rows.map(({ steps = [['success', 10]], ...fields }, index) => ({
    ...(base as SeedDeployment),
    id: 101 + index,
    ...fields,
    statuses: steps.map(([state, elapsed_minutes]) => {
      status += 1;
      return { id: status, state, elapsed_minutes };
    }),
  }));
}

async function exported(rows: SeedDeployment[], yaml?: string) {
  const [workflow] = aRepo().workflows;
  const workflows = workflow && yaml !== undefined ? [{ ...workflow, yaml }] : aRepo().workflows;
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: rows, workflows })], projects: [] }));
  return emulator.exported();
}

test('fetcher §9.2: every field of an event is derived from the tool', async () => {
  const [event] = await exported(deployments({ steps: [['success', 10]] }));
  expect(event).toEqual({
    deployment_id: 'gh-deploy-101',
    service: 'shop',
    environment: 'dev',
    status: 'success',
    happened_at: '2026-05-04T08:50:00Z',
    version: 'aaaaaaa',
    actor: 'alice',
    ref: 'main',
    sha: 'a'.repeat(40),
    run_url: 'https://github.com/acme/shop/actions/runs/11/job/11002',
    run_number: '11',
  });
});

test.each<[string, Partial<SeedDeployment> & { readonly steps: Steps }, readonly string[]]>([
  [
    'the same name',
    {
      steps: [
        ['pending', 9],
        ['queued', 8],
        ['waiting', 7],
        ['in_progress', 6],
        ['success', 5],
      ],
    },
    ['pending', 'queued', 'waiting', 'in-progress', 'success'],
  ],
  [
    'failure, then error',
    {
      steps: [
        ['failure', 9],
        ['error', 8],
      ],
    },
    ['failure', 'failure'],
  ],
  ['a cancelled run', { steps: [['failure', 9]], run_conclusion: 'cancelled' }, ['cancelled']],
  [
    'a rejection',
    { steps: [['failure', 9]], reviews: [{ state: 'rejected', user: 'erin', submitted_at: 9 }] },
    ['rejected'],
  ],
  [
    'an approval, then a failure',
    { steps: [['failure', 9]], reviews: [{ state: 'approved', user: 'erin', submitted_at: 9 }] },
    ['failure'],
  ],
  [
    'inactive after the end of the deployment',
    {
      steps: [
        ['success', 9],
        ['inactive', 8],
      ],
    },
    ['success'],
  ],
  [
    'inactive while the deployment was open',
    {
      steps: [
        ['in_progress', 9],
        ['inactive', 8],
      ],
    },
    ['in-progress', 'cancelled'],
  ],
  ['inactive as the only status', { steps: [['inactive', 8]] }, []],
  [
    'two statuses in one second',
    {
      steps: [
        ['in_progress', 9],
        ['success', 9],
      ],
    },
    ['in-progress', 'success'],
  ],
  [
    'one status twice in one second',
    {
      steps: [
        ['success', 9],
        ['success', 9],
      ],
    },
    ['success'],
  ],
  [
    'a failure and an error in one second',
    {
      steps: [
        ['failure', 9],
        ['error', 9],
      ],
    },
    ['failure'],
  ],
  [
    'two ends in one second',
    {
      steps: [
        ['in_progress', 9],
        ['inactive', 8],
        ['failure', 8],
      ],
    },
    ['in-progress', 'cancelled'],
  ],
  ['a transient environment', { steps: [['success', 9]], transient: true }, []],
])('fetcher §9.3: %s', async (_, row, statuses) => {
  expect((await exported(deployments(row))).map(({ status }) => status)).toEqual(statuses);
});

test.each([
  ['alice', 'alice'],
  ['dependabot[bot]', 'dependabot[bot]'],
])('fetcher §9.2: the actor of %s is %s', async (creator, actor) => {
  expect((await exported(deployments({ creator })))[0]?.actor).toBe(actor);
});

test('fetcher §9.2: a person takes precedence over the bot that started the run', async () => {
  const rows = deployments({ creator: 'renovate[bot]' }, { creator: 'bob', environment: 'staging', job: 'staging' });
  expect((await exported(rows)).map(({ actor }) => actor)).toEqual(['renovate[bot]', 'bob']);
});

describe('fetcher §9.4: parents', () => {
  const file = (jobs: string) => `name: Deploy\non: [push]\njobs:\n${jobs}`;
  const parentsOf = async (yaml: string, rows: SeedDeployment[]) =>
    Object.fromEntries(
      (await exported(rows, yaml)).map((event) => [event.deployment_id, event.parent_deployments ?? []]),
    );

  test('the search for parents skips jobs without a deployment and ends at jobs with one', async () => {
    const yaml = file(
      '  a: {environment: a}\n  check: {needs: a}\n  b: {needs: check, environment: b}\n  c: {needs: [b], environment: c}\n',
    );
    const rows = deployments(
      { environment: 'a', job: 'a' },
      { environment: 'b', job: 'b' },
      { environment: 'c', job: 'c' },
    );
    expect(await parentsOf(yaml, rows)).toEqual({
      'gh-deploy-101': [],
      'gh-deploy-102': ['gh-deploy-101'],
      'gh-deploy-103': ['gh-deploy-102'],
    });
  });

  test('every leg of a matrix is a parent', async () => {
    const yaml = file(
      `  a:\n    strategy: {matrix: {region: [eu, us]}}\n    environment: a-\${{ matrix.region }}\n  b: {needs: a, environment: b}\n`,
    );
    const rows = deployments(
      { environment: 'a-eu', job: 'a' },
      { environment: 'a-us', job: 'a' },
      { environment: 'b', job: 'b' },
    );
    expect((await parentsOf(yaml, rows))['gh-deploy-103']).toEqual(['gh-deploy-101', 'gh-deploy-102']);
  });

  test('the newest attempt of a repeated job counts', async () => {
    const yaml = file('  a: {environment: a}\n  b: {needs: a, environment: b}\n');
    const rows = deployments(
      { environment: 'a', job: 'a' },
      { environment: 'a', job: 'a', run_attempt: 2 },
      { environment: 'b', job: 'b', run_attempt: 2 },
    );
    expect((await parentsOf(yaml, rows))['gh-deploy-103']).toEqual(['gh-deploy-102']);
  });

  test('other runs and deployments without a run are ignored', async () => {
    const yaml = file('  a: {environment: a}\n  b: {needs: a, environment: b}\n');
    const { run_id: _, job: __, ...alone } = deployments({ environment: 'a' })[0] as SeedDeployment;
    const rows = [
      { ...alone, id: 90 },
      ...deployments({ environment: 'a', job: 'a', run_id: 12 }, { environment: 'b', job: 'b' }),
    ];
    expect(
      await parentsOf(
        yaml,
        rows.map((row, index) => ({
          ...row,
          statuses: [{ id: index + 1, state: 'success' as const, elapsed_minutes: 9 }],
        })),
      ),
    ).toEqual({
      'gh-deploy-90': [],
      'gh-deploy-101': [],
      'gh-deploy-102': [],
    });
  });

  test('a workflow file that is cyclic or not YAML results in no parents and no delay', async () => {
    expect((await parentsOf('{', deployments({})))['gh-deploy-101']).toEqual([]);
    const circle = file('  a: {needs: b, environment: a}\n  b: {needs: a, environment: b}\n');
    const rows = deployments({ environment: 'a', job: 'a' }, { environment: 'b', job: 'b' });
    expect(await parentsOf(circle, rows)).toEqual({
      'gh-deploy-101': ['gh-deploy-102'],
      'gh-deploy-102': ['gh-deploy-101'],
    });
  });
});

test('fetcher §5.6: a name that is too long is cut and ends in part of its digest', async () => {
  const environment = 'e'.repeat(80);
  const [event] = await exported(deployments({ environment, ref: 'r'.repeat(255) }));
  expect(event?.environment).toMatch(/^e{57}~[0-9a-f]{6}$/);
  expect(event?.ref).toHaveLength(255);
});

test('forbidden, archived and removed repositories are not exported', async () => {
  const repos = ['one', 'two', 'three', 'four'].map((repo, index) =>
    aRepo({ repo, deployments: deployments({}).map((row) => ({ ...row, id: 101 + index })) }),
  );
  const emulator = await testEmulator({}, aSeed({ repos, projects: [] }));
  await emulator.post('/_ci/repositories/acme/one', { forbidden: true }, 'PATCH');
  await emulator.post('/_ci/repositories/acme/two', { archived: true }, 'PATCH');
  await emulator.post('/_ci/deployments/103', undefined, 'DELETE');
  expect((await emulator.exported()).map(({ service }) => service)).toEqual(['four']);
});
